package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.engine.GearedNodes;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of gears on a simulated cluster. */
class SimulatedGearsTest {
  private static final String STORE =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 7
          rf: 2
          gears: {nodes: [3, 7], capacity: 100/s}
          service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, read: 2ms, write: 1ms}
      workload: {name: half, mix: {read: 50%, update: 50%}, records: 100, fields: 1, field-size: 1KB, warm-up: 2s}
      power: {profile: {name: core, off: 5, idle: 50, busy: 100, cores: 1, boot-seconds: 1, boot-watts: 70}}
      monitor: {period: 500ms}
      repeats: 1
      """;
  private static final String FIXED =
      "matrix: {consistency: [ONE], gear: [1, 2], rate: [100/s], duration: 10s}\n";
  private static final String DAYS =
      "matrix: {consistency: [ONE], gear: [2, {load: {residency: 2s}},"
          + " {forecast: {residency: 2s, head-room: 10%}},"
          + " {schedule: [{at: \"07:00\", gear: 2}, {at: \"20:00\", gear: 1}]}],"
          + " rate: [{days: {peak: 450/s, number: 3, compress: 1440}}], duration: 178s}\n";

  @TempDir Path folder;

  private TestStudy study(String name, String yaml) {
    return TestStudy.at(folder, folder.resolve(name), yaml);
  }

  @Test
  void nodesThatAreOffSaveTheirPowerAndEverythingIsStillRead() throws Exception {
    TestStudy study = study("fixed", STORE + FIXED);
    assertThat(SimulatedStudyTest.run(study, 2, false).failed()).isEmpty();
    JsonNode low = row(study, "gear-1");
    JsonNode high = row(study, "gear-2");
    assertThat(low.path("gear").asText()).isEqualTo("1");
    assertThat(number(low, "errors")).isZero();
    assertThat(number(low, "operations")).isEqualTo(number(high, "operations"));
    // Four of seven nodes draw 5 W and not 50 W; those that are left have their work to do.
    assertThat(number(high, "energy_j") - number(low, "energy_j"))
        .isCloseTo(10 * 4 * 45.0, within(50.0));
    assertThat(number(low, "moved_bytes")).isZero();
    assertThat(number(low, "gear_shifts")).isZero();
    assertThat(number(high, "gear_shifts")).isZero();
  }

  @Test
  void policiesFollowCompressedDays() throws Exception {
    TestStudy study = study("days", STORE + DAYS);
    assertThat(SimulatedStudyTest.run(study, 2, false).failed()).isEmpty();
    JsonNode allOn = row(study, "gear-2");
    for (String policy : List.of("gear-load", "gear-forecast", "gear-schedule")) {
      JsonNode row = row(study, policy);
      assertThat(number(row, "gear_shifts")).as(policy).isGreaterThanOrEqualTo(2);
      assertThat(number(row, "energy_j")).as(policy).isLessThan(0.97 * number(allOn, "energy_j"));
      // Each shift up boots four nodes for a second at 70 W.
      assertThat(number(row, "shift_energy_j") % 280).as(policy).isCloseTo(0, within(1e-6));
      assertThat(number(row, "moved_bytes")).as(policy).isGreaterThan(100_000);
      assertThat(number(row, "errors")).as(policy).isZero();
    }
    TestStudy again = study("again", STORE + DAYS);
    SimulatedStudyTest.run(again, 1, false);
    assertThat(SimulatedStudyTest.bytes(again)).isEqualTo(SimulatedStudyTest.bytes(study));
  }

  /** Writes at ONE need reads at ALL to be safe, which no low gear could answer. */
  @Test
  void levelsKeepToWhatIsOnAndToTheirPromise() throws Exception {
    String three =
        STORE
            .replace("nodes: 7", "nodes: 6\n    write-lag: {mean: 100ms, variation: 1}")
            .replace("rf: 2", "rf: 3")
            .replace("[3, 7]", "[2, 4, 6]")
            .replace("records: 100", "records: 10")
            .replace("mix: {read: 50%, update: 50%}", "mix: {read: 80%, update: 20%}");
    String levels =
        "matrix: {consistency: [ONE, {pbs: {tolerate: 5%}}], gear:"
            + " [2, {schedule: [{at: \"07:00\", gear: 3}, {at: \"20:00\", gear: 2}]}],"
            + " rate: [{days: {peak: 300/s, number: 2, compress: 720}}], duration: 238s}\n";
    TestStudy study = study("levels", three + levels);
    assertThat(SimulatedStudyTest.run(study, 2, false).failed()).isEmpty();
    for (String run : study.plan()) {
      JsonNode row = study.summary(run).path("row");
      assertThat(number(row, "errors")).as(run).isZero();
      boolean promised = run.contains("pbs");
      // One point above, as verdicts on a promise allow: policies spend all of it.
      assertThat(number(row, "stale_rate") > 0.06).as(run).isEqualTo(!promised);
    }
    assertThat(number(study.summary(study.plan().get(3)).path("row"), "gear_shifts")).isEqualTo(4);
  }

  /** Of the file of a real Cassandra only the engine's name changes. */
  @Test
  void theRacksOfALocalCassandraAreShiftedAlike() throws Exception {
    String racks =
        """
        study: racks
        store:
          engine: sim
          local: {nodes: 6, racks: 3, rf: 3}
          gears: {capacity: 100/s}
          sim: {service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, read: 2ms, write: 1ms}}
        workload: {name: half, mix: {read: 50%, update: 50%}, records: 100, fields: 1, field-size: 1KB, warm-up: 2s}
        power: {profile: {name: core, off: 5, idle: 50, busy: 100, cores: 1, boot-seconds: 0, boot-watts: 50}}
        monitor: {period: 1s}
        matrix:
          consistency: [QUORUM]
          gear: [1, 2, {load: {residency: 5s}}]
          rate: [{steps: [{rate: 50/s, for: 60s}, {rate: 400/s, for: 60s}]}]
          duration: 118s
        repeats: 1
        """;
    TestStudy study = study("racks", racks);
    assertThat(SimulatedStudyTest.run(study, 2, false).failed()).isEmpty();
    JsonNode low = row(study, "gear-1");
    JsonNode high = row(study, "gear-2");
    JsonNode load = row(study, "gear-load");
    // The two nodes of one rack draw 5 W and not 50 W.
    assertThat(number(high, "energy_j") - number(low, "energy_j"))
        .isCloseTo(118 * 2 * 45.0, within(600.0));
    assertThat(number(load, "gear_shifts")).isEqualTo(2);
    assertThat(number(load, "errors")).isZero();
    assertThat(number(load, "stale_rate")).isZero();
    // Both nodes start for 20 s or so at 50 W and the power of their work.
    assertThat(number(load, "shift_energy_j")).isBetween(2000.0, 5000.0);
    assertThat(number(load, "moved_bytes")).isPositive();
    // Cheaper where a shift costs nothing but the switching.
    TestStudy free =
        study(
            "free",
            racks.replace(
                "sim: {",
                "sim: {shift: {cold: 0, start: 0ms, start-cpu: 0ms, prove: 0ms, notice: 0ms, stop:"
                    + " 1s, stop-cpu: 0ms, hint-send: 0ms, hint-write: 0ms}, "));
    assertThat(SimulatedStudyTest.run(free, 2, false).failed()).isEmpty();
    assertThat(number(row(free, "gear-load"), "cpu_s")).isLessThan(number(load, "cpu_s") - 5);
    assertThat(number(row(free, "gear-2"), "cpu_s")).isEqualTo(number(high, "cpu_s"));
    // Fixed gears need nobody to say what a node serves, as on the real cluster.
    String fixed = racks.replace("[1, 2, {load: {residency: 5s}}]", "[1, 2]");
    TestStudy untold = study("untold", fixed.replace("  gears: {capacity: 100/s}\n", ""));
    assertThat(SimulatedStudyTest.run(untold, 2, false).failed()).isEmpty();
    for (String column : List.of("operations", "energy_j", "cpu_s", "read_p99_us")) {
      assertThat(row(untold, "gear-1").path(column)).isEqualTo(low.path(column));
      assertThat(row(untold, "gear-2").path(column)).isEqualTo(high.path(column));
    }
    assertRefused(
        fixed.replace("  gears: {capacity: 100/s}\n", "").replace("[QUORUM]", "[ALL]"),
        "gear 1 has 2 of the 3 replicas");
    assertRefused(racks.replace("[QUORUM]", "[ALL]"), "gear 1 has 2 of the 3 replicas");
    assertRefused(racks.replace("  gears: {capacity: 100/s}\n", ""), "store.gears");
    assertRefused(racks.replace("[1, 2, ", "[1, 3, "), "there is no gear 3");
    assertRefused(
        racks.replace("sim: {", "sim: {gears: {nodes: [2, 4, 6], capacity: 100/s}, "),
        "given beside store.sim.gears");
    assertRefused(
        racks.replace("rf: 3", "rf: 2"), "a copy of each row in each rack, and there are 3 racks");
    String real = racks.replace("engine: sim", "engine: cassandra").replaceAll("  sim: .*\n", "");
    TestStudy onReal = study("real", real);
    assertThat(onReal.spec().matrix()).isEqualTo(study.spec().matrix());
    assertThat(offSeconds(study)).isEqualTo(offSeconds(onReal));
  }

  @Test
  void gearsThatCannotBeAreRefused() {
    assertRefused(STORE.replace("rf: 2", "rf: 3") + FIXED, "write rf: 2");
    assertRefused(STORE.replace("nodes: 7", "nodes: 8") + FIXED, "the last gear has 7 nodes");
    assertRefused(STORE.replace("rf: 2", "rf: 2\n    racks: 2") + FIXED, "given beside gears");
    assertRefused(STORE + FIXED.replace("[1, 2]", "[3]"), "there is no gear 3");
    assertRefused(STORE + FIXED.replace("[ONE]", "[QUORUM]"), "gear 1 has 1 of the 2 replicas");
    assertRefused(
        STORE
            + DAYS.replace(
                "rate: [{days: {peak: 450/s, number: 3, compress: 1440}}]", "threads: [1]"),
        "a closed loop asks for no more");
    assertRefused(
        STORE.replace("    gears: {nodes: [3, 7], capacity: 100/s}\n", "") + FIXED,
        "is supported only by a simulated cluster with gears");
    assertRefused(
        STORE + FIXED.replace("[1, 2]", "[{schedule: [{at: 25:00, gear: 1}]}]"), "mon-fri 07:00");
  }

  @Test
  void whatAFileSaysIsWrittenAndReadAlike() {
    TestStudy study = study("said", STORE + DAYS);
    List<GearChoice> gears = study.spec().matrix().get(0).of(GearSchema.AXIS);
    assertThat(gears.stream().map(GearChoice::label))
        .containsExactly(
            "2",
            "load(20%, residency 2s)",
            "forecast(10%, residency 2s)",
            "schedule(07:00 2, 20:00 1)");
    TestStudy again = study("canonical", study.spec().canonicalText());
    assertThat(again.spec().canonicalText()).isEqualTo(study.spec().canonicalText());
    assertThat(again.spec().matrix()).isEqualTo(study.spec().matrix());
  }

  @Test
  void aRecordedLoadIsReadFromItsFileAndKeptWhole() throws Exception {
    Files.writeString(folder.resolve("day.csv"), "seconds,ops_per_s\n0,50\n3600,200.5\n");
    String yaml =
        STORE
            + "matrix: {consistency: [ONE], gear: [2], duration: 4s,"
            + " rate: [{trace: {load: day.csv, compress: 1200}}]}\n";
    TestStudy study = study("trace", yaml);
    assertThat(SimulatedStudyTest.run(study, 1, false).failed()).isEmpty();
    // 2 s of warm-up and 1 s at 50/s, then 200.5/s.
    assertThat(number(row(study, "one"), "operations")).isCloseTo(50 + 3 * 200.5, within(2.0));
    Files.delete(folder.resolve("day.csv"));
    TestStudy again = study("kept", study.spec().canonicalText());
    assertThat(again.spec().matrix()).isEqualTo(study.spec().matrix());
    Files.writeString(folder.resolve("day.csv"), "seconds,ops_per_s\n0,50\nx,200.5\n");
    assertRefused(yaml, "day.csv, line 3");
  }

  private static double offSeconds(TestStudy study) {
    return GearedNodes.model(study.spec().store(), study.spec().power().profile(), Optional.empty())
        .orElseThrow()
        .offSeconds();
  }

  private void assertRefused(String yaml, String words) {
    assertThatThrownBy(() -> study("refused", yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }

  private static JsonNode row(TestStudy study, String id) throws Exception {
    String run =
        study.plan().stream().filter(each -> each.startsWith(id)).findFirst().orElseThrow();
    return study.summary(run).path("row");
  }

  private static double number(JsonNode row, String column) {
    return Double.parseDouble(row.path(column).asText());
  }
}
