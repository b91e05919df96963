package org.calando.study;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.control.file.AtomicFiles;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole studies of simulated clusters. */
class SimulatedStudyTest {
  private static final String WORKLOAD =
      "workload: {preset: moderate, records: 200, operations: 400, warm-up: 200ms}\n";
  private static final String SMALL =
      """
      study: test
      store: {engine: sim, sim: {nodes: 5, racks: 2, rf: 3}}
      repeats: 2
      matrix:
        - {consistency: [ONE, {read: ONE, write: QUORUM}], threads: [4]}
        - {consistency: [QUORUM], rate: [{poisson: 300/s}], duration: 1500ms}
      """
          + WORKLOAD;

  @TempDir Path folder;

  private TestStudy study(String name, String yaml) {
    return TestStudy.at(folder, folder.resolve(name), yaml);
  }

  static StudyRunner.Result run(TestStudy study, int jobs, boolean resume)
      throws InterruptedException {
    StudyRunner.Request one = study.request(resume);
    StudyRunner.Request request =
        new StudyRunner.Request(
            one.study(),
            one.yaml(),
            one.base(),
            one.out(),
            resume,
            false,
            one.command(),
            OptionalInt.of(jobs));
    return new StudyRunner(request, Progress.silent(), new StopSignal()).run();
  }

  /** The table and all files of runs, by name. */
  static Map<String, String> bytes(TestStudy study) throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    bytes.put("results.csv", study.text("results.csv"));
    try (Stream<Path> files = Files.walk(study.out().resolve("runs"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        bytes.put(study.out().relativize(file).toString(), Files.readString(file));
      }
    }
    return bytes;
  }

  @Test
  void theSameSeedGivesTheSameBytesOnOneThreadAndOnTwo() throws Exception {
    TestStudy one = study("one", SMALL);
    TestStudy two = study("two", SMALL);
    assertThat(run(one, 1, false).failed()).isEmpty();
    assertThat(run(two, 2, false).failed()).isEmpty();

    Map<String, String> bytes = bytes(one);
    assertThat(bytes).hasSize(1 + 6 * 4).isEqualTo(bytes(two));
    assertThat(column(one, "run")).isEqualTo(one.plan());

    TestStudy other = study("other", SMALL + "seed: 43\n");
    run(other, 2, false);
    assertThat(bytes(other)).isNotEqualTo(bytes);
  }

  @Test
  void whatIsMissingIsMadeUpForWithTheSameBytes() throws Exception {
    TestStudy study = study("out", SMALL);
    run(study, 2, false);
    Map<String, String> whole = bytes(study);
    AtomicFiles.deleteTree(study.out().resolve("runs").resolve(study.plan().get(1)));
    Files.delete(study.out().resolve("results.csv"));

    assertThat(run(study, 2, true).runs()).isEqualTo(6);
    assertThat(bytes(study)).isEqualTo(whole);
    assertThatThrownBy(() -> run(study, 2, false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--resume");
  }

  @Test
  void hintsThatFoundNoRoomAreAColumnAndANote() throws Exception {
    for (boolean lost : List.of(true, false)) {
      TestStudy study =
          study(
              "lost-" + lost,
              """
              study: test
              store: {engine: sim, sim: {nodes: 3, rf: 3, max-hints: %d}}
              repeats: 1
              matrix: {consistency: [ONE], rate: [300/s], duration: 3s}
              workload: {preset: moderate, records: 200}
              events: [{at: 200ms, kill-node: n3}]
              """
                  .formatted(lost ? 5 : 5000));
      assertThat(run(study, 1, false).failed()).isEmpty();
      String id = study.plan().get(0);
      assertThat(study.row(id).path("lost_hints").asLong() > 0).isEqualTo(lost);
      assertThat(study.row(id).path("lost_hints").asText()).isNotEmpty();
      assertThat(study.summary(id).path("notes").toString().contains("room for 5 hints of a node"))
          .isEqualTo(lost);
    }
  }

  @Test
  void whatEndsAStudyEndsItsRunsToo() throws Exception {
    TestStudy study =
        study(
            "out",
            """
            study: test
            store: {engine: sim, sim: {nodes: 5, rf: 3}}
            repeats: 1
            matrix: {consistency: [ONE, QUORUM], rate: [{poisson: 5000/s}], duration: 10h}
            workload: {preset: moderate, records: 200, warm-up: 200ms}
            """);
    Thread self = Thread.currentThread();
    OutputStream told =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (toString(UTF_8).contains("runs simulated")) {
              self.interrupt();
            }
          }
        };
    Progress progress = new Progress(new PrintStream(told, true, UTF_8), true, 80);
    assertThatThrownBy(
            () -> new StudyRunner(study.request(false), progress, new StopSignal()).run())
        .isInstanceOf(InterruptedException.class);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("calando-sim-")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }

  @Test
  void aRunTellsWhatRealOnesTellAndThatItIsSimulated() throws Exception {
    TestStudy study = study("out", SMALL);
    study.run();
    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      assertThat(row.path("status").asText()).isEqualTo("ok");
      assertThat(row.path("engine").asText()).isEqualTo("sim");
      assertThat(row.path("nodes").asText()).isEqualTo("5");
      assertThat(row.path("meter").asText()).isEqualTo("simulated");
      assertThat(row.path("provenance").asText()).isEqualTo("simulated");
      assertThat(row.path("power_scope").asText()).isEqualTo("node");
      for (String figure :
          List.of("throughput_ops_s", "read_p99_us", "write_p99_us", "reads", "stale_rate")) {
        assertThat(row.path(figure).asText()).as(figure).isNotEmpty();
      }
      // Nothing of this machine's.
      for (String none : List.of("client_cpu_s", "sampling_cpu_s", "sampling_j", "message")) {
        assertThat(row.path(none).asText()).as(none).isEmpty();
      }
      assertThat(study.summary(run).path("started").asText()).isEqualTo("1970-01-01T00:00:00Z");
    }
    assertThat(column(study, "mean_replicas")).contains("1", "2");
    assertThat(study.environment().at("/power/provenance").asText()).isEqualTo("simulated");
    assertThat(study.environment().at("/power/baseline_s").asDouble()).isZero();
    assertThat(study.environment().path("engine").asText()).startsWith("simulator");
    assertThat(study.environment().path("nodes")).hasSize(5);
    assertThat(study.text("report.html")).contains("simulated");
  }

  @Test
  void energyIsIdleTimeAndBusyCoresAndTheRowsOfNodesAddUpToIt() throws Exception {
    TestStudy study = study("out", SMALL);
    study.run();
    NodeProfile profile = study.spec().power().profile();
    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      double net = row.path("energy_net_j").asDouble();
      double busy = row.path("cpu_s").asDouble();
      double seconds = row.path("duration_s").asDouble();
      double perBusySecond = (profile.busyWatts() - profile.idleWatts()) / profile.cores();
      assertThat(net).isPositive().isCloseTo(busy * perBusySecond, within(net * 1e-4));
      double gross = row.path("energy_j").asDouble();
      assertThat(gross).isCloseTo(net + 5 * profile.idleWatts() * seconds, within(gross * 1e-4));

      double joules = sum(study.text("runs/" + run + "/nodes.csv"), "energy_j");
      assertThat(joules).isCloseTo(gross, within(gross * 1e-4));
      double operations = sum(study.text("runs/" + run + "/ops.csv"), "operations");
      assertThat(operations).isEqualTo(row.path("operations").asDouble());
    }
  }

  @Test
  void runsOfANumberOfOperationsAreMeteredToTheEndOfTheLastAndNotOfItsSecondRead()
      throws Exception {
    // The second read takes a second more than the one that is measured.
    TestStudy study =
        study(
            "out",
            """
            study: test
            store: {engine: sim, sim: {nodes: 3, rf: 3, racks: 3, rack-latency: 1s, latency: 1ms,
              coordinators: token-aware, replicas: nearest, detection: 0s}}
            repeats: 1
            staleness: dual-read
            matrix: {consistency: [ONE], threads: [3]}
            workload: {mix: {read: 100%}, distribution: uniform, records: 20, operations: 8}
            """);
    study.run();
    String run = study.plan().get(0);
    JsonNode row = study.row(run);
    double seconds = row.path("duration_s").asDouble();
    double idle = row.path("energy_j").asDouble() - row.path("energy_net_j").asDouble();
    NodeProfile profile = study.spec().power().profile();
    // Three rounds, of which the first two have second reads inside the window.
    assertThat(seconds).isBetween(4.0, 4.1);
    assertThat(idle / (3 * profile.idleWatts())).isCloseTo(seconds, within(1e-3));
    double joules = sum(study.text("runs/" + run + "/nodes.csv"), "energy_j");
    assertThat(joules).isCloseTo(row.path("energy_j").asDouble(), within(joules * 1e-4));
    assertThat(study.text("runs/" + run + "/nodes.csv")).contains(",drain,");
  }

  /** The sum of a column over the measured window. */
  private static double sum(String csv, String column) {
    List<String> lines = csv.lines().toList();
    int at = Arrays.asList(lines.get(0).split(",", -1)).indexOf(column);
    return lines.stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .filter(cells -> cells[1].equals("measured"))
        .mapToDouble(cells -> Double.parseDouble(cells[at]))
        .sum();
  }

  private static List<String> column(TestStudy study, String column) {
    List<String> lines = study.text("results.csv").lines().toList();
    int at = Arrays.asList(lines.get(0).split(",", -1)).indexOf(column);
    return lines.stream().skip(1).map(line -> line.split(",", -1)[at]).toList();
  }

  @Test
  void eventsHappenInEveryRunAndOneThatFailsDoesNotStopTheOthers() throws Exception {
    TestStudy study =
        study(
            "out",
            """
            study: test
            store: {engine: sim, sim: {nodes: 3, detection: 0s, read-timeout: 100ms, write-timeout: 100ms}}
            repeats: 1
            workload: {preset: moderate, records: 50, duration: 2s, warm-up: 100ms}
            matrix: {consistency: [ALL, ONE], threads: [2]}
            events:
              - {at: 0s, kill-node: n3}
              - {at: 500ms, link-delay: 20ms}
            """);

    assertThat(study.run().failed()).containsExactly("all-2t-r1");
    assertThat(study.row("all-2t-r1").path("message").asText())
        .startsWith("every operation failed");
    assertThat(study.row("one-2t-r1").path("status").asText()).isEqualTo("ok");
    assertThat(study.text("runs/one-2t-r1/events.csv"))
        .isEqualTo("second,event\n0.000,node n3 killed\n0.500,link delay 0ms -> 20ms\n");
  }

  @Test
  void runsOfWhichMoreOperationsFailThanMayAreNotOk() throws Exception {
    String yaml =
        """
        study: test
        store: {engine: sim, sim: {nodes: 3, detection: 0s, read-timeout: 100ms, write-timeout: 100ms}}
        repeats: 1
        workload: {preset: moderate, records: 50, duration: 2s}
        matrix: {consistency: [{read: ALL, write: ONE}], rate: [{poisson: 300/s}]}
        events: [{at: 500ms, kill-node: n3}, {at: 1s, start-node: n3}]
        """;
    TestStudy told = study("told", yaml);
    told.runWell();
    assertThat(told.row(told.plan().get(0)).path("errors").asInt()).isGreaterThan(50);
    TestStudy bounded = study("bounded", yaml + "max-errors: 5%\n");
    assertThat(bounded.run().failed()).hasSize(1);
    assertThat(bounded.row(bounded.plan().get(0)).path("message").asText())
        .contains("of the operations failed, and 5.00 % may (max-errors)");
  }

  @Test
  void policiesDecideTheLevelOfReadsAndTellSo() throws Exception {
    String yaml =
        """
        study: test
        store: {engine: sim, sim: {nodes: 3, rf: 3, link-delay: 20ms}}
        repeats: 1
        workload: {preset: heavy-update, records: 20, duration: 12s, warm-up: 3s}
        monitor: {static-levels: true}
        matrix: {consistency: [ONE, {harmony-exact: {tolerate: 1%}}], rate: [{poisson: 300/s}]}
        """;
    TestStudy study = study("out", yaml);
    assertThat(run(study, 2, false).failed()).isEmpty();
    String adaptive = study.plan().stream().filter(run -> run.contains("exact")).findFirst().get();
    String fixed = study.plan().stream().filter(run -> !run.contains("exact")).findFirst().get();
    assertThat(study.row(fixed).path("stale_rate").asDouble()).isGreaterThan(0.02);
    assertThat(study.row(fixed).path("mean_replicas").asText()).isEqualTo("1");
    assertThat(study.row(fixed).path("exact_one").asDouble()).isGreaterThan(0.02);
    assertThat(study.row(adaptive).path("stale_rate").asDouble()).isLessThan(0.02);
    assertThat(study.row(adaptive).path("mean_replicas").asDouble()).isGreaterThan(1.1);
    assertThat(study.row(adaptive).path("decisions").asInt()).isBetween(11, 13);
    assertThat(study.row(adaptive).path("monitor_requests").asInt()).isPositive();
    assertThat(study.text("runs/" + adaptive + "/decisions.csv").lines().count()).isGreaterThan(12);

    TestStudy again = study("again", yaml);
    run(again, 1, false);
    assertThat(bytes(again)).isEqualTo(bytes(study));
  }

  @Test
  void layoutsOfTheMatrixHaveWarmAndCoolNodes() throws Exception {
    TestStudy study =
        study(
            "out",
            """
            study: test
            store: {engine: sim, sim: {nodes: 6, rf: 1}}
            repeats: 1
            matrix: {layout: [even, half], consistency: [ONE], threads: [12]}
            workload: {mix: {read: 100%}, distribution: uniform, records: 3000, operations: 3000}
            """);
    study.run();
    assertThat(column(study, "layout")).containsExactlyInAnyOrder("even", "half");
    // Warm nodes own 2/9 of the keys, and have that share of the replicas' work.
    double[] busy = busy(study, "half-one-12t-r1");
    double warm = busy[0] + busy[1] + busy[2];
    double cool = busy[3] + busy[4] + busy[5];
    double coordinating = 0.647 / (0.647 + 2.42) / 2; // shared by all, each half of the nodes
    double replicas = 1 - 2 * coordinating;
    assertThat(warm / (warm + cool)).isCloseTo(coordinating + replicas * 2 / 3, within(0.02));
    busy = busy(study, "even-one-12t-r1");
    assertThat((busy[0] + busy[1] + busy[2]) / Arrays.stream(busy).sum())
        .isCloseTo(0.5, within(0.02));
  }

  private static double[] busy(TestStudy study, String run) {
    JsonNode nodes = study.summary(run).at("/energy/nodes");
    double[] busy = new double[nodes.size()];
    for (int i = 0; i < busy.length; i++) {
      busy[i] = nodes.get(i).path("cpu_s").asDouble();
    }
    return busy;
  }

  @Test
  void aStopEndsItAndKeepsWhatIsFinished() throws Exception {
    StopSignal stop = new StopSignal();
    stop.request();
    TestStudy study = study("out", SMALL);
    assertThatThrownBy(() -> study.run(Progress.silent(), stop, false))
        .isInstanceOf(StopSignal.StoppedException.class);
    assertThat(study.out().resolve("results.csv")).doesNotExist();
    study.resume();
    assertThat(column(study, "status")).hasSize(6).containsOnly("ok");
  }

  @Test
  void jobsAreForSimulatedClustersOnly() {
    TestStudy real =
        study(
            "out",
            SMALL.replace(
                "engine: sim, sim: {nodes: 5, racks: 2", "engine: cassandra, local: {nodes: 3"));
    assertThatThrownBy(() -> run(real, 2, false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--jobs");
    assertThat(real.out()).doesNotExist();
  }

  @Test
  void theDoctorHasNothingToReach() {
    TestStudy study = study("out", SMALL);
    String said =
        new StudyDoctor(study.spec(), folder)
            .examine().stream()
                .map(finding -> finding.ok() + " " + finding.subject() + " " + finding.text())
                .collect(Collectors.joining("\n"));
    assertThat(said)
        .isEqualTo(
            "true file 6 runs\ntrue simulated cluster 5 nodes: nothing to be reached or started");
  }
}
