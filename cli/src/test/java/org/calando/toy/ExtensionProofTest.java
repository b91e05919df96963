package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What this package adds is in files, checks, runs and reports with no other file touched. The
 * command is a process of its own, whose class path has the service files of {@code src/test/toy}.
 */
class ExtensionProofTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  private static final Pattern TOYS = Pattern.compile("(?i)\\btoy\\b|ToyEngine|ToyDial");

  private static final String STUDY =
      """
      study: toys
      store: {engine: toy, local: {nodes: 1, toy-delay: 100us}}
      workload: {preset: heavy-update, records: 100, operations: 2000, warm-up: 0}
      matrix: {consistency: [ONE], threads: [2]}
      repeats: 2
      power: {meter: model, profile: xeon-x3440, baseline: 0s}
      """;

  @TempDir Path folder;

  private record Answer(int exit, String text) {}

  @Test
  void aStudyOfTheToyRunsAndIsReported() throws Exception {
    Files.writeString(folder.resolve("toys.yaml"), STUDY);
    Answer study = calando("study", "toys.yaml", "--out", "out");
    assertThat(study.exit()).as(study.text()).isZero();
    assertThat(study.text()).contains("Starting 1 Toy nodes", "toy 1 is up");
    List<String> rows = Files.readAllLines(folder.resolve("out/results.csv"));
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1)).contains(",toy,").contains(",modelled,");
    Files.delete(folder.resolve("out/report.html"));
    Answer report = calando("report", "out");
    assertThat(report.exit()).as(report.text()).isZero();
    assertThat(Files.readString(folder.resolve("out/report.html"))).contains("toy 1");
  }

  @Test
  void theDoctorChecksTheToy() throws Exception {
    Files.writeString(folder.resolve("toys.yaml"), STUDY);
    Answer doctor = calando("doctor", "toys.yaml");
    assertThat(doctor.exit()).as(doctor.text()).isZero();
    assertThat(doctor.text()).contains("local cluster: 1 nodes: a bit of memory are there");
  }

  @Test
  void whatTheToyDoesNotSupportIsRefusedByName() throws Exception {
    Files.writeString(
        folder.resolve("toys.yaml"),
        STUDY.replace("nodes: 1,", "nodes: 2, racks: 2, heap: 1GB, layout: half,"));
    Answer refused = calando("study", "toys.yaml", "--out", "out");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.text())
        .contains("store.local.racks: is not supported by a local Toy")
        .contains("store.local.layout: is not supported by toy")
        .contains("store.local.nodes: a toy has one node");
  }

  @Test
  void othersDoNotHaveTheToysKeys() throws Exception {
    Files.writeString(folder.resolve("toys.yaml"), STUDY.replace("engine: toy", "engine: redis"));
    Answer refused = calando("study", "toys.yaml", "--out", "out");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.text()).contains("store.local.toy-delay: is not supported by a local Redis");
  }

  @Test
  void theReferenceDescribesTheToy() throws Exception {
    Answer written = java("org.calando.studyfile.StudyReference", "docs");
    assertThat(written.exit()).as(written.text()).isZero();
    assertThat(Files.readString(folder.resolve("docs/reference.md")))
        .contains("cassandra, redis, hdfs, hbase, sim, toy", "`toy-delay`");
    assertThat(Files.readString(folder.resolve("docs/study.schema.json"))).contains("toy-delay");
  }

  @Test
  void theToyPassesTheKitsOfEngines() throws Exception {
    Answer kits =
        java(
            "org.calando.toy.ToyKit",
            MODULE.resolve("src/test/toy/kit.properties").toString(),
            Files.createDirectory(folder.resolve("kit")).toString());
    assertThat(kits.exit()).as(kits.text()).isZero();
    assertThat(kits.text()).contains("ok: a cluster starts", "ok: close ends all");
  }

  @Test
  void aDryRunOfGovernSaysWhatItWouldSetOnTheToyAndSetsNothing() throws Exception {
    Path dial = govern("{dial: 4}");
    Answer dry = calando("govern", "govern.yaml", "--dry-run");
    assertThat(dry.exit()).as(dry.text()).isZero();
    assertThat(dry.text())
        .contains("dial of " + dial + " is 1; 4 would set 4", "turn " + dial + " to 4");
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
    assertThat(folder.resolve("state")).doesNotExist();
  }

  @Test
  void governSetsTheToysKnobUntilItEnds() throws Exception {
    Path dial = govern("{climb: {most: 3}}");
    Process govern = process("org.calando.cli.Main", "govern", "govern.yaml").start();
    try (BufferedReader lines = govern.inputReader()) {
      awaitLine(lines, "dial of " + dial + ": 3");
      // What is decided is noted and reported before it is set.
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(Files.readString(dial).strip()).isEqualTo("3"));
      govern.toHandle().destroy();
      awaitLine(lines, "knobs are as they were before");
      govern.waitFor();
    } finally {
      govern.destroyForcibly();
    }
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
  }

  @Test
  void aPromiseThatNothingMeasuresIsRefusedWithWhatWould() throws Exception {
    Path dial = govern("{dial: 4}", "promise: {stale: 2%, copies: 2}");
    for (String option : List.of("--dry-run", "")) {
      Answer refused =
          option.isEmpty()
              ? calando("govern", "govern.yaml")
              : calando("govern", "govern.yaml", option);
      assertThat(refused.exit()).as(refused.text()).isEqualTo(2);
      assertThat(refused.text())
          .contains("nothing measures the promise copies", "clusters.shop.promise.copies")
          .contains("promise another thing");
    }
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
    Answer doctor = calando("doctor", "govern.yaml");
    assertThat(doctor.exit()).as(doctor.text()).isEqualTo(1);
    assertThat(doctor.text())
        .containsPattern("ok +promise stale: is measured by the dial")
        .containsPattern("PROBLEM +promise copies: ");
  }

  @Test
  void aPromiseIsKeptBrokenAndUnknownAsItIsMeasured() throws Exception {
    Path dial = govern("{climb: {most: 1}}", "promise: {stale: 2%}");
    Files.writeString(
        folder.resolve("govern.yaml"),
        Files.readString(folder.resolve("govern.yaml"))
            .replaceFirst(" *control: .*\n", "")
            .replace("\"off\"", "127.0.0.1:0"));
    Process govern = process("org.calando.cli.Main", "govern", "govern.yaml").start();
    try (BufferedReader lines = govern.inputReader()) {
      URI address =
          URI.create(
              lines
                  .lines()
                  .filter(line -> line.contains("listens on "))
                  .findFirst()
                  .orElseThrow()
                  .replaceFirst(".*listens on ", ""));
      awaitPromise(address, "true", "0.01");
      Files.writeString(dial, "4\n");
      awaitPromise(address, "false", "0.04");
      Files.writeString(dial, "broken\n");
      awaitPromise(address, "null", "null");
      JsonNode state = promise(address);
      assertThat(state.at("/broken_s").asDouble()).isPositive();
      assertThat(state.at("/as_strong_low").isNull()).isTrue();
      assertThat(state.at("/budget_spent_high").asDouble()).isBetween(0.5, 2.0);
      String metrics = get(address.resolve("/metrics"));
      assertThat(metrics)
          .contains("calando_promise_limit{cluster=\"shop\",promise=\"stale\",unit=\"share\"} 0.02")
          .contains("calando_promise_budget_spent_ratio{")
          .as("what is not known is absent")
          .doesNotContain("calando_promise_kept{")
          .doesNotContain("calando_promise_value{");
    } finally {
      govern.destroyForcibly();
    }
  }

  private static void awaitPromise(URI address, String kept, String high) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              JsonNode state = promise(address);
              assertThat(state.at("/kept").asText()).isEqualTo(kept);
              assertThat(state.at("/high").asText()).isEqualTo(high);
            });
  }

  private static JsonNode promise(URI address) throws IOException, InterruptedException {
    return new ObjectMapper()
        .readTree(get(address.resolve("/api/v1/clusters/shop")))
        .at("/promises/states/0");
  }

  private static String get(URI uri) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** The shift fails while a file {@code broken} is there, and leaves its plan open. */
  @Test
  void aShiftThatFailsPausesTheGearAloneAndTheNextGovernorResumesIt() throws Exception {
    Path dial = govern("{gear: 1}, {climb: {most: 3}}");
    Files.writeString(
        folder.resolve("govern.yaml"),
        Files.readString(folder.resolve("govern.yaml"))
            .replace("listen: \"off\"", "    gears: {capacity: 10/s}\nlisten: 127.0.0.1:0"));
    Path gear = Files.writeString(folder.resolve("gear"), "2\n");
    Path broken = Files.createFile(folder.resolve("broken"));
    Answer dry = calando("govern", "govern.yaml", "--dry-run");
    assertThat(dry.exit()).as(dry.text()).isZero();
    assertThat(dry.text()).contains("shop: gear 2; 1 would set gear 1 (");
    Process failing = process("org.calando.cli.Main", "govern", "govern.yaml").start();
    try (BufferedReader lines = failing.inputReader()) {
      String listens = line(lines, "listens on ");
      String url = listens.substring(listens.indexOf("http"));
      String paused = line(lines, "shop: gear is paused until ");
      assertThat(paused).contains("node n2: has no power");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(Files.readString(dial).strip()).isEqualTo("3"));
      JsonNode shop = new ObjectMapper().readTree(get(URI.create(url + "/api/v1/clusters/shop")));
      assertThat(shop.at("/control/works").asBoolean()).isTrue();
      assertThat(shop.at("/control/problem").asText()).contains("gear is paused until");
      assertThat(shop.findValuesAsText("reason"))
          .singleElement()
          .asString()
          .contains("node n2: has no power");
      assertThat(get(URI.create(url + "/metrics")))
          .contains("calando_knob_paused{cluster=\"shop\",knob=\"gear\"} 1.0")
          .contains("calando_knob_paused{cluster=\"shop\",knob=\"dial\"} 0.0");
    } finally {
      failing.destroyForcibly();
    }
    failing.waitFor();
    assertThat(gear).hasContent("2\n");
    Files.delete(broken);
    Process next = process("org.calando.cli.Main", "govern", "govern.yaml").start();
    try (BufferedReader lines = next.inputReader()) {
      awaitLine(lines, "shop: resumed an unfinished plan to gear 1");
      next.toHandle().destroy();
      awaitLine(lines, "knobs are as they were before; gears stay");
      next.waitFor();
    } finally {
      next.destroyForcibly();
    }
    assertThat(gear).as("durable: as it is").hasContent("1\n");
    assertThat(Files.readString(dial).strip()).as("leased: as it was").isEqualTo("1");
  }

  @Test
  void whatAConsideredGearSavesIsModelledAndNothingIsShifted() throws Exception {
    Path dial = govern("{dial: 4}");
    Files.writeString(
        folder.resolve("govern.yaml"),
        Files.readString(folder.resolve("govern.yaml"))
            .replace(
                "control: [{dial: 4}]",
                "consider: [{gear: {schedule: [{at: \"00:00\", gear: 2}]}}]")
            .replace("listen: \"off\"", "    gears: {capacity: 10/s}\nlisten: 127.0.0.1:0"));
    Path gear = Files.writeString(folder.resolve("gear"), "1\n");
    Answer dry = calando("govern", "govern.yaml", "--dry-run");
    assertThat(dry.exit()).as(dry.text()).isZero();
    assertThat(dry.text())
        .contains("shop: considered only: gear 1; schedule(00:00 2) would set gear 2");
    Process considering = process("org.calando.cli.Main", "govern", "govern.yaml").start();
    try (BufferedReader lines = considering.inputReader()) {
      String listens = line(lines, "listens on ");
      String url = listens.substring(listens.indexOf("http"));
      String would = line(lines, "shop: would set gear of toy ");
      assertThat(would).matches(".*: 2 \\(.*\\); that takes \\d+\\.\\d W more, modelled by .*");
      JsonNode shop = new ObjectMapper().readTree(get(URI.create(url + "/api/v1/clusters/shop")));
      assertThat(shop.at("/considered/knobs/0/saves_w").asDouble()).isNegative();
      assertThat(shop.at("/considered/deciding/works").asBoolean()).isTrue();
      assertThat(get(URI.create(url + "/metrics")))
          .containsPattern(
              "calando_considered_saving_watts\\{cluster=\"shop\",knob=\"gear\",provenance=\"modelled\"");
    } finally {
      considering.destroyForcibly();
    }
    considering.waitFor();
    assertThat(gear).hasContent("1\n");
    assertThat(dial).hasContent("1\n");
  }

  private static String line(BufferedReader lines, String text) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(text)) {
      line = lines.readLine();
    }
    assertThat(line).as(text).isNotNull();
    return line;
  }

  private static void awaitLine(BufferedReader lines, String text) {
    assertThat(lines.lines().anyMatch(line -> line.contains(text))).as(text).isTrue();
  }

  @Test
  void nothingElseOfTheProjectKnowsTheToys() throws Exception {
    List<Path> others = new ArrayList<>();
    try (Stream<Path> files = Files.walk(MODULE.getParent())) {
      for (Path file : files.filter(ExtensionProofTest::isShipped).toList()) {
        if (TOYS.matcher(Files.readString(file)).find()) {
          others.add(file);
        }
      }
    }
    assertThat(others).isEmpty();
  }

  /** A source or a resource of the command, or a list of modules. */
  private static boolean isShipped(Path file) {
    String path = file.toString();
    boolean source =
        path.contains("/src/main/")
            && (path.matches(".*\\.(java|yaml|properties)") || path.contains("META-INF/services/"));
    return (source || path.endsWith("/pom.xml")) && Files.isRegularFile(file);
  }

  /** A governor's file of a toy cluster, and the dial, which is at 1. */
  private Path govern(String control) throws IOException {
    return govern(control, "period: 100ms");
  }

  private Path govern(String control, String further) throws IOException {
    Files.writeString(
        folder.resolve("govern.yaml"),
        """
        clusters:
          - name: shop
            engine: toy
            inventory: {nodes: [{name: n1, address: 127.0.0.1}]}
            %s
            control: [%s]
        listen: "off"
        """
            .formatted(
                further.contains("period") ? further : "period: 100ms\n    " + further, control));
    return Files.writeString(folder.resolve("dial"), "1\n");
  }

  private Answer calando(String... arguments) throws IOException, InterruptedException {
    return java("org.calando.cli.Main", arguments);
  }

  private Answer java(String main, String... arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    int exit = process(main, arguments).redirectOutput(output.toFile()).start().waitFor();
    return new Answer(exit, Files.readString(output));
  }

  private ProcessBuilder process(String main, String... arguments) {
    return process(folder, main, arguments);
  }

  /** A process that knows the toy, whose files are in a folder. */
  static ProcessBuilder process(Path folder, String main, String... arguments) {
    String classes =
        Stream.concat(
                Stream.of(MODULE.resolve("src/test/toy").toString()),
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-D" + ToyDial.FILE + "=" + folder.resolve("dial"),
                "-D" + ToyGears.FILE + "=" + folder.resolve("gear"),
                "-cp",
                classes,
                main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("CALANDO_STATE", folder.resolve("state").toString());
    builder.environment().put("CALANDO_RUN", folder.resolve("run").toString());
    return builder;
  }
}
