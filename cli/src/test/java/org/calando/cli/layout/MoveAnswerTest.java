package org.calando.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class MoveAnswerTest {
  private static final String SIX = "--dry-run yes --nodes 6 --layout half";

  @Test
  void fourOfSixNodesMoveFromEvenToHalf() {
    JsonNode answer = json(SIX);
    // In 36ths of the ring: 2 + 4 + 2 forward and 2 backward.
    assertThat(answer.path("streamed").asDouble()).isCloseTo(10 / 36.0, within(1e-12));
    assertThat(answer.path("moves")).hasSize(4);
    assertThat(answer.path("tokens")).hasSize(6);
    assertThat(answer.path("at_least").asDouble())
        .isLessThanOrEqualTo(answer.path("streamed").asDouble());
    JsonNode first = answer.at("/moves/0");
    assertThat(first.has("streamed_bytes")).isFalse();
    assertThat(json("--dry-run yes --nodes 6 --layout even").path("moves").isArray()).isTrue();
    assertThat(first.at("/received/0/share").asDouble())
        .isEqualTo(first.path("streamed").asDouble());
  }

  @Test
  void withASizeBytesAreTold() {
    JsonNode answer = json(SIX + " --data 36GB");
    assertThat(answer.path("streamed_bytes").asLong()).isEqualTo(10L << 30);
    assertThat(String.join("\n", answer(SIX + " --data 36GB", null).table()))
        .contains("in all   10.0 GB; ")
        .contains("2.00 GB")
        .contains("times 36.0 GB, the data with one replica each");
  }

  @Test
  void tokensMayBeGivenInPlaceOfALayout() {
    JsonNode named = json("--dry-run yes --nodes 3 --layout third");
    String tokens = "-9223372036854775808, -3074457345618258603,3074457345618258602";
    assertThat(answer("--dry-run yes --layout third", tokens).json()).isEqualTo(named);
    assertThat(json("--dry-run yes --nodes 3 --layout third --from third").path("streamed"))
        .isEqualTo(json("--dry-run yes --nodes 6 --layout even").path("streamed"));
  }

  @Test
  void linesForPeopleFitATerminal() {
    for (String rest : List.of("--racks 1", "--racks 4", "--racks 1 --data 1023.99GB")) {
      List<String> lines =
          answer("--dry-run yes --nodes 39 --layout half --rf 5 " + rest, null).table();
      assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
      assertThat(lines).contains("dry run: nothing is moved");
    }
    assertThat(String.join("\n", answer(SIX + " --data 999.7B", null).table()))
        .contains("times 0.977 KB");
    assertThat(answer("--dry-run yes --nodes 6 --layout even", null).table())
        .contains("nothing to move: every node is where it belongs");
  }

  @Test
  void wherePlansCostMoreThanANewDataCentreThatIsSaid() {
    String many = "--dry-run yes --rf 2 --layout half --nodes ";
    assertThat(String.join("\n", answer(many + 100, null).table()))
        .contains("         more than a new data centre in this layout is sent: 200.000 %");
    assertThat(String.join("\n", answer(many + 12, null).table())).doesNotContain("more than");
    assertThat(answer("--dry-run yes --nodes 3 --layout third", null).table())
        .anyMatch(line -> line.endsWith(" 0.000 %  -"));
  }

  @Test
  void movesThatCannotBeAreRefused() {
    assertRefused("--nodes 3 --layout third", null, "--dry-run: is missing, and no live cluster");
    assertRefused("--dry-run yes --nodes 3", null, "--layout: is missing; write even,");
    assertRefused("--dry-run yes --layout half", null, "--nodes: is missing; ");
    assertRefused("--dry-run yes --layout half", "1,x", "--tokens: 'x' is not a token; ");
    assertRefused(
        "--dry-run yes --layout half", "7,8,7", "tokens: nodes 1 and 3 both have token 7");
    assertRefused(
        "--dry-run yes --layout half --nodes 2", "7,8", "--nodes: is given beside --tokens");
    assertRefused(
        "--dry-run yes --layout half --partitioner random", "-7,8", "tokens: -7 is no token of");
    assertRefused("--dry-run yes --layout 1/5 --nodes 2", null, "--layout: 1/5 of 2 nodes");
    assertRefused(
        "--dry-run yes --layout half --nodes 2 --from 1/5", null, "--from: 1/5 of 2 nodes");
    assertRefused("--dry-run yes --layout half --nodes 1001", null, "--nodes: '1001' is out of");
    assertRefused("--dry-run yes --layout half --nodes 3 --rf 4", null, "--rf: '4' is more");
    assertRefused("--dry-run yes --layout half --nodes 3 --data much", null, "--data: 'much' is");
  }

  private static void assertRefused(String arguments, String tokens, String message) {
    assertThatThrownBy(() -> answer(arguments, tokens))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith(message);
  }

  private static JsonNode json(String arguments) {
    return answer(arguments, null).json();
  }

  private static MoveAnswer answer(String text, String tokens) {
    MoveArguments read = new MoveArguments();
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    read.put("--tokens", tokens);
    return MoveAnswer.of(read.request());
  }
}
