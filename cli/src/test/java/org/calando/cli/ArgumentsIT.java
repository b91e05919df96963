package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong requests: exit code 2, one message with a remedy, no stack trace, nothing done. */
class ArgumentsIT {
  private static final String BAD_STUDY =
      """
      study: Bad Name
      store: {engine: cassandra, local: {nodes: 12, rff: 3}}
      workload: {preset: heavy-update, operations: many}
      matrix: {consistency: [ONE, TWICE], threads: [5], rate: [400/s]}
      """;

  @TempDir static Path folder;
  private static CommandShell shell;

  @BeforeAll
  static void start() {
    shell = CommandShell.start(folder, Map.of("CALANDO_STATE", folder.resolve("state").toString()));
  }

  @AfterAll
  static void end() {
    shell.close();
  }

  static Stream<Arguments> wrongRequests() {
    return Stream.of(
        Arguments.of(new String[] {}, "which command?"),
        Arguments.of(new String[] {"fly"}, "'fly'"),
        Arguments.of(new String[] {"study"}, "FILE.yaml"),
        Arguments.of(new String[] {"study", "none.yaml"}, "none.yaml: does not exist"),
        Arguments.of(new String[] {"report", "none"}, "no such folder"),
        Arguments.of(new String[] {"compare", "none"}, "DIR_B"),
        Arguments.of(new String[] {"compare", "none", "none"}, "no such folder"),
        Arguments.of(new String[] {"predict"}, "stale or energy?"),
        Arguments.of(new String[] {"predict", "stale"}, "--n: is missing"),
        Arguments.of(new String[] {"predict", "stale", "--fly"}, "--fly"),
        Arguments.of(
            new String[] {"predict", "stale", "--live", "none.yaml"}, "--table: is missing"),
        Arguments.of(
            new String[] {"predict", "stale", "--live", "none.yaml", "--table", "shop.carts"},
            "none.yaml"),
        Arguments.of(new String[] {"layout"}, "tokens, move, rabbit or paraid?"),
        Arguments.of(
            new String[] {"layout", "tokens", "--nodes", "3", "--rf", "4"}, "--rf: '4' is more"),
        Arguments.of(
            new String[] {"layout", "move", "--nodes", "3", "--layout", "third"}, "--dry-run: is"),
        Arguments.of(new String[] {"clocks", "--root", "none"}, "no such folder"),
        Arguments.of(new String[] {"restore", "--force", "--abandon"}, "contradict"),
        Arguments.of(new String[] {"restore", "--force", "--give-up"}, "contradict"),
        Arguments.of(new String[] {"local"}, "start, status or stop?"),
        Arguments.of(new String[] {"local", "start", "oracle"}, "no local engine 'oracle'"),
        Arguments.of(new String[] {"studdy"}, "did you mean ./calando study?"),
        Arguments.of(new String[] {"demo", "--set", "repeets=3"}, "repeets"));
  }

  @ParameterizedTest
  @MethodSource("wrongRequests")
  void wrongRequestIsRefusedWithARemedy(String[] arguments, String expected) {
    CommandAnswer command = run(arguments);
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.stderr()).contains(expected).contains("calando: ").doesNotContain("\tat ");
    assertThat(command.stdout()).isEmpty();
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void everythingThatIsWrongInAStudyIsToldWithLineAndPath() throws IOException {
    Path file = folder.resolve("bad.yaml");
    Files.writeString(file, BAD_STUDY);
    CommandAnswer command = run("study", file.toString());
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.stderr())
        .containsPattern("bad.yaml:1:\\d+: study: ")
        .containsPattern("bad.yaml:2:\\d+: store.local.nodes: ")
        .containsPattern("bad.yaml:2:\\d+: store.local.rff: ")
        .containsPattern("bad.yaml:3:\\d+: workload.operations: ")
        .containsPattern("bad.yaml:4:\\d+: matrix.consistency\\[1\\]: ")
        .containsPattern("bad.yaml:4:\\d+: matrix.rate: ")
        .doesNotContain("\tat ");
  }

  @Test
  void localStatusAloneShowsWhatThereIs() throws IOException {
    CommandAnswer text = run("local", "status");
    assertThat(text.exitCode()).as(text.stderr()).isZero();
    assertThat(text.stdout()).contains("There is no local cluster");
    CommandAnswer json = run("local", "status", "--json");
    assertThat(new ObjectMapper().readTree(json.stdout()).path("clusters").isArray()).isTrue();
    assertThat(new ObjectMapper().readTree(json.stdout()).path("clusters")).isEmpty();
  }

  @Test
  void withJsonTheErrorIsTheLastLine() throws IOException {
    CommandAnswer command = run("report", "none", "--json");
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.stdout()).isEmpty();
    String last = command.stderr().lines().reduce("", (before, line) -> line);
    JsonNode error = new ObjectMapper().readTree(last).path("error");
    assertThat(error.path("what").asText()).isEqualTo("no such folder");
    assertThat(error.path("where").asText()).endsWith("none");
    assertThat(error.path("remedy").asText()).contains("such as out/demo");
    assertThat(error.path("exit_code").asInt()).isEqualTo(2);
  }

  @Test
  void aPredictionNeedsNoCluster() throws IOException {
    CommandAnswer command =
        run(
            "predict stale --n 5 --w 1 --x 1 --reads-per-s 100 --writes-per-s 1"
                .concat(" --propagation 100ms --tolerate 20% --json")
                .split(" ", -1));
    assertThat(command.exitCode()).as(command.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(command.stdout());
    assertThat(answer.at("/exact/stale_rate").asDouble()).isCloseTo(0.07613, within(1e-5));
    assertThat(answer.at("/exact/level").asText()).isEqualTo("ONE");
  }

  @Test
  void aPredictionFromAClusterThatDoesNotAnswerFailsWithOneMessage() throws IOException {
    Path inventory = folder.resolve("inventory.yaml");
    Files.writeString(
        inventory, "nodes:\n- {name: n1, address: 127.0.0.1, port: 1, profile: xeon-x3440}\n");
    CommandAnswer command =
        run("predict", "stale", "--live", inventory.toString(), "--table", "shop.carts");
    assertThat(command.exitCode()).isEqualTo(1);
    assertThat(command.stderr())
        .contains("calando: Cassandra at 127.0.0.1:1: no contact point answers")
        .doesNotContain("\tat ");
    assertThat(command.stdout()).isEmpty();
  }

  private static CommandAnswer run(String... arguments) {
    return shell.run(arguments);
  }
}
