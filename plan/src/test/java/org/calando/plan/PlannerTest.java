package org.calando.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.calando.control.file.FolderLock;
import org.calando.core.BadRequestException;
import org.calando.core.observe.Promised;
import org.calando.report.RunRow;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole plans of small simulated clusters. */
class PlannerTest {
  private static final String SMALL =
      """
      study: small
      store:
        engine: sim
        sim:
          nodes: 6
          rf: 3
          gears: {nodes: [2, 4, 6], capacity: 200/s}
          clocks: {states: [{ghz: 2, volts: 1.1}, {ghz: 1, volts: 0.9}], idle-activity: 25%}
          write-lag: {mean: 5ms, variation: 1}
      workload: {mix: {read: 70%, update: 30%}, records: 500, fields: 1, warm-up: 1s}
      matrix: {rate: [{poisson: 100/s}], duration: 5s}
      repeats: 2
      promise: {stale: 20%, read-p99: 60ms, copies: 2}
      power:
        profile: {name: xeon, off: 8, idle: 75, busy: 150, cores: 4, boot-seconds: 1}
        price-per-kwh: 0.30 EUR
      """;

  private static final String NODES =
      "[{name: n1, address: 10.0.0.1, datacenter: east, rack: r1}, {name: n2, address: 10.0.0.2,"
          + " datacenter: east, rack: r2}, {name: n3, address: 10.0.0.3, datacenter: east, rack:"
          + " r3}]";

  @TempDir Path folder;

  private PlanFile file(String... overrides) throws IOException {
    return PlanFile.read(
        Files.writeString(folder.resolve("small.yaml"), SMALL), List.of(overrides));
  }

  private Plan plan(PlanFile file, String name, boolean resume) throws InterruptedException {
    return new Planner(file, 10)
        .run(
            new Planner.Request(
                folder.resolve(name), resume, "./calando plan small.yaml", OptionalInt.of(2)),
            Progress.silent(),
            new StopSignal());
  }

  @Test
  void theCheapestThatKeepsThePromiseIsFoundAndExplained() throws Exception {
    PlanFile file = file();
    Plan plan = plan(file, "out", false);
    Outcome best = plan.best().orElseThrow();

    assertThat(plan.outcomes()).allMatch(Outcome::isWhole);
    assertThat(plan.outcomes()).filteredOn(Outcome::keeps).first().isEqualTo(best);
    assertThat(best.joules().mean()).isLessThan(0.8 * plan.usual().joules().mean());
    assertThat(plan.usual().setting().words()).isEqualTo("QUORUM, gear 3, 2 GHz");
    assertThat(plan.outcomes())
        .extracting(one -> one.setting().words())
        .contains("joint")
        .noneMatch(words -> words.contains("gear 1"));
    assertThat(plan.bestHeld()).isPresent();
    assertThat(plan.bestPolicy()).isPresent();
    assertThat(plan.prices())
        .extracting(Plan.Price::part)
        .containsExactly(Promised.STALE, Promised.READ_P99, Promised.COPIES);
    assertThat(plan.prices())
        .allSatisfy(
            price ->
                assertThat(price.without().orElseThrow().joules().mean())
                    .isLessThanOrEqualTo(best.joules().mean()));
    assertThat(plan.prices())
        .extracting(Plan.Price::loosened)
        .allSatisfy(
            one ->
                assertThat(one.map(it -> Plan.ratio(it, best).high()).orElse(0.0)).isLessThan(1));
    assertThat(plan.front()).isNotEmpty();
    assertThat(plan.idle().unknown()).isZero();
    assertThat(plan.idle().cheapest())
        .extracting(IdleShares.AtShare::share)
        .containsExactly(0.2, 0.5, 0.9);

    Path out = folder.resolve("out");
    PlanFiles files = PlanFiles.write(plan, out);
    String text = files.text(StandardCharsets.UTF_8);
    assertThat(text.lines().filter(line -> !line.contains("/")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(79));
    assertThat(text)
        .contains("Cheapest: " + best.setting().words(), "EUR a year", "a model, nothing")
        .contains("at least what a part costs");
    assertThat(Files.readString(out.resolve("plan.html")))
        .contains("chart-front", "Content-Security");
    assertThat(Files.readAllLines(out.resolve("plan.csv"))).hasSize(1 + plan.outcomes().size());
    JsonNode json = files.json();
    assertThat(json.path("best").asText()).isEqualTo(best.setting().words());
    assertThat(json.path("settings")).hasSize(plan.outcomes().size());

    StudySpec confirm = StudyFile.read(out.resolve("confirm.yaml"), List.of());
    assertThat(confirm.name()).isEqualTo("small-confirm");
    assertThat(confirm.seed()).isEqualTo(43);
    assertThat(confirm.matrix().get(0).control()).hasSizeBetween(1, 2);

    assertThatThrownBy(() -> plan(file, "out", false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--resume");
    assertThat(PlanFiles.write(plan(file, "out", true), out).json()).isEqualTo(json);
  }

  /** What is worked out for another idle share is what a simulation with it draws. */
  @Test
  void wattsAtAnotherIdleShareFollowFromCoreTime() throws Exception {
    Plan plan = plan(file(), "half", false);
    Plan less = plan(file("power.profile.idle=60"), "less", false);
    int compared = 0;
    for (Outcome one : plan.outcomes()) {
      for (Outcome other : less.outcomes()) {
        if (one.setting().equals(other.setting()) && one.setting().isBlindToPower()) {
          double expected = other.watts().mean();
          assertThat(IdleShares.watts(plan.file(), one, 0.4).orElseThrow())
              .as(one.setting().words())
              .isCloseTo(expected, withPercentage(0.2));
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(5);
  }

  @Test
  void whatIsFarOffIsNotSimulatedAndSaidToBeLeftOut() throws Exception {
    PlanFile file = file("store.sim.clocks=", "promise.read-p99=10s");
    Candidates few = new Candidates(file, Offered.of(file));
    List<Setting> settings = few.settings(1);
    assertThat(settings.get(0)).isEqualTo(few.usual());
    assertThat(settings).filteredOn(one -> one.kind() == Setting.Kind.HELD).hasSizeBetween(1, 2);
    assertThat(few.skipped()).containsKey("would refuse writes");
    assertThat(few.skipped().values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(1);
    assertThat(new Planner(file, 10).seconds(2)).isPositive();
  }

  @Test
  void whatTheFileNamesIsComparedOnce() throws Exception {
    PlanFile file =
        file(
            "matrix.control=[{joint: {}}, {beside: [QUORUM, {gear: 3}]}, {beside: [{read: {harmony:"
                + " {tolerate: 5%}}, write: QUORUM}, {gear: 2}]}, {beside: [{read: ALL, write:"
                + " QUORUM}, {gear: 3}]}]");
    List<Setting> settings = new Candidates(file, Offered.of(file)).settings(10);
    assertThat(settings).filteredOn(Setting::isJoint).hasSize(1);
    assertThat(settings)
        .filteredOn(one -> one.words().contains("harmony"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.gear()).isEqualTo(2);
              assertThat(one.kind()).isEqualTo(Setting.Kind.READS);
            });
    assertThat(settings)
        .filteredOn(one -> one.words().contains("ALL"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.kind()).isEqualTo(Setting.Kind.HELD);
              assertThat(one.replicas()).isEqualTo(3);
            });
    assertThat(settings)
        .filteredOn(one -> one.control().equals("{beside: [QUORUM, {gear: 3}]}"))
        .hasSize(2); // at both clocks
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "promise= | promise: is missing",
        "matrix.rate= | matrix.rate: is missing",
        "matrix={threads: [4]} | closed loop",
        "matrix=[{rate: [10/s], duration: 1s}] | has parts",
        "matrix.rate=[10/s, 20/s] | 2 loads",
        "promise.survive=2 | 1 would be left if 2 fail",
        "promise.copies=4 | replication factor is 3",
        "promise.fresh=1s | promise.fresh",
        "store={engine: sim, sim: {nodes: 3, rf: 1}} & promise={read-p99: 1s} | nothing to choose",
        "store={engine: cassandra, local: {nodes: 3, racks: 3, rf: 3}} | calibrate",
      })
  void whatCannotBePlannedIsRefused(String override, String message) {
    assertThatThrownBy(() -> file(override.split(" & ")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  /** Neither what only real clusters are told nor a calibration beside the store is in the way. */
  @ParameterizedTest
  @ValueSource(strings = {"calibration", "store.sim.profile"})
  void aClusterOfAnInventoryIsPlannedByItsCalibration(String key) throws IOException {
    String profile =
        Path.of("..", "studyfile", "src", "test", "resources", "config", "profile.yaml")
            .toAbsolutePath()
            .normalize()
            .toString();
    PlanFile plan =
        file(
            "store={engine: cassandra, rf: {east: 3}, user: calando, password-env: SECRET, tls: {},"
                + " gears: {capacity: 50/s}, local-dc: east, inventory: {nodes: "
                + NODES
                + "}}",
            key + "=" + profile,
            "promise={stale: 20%, read-p99: 60ms}");
    assertThat(plan.isSimulated()).isFalse();
    assertThat(plan.held().cluster().replicas()).isEqualTo(3);
    Setting held = new Candidates(plan, Offered.of(plan)).usual();
    StudySpec confirm = plan.confirming(List.of(held), List.of());
    assertThat(confirm.store().engine()).isEqualTo("cassandra");
    assertThat(confirm.canonicalText()).doesNotContain("calibration:");
  }

  @Test
  void theLoadIsThatOfTheMeasuredWindow() throws IOException {
    PlanFile ramp =
        file(
            "matrix.rate=[{ramp: {from: 100/s, to: 200/s, over: 10s}}]",
            "workload.warm-up=100s",
            "matrix.duration=5s");
    assertThat(Offered.of(ramp).mean()).isCloseTo(200, withPercentage(0.1));
  }

  @Test
  void operationsThatARunCountsTakeNoLongerThanTheyTake() throws IOException {
    PlanFile timed = file("workload.warm-up=45s");
    PlanFile counted = file("matrix.duration=", "matrix.operations=500", "workload.warm-up=45s");
    assertThat(new Planner(counted, 10).seconds(1))
        .isCloseTo(new Planner(timed, 10).seconds(1), withPercentage(1));
  }

  @Test
  void settingsThatMayKeepThePromiseComeBeforeCheaperOnes() throws IOException {
    PlanFile file = file("promise.copies=3");
    List<Setting> few = new Candidates(file, Offered.of(file)).settings(2);
    assertThat(few)
        .filteredOn(one -> one.kind() == Setting.Kind.HELD)
        .hasSizeGreaterThan(1)
        .allMatch(one -> one.gear() == 3);
  }

  @Test
  void workOfNodesOfTheirOwnLeavesNothingOutAsTooDear() throws IOException {
    PlanFile file = file("promise.read-p99=10s", "store.sim.background={cores: 0.01, burst: 1ms}");
    Candidates all = new Candidates(file, Offered.of(file));
    all.settings(10);
    assertThat(all.skipped()).doesNotContainKey("dearer than what surely does");
  }

  @Test
  void aFolderOfAnotherPlanIsLeftAlone() throws Exception {
    Path other = Files.createDirectories(folder.resolve("other-plan"));
    Files.writeString(other.resolve("plan.yaml"), "study: other");
    PlanFile file = file();
    assertThatThrownBy(() -> plan(file, "other-plan", true))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("another file");
    assertThat(other.resolve("plan.yaml")).hasContent("study: other");
  }

  @ParameterizedTest
  @CsvSource({"promise.stale=, 0.01, none, STALE", "repeats=1, 0, read-p99, READ_P99"})
  void whatRunsSawIsBroken(String override, String stale, String broken, Promised part)
      throws IOException {
    PlanFile file = file(override);
    RunRow run =
        new RunRow(
            Map.of(
                "status",
                "ok",
                "stale_rate",
                stale,
                "read_p99_us",
                "10",
                "promise_broken",
                broken));
    Setting joint = new Setting("joint", "{joint: {}}", Setting.Kind.JOINT, 0, 0, 3);
    assertThat(Outcome.of(file, joint, Batch.configuration(joint, List.of(run))).verdicts())
        .containsEntry(part, Outcome.Verdict.BROKEN);
  }

  @Test
  void otherFoldersAreLeftAlone() throws Exception {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("mine.txt"), "mine");
    PlanFile file = file();
    assertThatThrownBy(() -> plan(file, "other", false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("holds no plan");
    try (var files = Files.list(other)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aFolderThatIsOnlyLockedIsEmpty() throws Exception {
    PlanFile file = file();
    FolderLock lock = FolderLock.forOutput(folder.resolve("locked"));
    try {
      assertThat(plan(file, "locked", false).best()).isPresent();
    } finally {
      lock.close();
    }
  }

  @Test
  void aPlanThatIsStoppedSimulatesNothingMore() throws Exception {
    StopSignal stop = new StopSignal();
    stop.request();
    Planner planner = new Planner(file(), 10);
    Planner.Request request =
        new Planner.Request(folder.resolve("stopped"), false, "", OptionalInt.of(1));
    assertThatThrownBy(() -> planner.run(request, Progress.silent(), stop))
        .isInstanceOf(StopSignal.StoppedException.class);
  }
}
