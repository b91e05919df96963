package org.calando.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.StreamSupport;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GearLayoutAnswerTest {
  private static final String EXPERIMENT =
      "--nodes 7 --gears 3,7 --primaries 3 --replicas 2 --blocks 200";

  @Test
  void theAnswerHasTheKeysOfTheContract() {
    JsonNode answer = rabbit(EXPERIMENT).json();
    assertThat(names(answer))
        .containsExactly(
            "layout", "gears", "replicas", "blocks", "nodes", "moved_at_upshift", "shifts");
    assertThat(answer.path("nodes")).hasSize(7);
    assertThat(names(answer.at("/nodes/0"))).containsExactly("node", "group", "blocks", "by_gear");
    assertThat(names(answer.at("/nodes/6/by_gear"))).containsExactly("1", "2");
  }

  @Test
  void rabbitSendsAWholeReplicaAndServesEvenly() {
    JsonNode answer = rabbit(EXPERIMENT).json();
    assertThat(answer.path("moved_at_upshift").asLong()).isEqualTo(200);
    assertThat(answer.at("/shifts/0/lower_bound").asLong()).isEqualTo(200);
    assertThat(sum(answer, node -> node.path("blocks").asLong())).isEqualTo(400);
    assertThat(sum(answer, node -> node.at("/by_gear/1").asLong())).isEqualTo(200);
    assertThat(sum(answer, node -> node.at("/by_gear/2").asLong())).isEqualTo(200);
    assertThat(answer.path("nodes"))
        .allSatisfy(node -> assertThat(node.at("/by_gear/2").asLong()).isBetween(28L, 29L));
    assertThat(answer.at("/nodes/3/by_gear/1").asLong()).isZero();
    assertThat(answer.at("/nodes/3/group").asInt()).isEqualTo(2);
    // 200 times a quarter of 1/4 + 1/5 + 1/6 + 1/7.
    assertThat(answer.at("/nodes/3/blocks").asLong()).isBetween(65L, 66L);
  }

  @Test
  void paraidIsThePapersTable() {
    JsonNode answer = paraid("--gears 2,4,6 --blocks 6000").json();
    assertThat(each(answer, "/blocks")).containsExactly(3000L, 3000L, 1500L, 1500L, 1000L, 1000L);
    assertThat(each(answer, "/by_gear/1")).containsExactly(3000L, 3000L, 0L, 0L, 0L, 0L);
    assertThat(each(answer, "/by_gear/2")).containsExactly(1500L, 1500L, 1500L, 1500L, 0L, 0L);
    assertThat(each(answer, "/by_gear/3")).containsOnly(1000L);
    assertThat(answer.path("moved_at_upshift").asLong()).isEqualTo(5000);
    assertThat(answer.at("/shifts/0/moved").asLong()).isEqualTo(3000);
    assertThat(answer.at("/shifts/1/moved").asLong()).isEqualTo(2000);
  }

  @Test
  void bytesAreToldWhereABlocksSizeIsKnown() {
    JsonNode answer = paraid("--gears 3,7 --blocks 7 --bytes 64MB").json();
    assertThat(answer.path("bytes_per_block").asLong()).isEqualTo(67_108_864);
    assertThat(answer.path("moved_bytes_at_upshift").asLong()).isEqualTo(4 * 67_108_864L);
    assertThat(answer.at("/nodes/6/bytes").asLong()).isEqualTo(67_108_864);
    assertThat(answer.at("/nodes/6/bytes_by_gear/2").asLong()).isEqualTo(67_108_864);
    assertThat(answer.at("/shifts/0/lower_bound_bytes").asLong()).isEqualTo(4 * 67_108_864L);
  }

  @Test
  void aFileOfFourBlocksSendsOnePerFile() {
    assertThat(paraid("--gears 3,7 --blocks 4 --order per-file").json().path("moved_at_upshift"))
        .hasToString("1");
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    JsonNode answer = rabbit("--gears 3,7 --blocks 70").json();
    assertThat(answer.path("replicas").asInt()).isEqualTo(2);
    assertThat(answer.at("/nodes/2/blocks").asLong()).isBetween(23L, 24L);
    assertThat(rabbit("--gears 3 --blocks 70").json().path("replicas").asInt()).isEqualTo(1);
    assertThat(rabbit("--gears 3 --blocks 70").json().path("moved_at_upshift").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"--gears 3,7 --blocks 200", "--gears 2,4,6,8,1000 --blocks 1000000 --bytes 64MB"})
  void linesForPeopleFitATerminal(String arguments) {
    assertThat(rabbit(arguments).table())
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(84));
    assertThat(paraid(arguments).table()).anyMatch(line -> line.contains("off"));
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(() -> rabbit("--nodes 8 --gears 3,7 --primaries 4 --blocks 0 --bytes big"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--gears: '3,7' ends with 7 of 8; ")
        .hasMessageContaining("--primaries: '4' is more than gear 1 has; ")
        .hasMessageContaining("--blocks: '0' is out of range")
        .hasMessageContaining("--bytes: 'big' is not");
    assertThatThrownBy(() -> rabbit("--replicas 6 --gears 3,7"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--replicas: '6' is more than one, and one on each node behind")
        .hasMessageContaining("--blocks: is missing; ");
    assertThatThrownBy(() -> paraid("--order odd --gears 7,3 --blocks many"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--gears: '7,3' is no list of gears; ")
        .hasMessageContaining("--order: 'odd' is not an order")
        .hasMessageContaining("--blocks: 'many' is not an integer");
    assertThatThrownBy(() -> paraid("--blocks 5"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--gears: is missing; ");
  }

  private static GearLayoutAnswer rabbit(String text) {
    return GearLayoutAnswer.of(read(new GearLayoutArguments.Rabbit(), text).request());
  }

  private static GearLayoutAnswer paraid(String text) {
    return GearLayoutAnswer.of(read(new GearLayoutArguments.Paraid(), text).request());
  }

  private static GearLayoutArguments read(GearLayoutArguments read, String text) {
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    return read;
  }

  private static long sum(JsonNode answer, ToLongFunction<JsonNode> figure) {
    return StreamSupport.stream(answer.path("nodes").spliterator(), false).mapToLong(figure).sum();
  }

  private static List<Long> each(JsonNode answer, String figure) {
    return StreamSupport.stream(answer.path("nodes").spliterator(), false)
        .map(node -> node.at(figure).asLong())
        .toList();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
