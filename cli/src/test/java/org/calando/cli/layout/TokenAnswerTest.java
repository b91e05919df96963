package org.calando.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenAnswerTest {
  private static final String THESIS = "--nodes 39 --warm 1/2 --partitioner random --rf 5";

  @Test
  void theAnswerHasTheKeysOfTheContract() {
    JsonNode answer = json(THESIS);
    assertThat(answer.path("nodes")).hasSize(39);
    assertThat(names(answer.at("/nodes/0")))
        .containsExactly("node", "pool", "tokens", "ownership", "replica_share", "held");
    assertThat(names(answer))
        .containsExactly(
            "layout",
            "arrangement",
            "partitioner",
            "parts",
            "warm",
            "rf",
            "racks",
            "replica_share_cv",
            "replica_share_max_min",
            "nodes");
  }

  @Test
  void figuresAreThoseOfTheThesissCluster() {
    JsonNode answer = json(THESIS);
    JsonNode first = answer.at("/nodes/0");
    assertThat(first.path("node").asInt()).isEqualTo(1);
    assertThat(first.path("pool").asText()).isEqualTo("warm");
    // floor(2^127 / 59)
    assertThat(first.at("/tokens/0").asText()).isEqualTo("2883748872211342910706564469760747554");
    assertThat(first.path("tokens")).hasSize(1);
    assertThat(first.path("ownership").asDouble()).isCloseTo(2 / 59.0, within(1e-15));
    assertThat(first.path("replica_share").asDouble()).isCloseTo(6 / 295.0, within(1e-15));
    assertThat(first.path("held").asDouble()).isCloseTo(6 / 59.0, within(1e-15));
    assertThat(answer.at("/nodes/19/pool").asText()).isEqualTo("warm");
    assertThat(answer.at("/nodes/20/pool").asText()).isEqualTo("cool");
    assertThat(answer.at("/nodes/20/ownership").asDouble()).isCloseTo(1 / 59.0, within(1e-15));
    assertThat(answer.path("replica_share_cv").asDouble()).isCloseTo(0.30, within(0.005));
    assertThat(json(THESIS + " --interleave yes").path("replica_share_cv").asDouble())
        .isCloseTo(0.06, within(0.01));
  }

  @Test
  void aLayoutMayBeWrittenByNameShareOrPercent() {
    JsonNode named = json("--nodes 6 --layout third");
    assertThat(json("--nodes 6 --layout 1/3")).isEqualTo(named);
    assertThat(json("--nodes 6 --warm 1/3")).isEqualTo(named);
    assertThat(named.path("warm").asInt()).isEqualTo(2);
    assertThat(json("--nodes 6").path("layout").asText()).isEqualTo("even");
    assertThat(json("--nodes 6 --warm 25%").path("layout").asText()).isEqualTo("1/4");
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    JsonNode answer = json("--nodes 6");
    assertThat(answer.path("partitioner").asText()).isEqualTo("Murmur3Partitioner");
    assertThat(answer.path("rf").asInt()).isEqualTo(3);
    assertThat(answer.path("racks").asInt()).isEqualTo(1);
    assertThat(json("--nodes 2").path("rf").asInt()).isEqualTo(2);
    assertThat(answer.at("/nodes/0/tokens/0").asText()).isEqualTo("-9223372036854775808");
  }

  @Test
  void racksChangeWhatNodesHoldAndNotWhatTheyOwn() {
    JsonNode one = json("--nodes 6 --layout half --rf 3");
    JsonNode three = json("--nodes 6 --layout half --rf 3 --racks 3");
    JsonNode two = json("--nodes 6 --layout half --rf 2 --racks 2");
    // Racks in turn: the next nodes of the ring are of other racks anyway.
    assertThat(three.path("nodes")).isEqualTo(one.path("nodes"));
    assertThat(two.at("/nodes/3/ownership")).isEqualTo(one.at("/nodes/3/ownership"));
    assertThat(json("--nodes 5 --rf 3 --racks 4").at("/nodes/0/held").asDouble())
        .isNotEqualTo(json("--nodes 5 --rf 3").at("/nodes/0/held").asDouble());
  }

  @ParameterizedTest
  @CsvSource({"random, 39", "murmur3, 39", "random, 10000"})
  void linesForPeopleFitATerminal(String partitioner, int nodes) {
    List<String> lines =
        answer("--nodes " + nodes + " --layout half --rf 3 --partitioner " + partitioner).table();
    assertThat(lines)
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
    assertThat(lines).anyMatch(line -> line.matches(" +1  warm +-?\\d+ +\\d\\.\\d{3}.*"));
    assertThat(lines.get(0)).contains("half: " + (nodes + 1) / 2 + " of " + nodes + " nodes warm");
  }

  @Test
  void everyNodeHasItsLinesOfCassandraYaml() {
    assertThat(answer("--nodes 3 --layout third --rf 1").yaml())
        .containsExactly(
            "# node 1, warm: owns 1/2 of the ring",
            "num_tokens: 1",
            "initial_token: \"-4611686018427387904\"",
            "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
            "---",
            "# node 2, cool: owns 1/4 of the ring",
            "num_tokens: 1",
            "initial_token: \"0\"",
            "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
            "---",
            "# node 3, cool: owns 1/4 of the ring",
            "num_tokens: 1",
            "initial_token: \"4611686018427387904\"",
            "partitioner: org.apache.cassandra.dht.Murmur3Partitioner");
  }

  @Test
  void theFormatIsAsAsked() {
    assertThat(request("--nodes 3").format()).isEqualTo(TokenRequest.Format.TABLE);
    assertThat(request("--nodes 3 --format yaml").format()).isEqualTo(TokenRequest.Format.YAML);
    assertThat(request("--nodes 3 --json yes").format()).isEqualTo(TokenRequest.Format.JSON);
    assertThat(request("--nodes 3 --json yes --format json").format())
        .isEqualTo(TokenRequest.Format.JSON);
    assertRefused("--nodes 3 --json yes --format yaml", "--json: is given beside another --format");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "10001"})
  void nodesThatCannotBeAreRefused(String nodes) {
    assertRefused("--nodes " + nodes, "--nodes: '" + nodes + "' is");
  }

  @Test
  void layoutsThatCannotBeAreRefused() {
    assertRefused("--nodes 4 --layout warm", "--layout: 'warm' is not a token layout; write even,");
    assertRefused("--nodes 4 --warm 3/2", "--warm: '3/2' is more than all nodes; ");
    assertRefused("--nodes 4 --warm -1/2", "--warm: '-1/2' is not a token layout; ");
    assertRefused("--nodes 4 --warm 1/9", "--warm: 1/9 of 4 nodes is not one node; ");
    assertRefused("--nodes 4 --warm half --layout half", "--warm: is given beside --layout");
    assertRefused("--nodes 4 --rf 5", "--rf: '5' is more than all nodes; write 1 to 4");
    assertRefused("--nodes 4 --racks 5", "--racks: '5' is more than all nodes; write 1 to 4");
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(
            () -> request("--rf none --layout warm --partitioner md5 --format xml --racks 0"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--nodes: is missing; ")
        .hasMessageContaining("--rf: 'none' is not an integer")
        .hasMessageContaining("--layout: 'warm' is not a token layout; ")
        .hasMessageContaining("--partitioner: 'md5' is not a partitioner")
        .hasMessageContaining("--format: 'xml' is not a format")
        .hasMessageContaining("--racks: '0' is out of range");
  }

  private static void assertRefused(String arguments, String message) {
    assertThatThrownBy(() -> request(arguments))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith(message);
  }

  private static TokenRequest request(String text) {
    TokenArguments read = new TokenArguments();
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      read.put(words[i], words[i + 1]);
    }
    return read.request();
  }

  private static TokenAnswer answer(String arguments) {
    return TokenAnswer.of(request(arguments));
  }

  private static JsonNode json(String arguments) {
    return answer(arguments).json();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
