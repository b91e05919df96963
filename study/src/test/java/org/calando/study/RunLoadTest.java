package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.load.Levels;
import org.calando.load.LoadSpec;
import org.calando.load.Loop;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;

class RunLoadTest {
  private static Levels levels() {
    return Levels.both(ConsistencyLevel.ONE);
  }

  @Test
  void aClosedLoopHasASlotAThreadAndTheLevelsThatItIsGiven() {
    RunLoad load =
        load(
            "{preset: heavy-update, operations: 500, warm-up: 20}",
            "{consistency: [{read: ONE, write: ALL}], threads: [7]}");
    LoadSpec spec = load.spec(null, RunLoadTest::levels);
    assertThat(load.slots()).isEqualTo(7);
    assertThat(spec.loop()).isEqualTo(new Loop.Closed(7));
    assertThat(spec.operations()).isEqualTo(500);
    assertThat(spec.durationNanos()).isZero();
    assertThat(spec.warmupOperations()).isEqualTo(20);
    assertThat(spec.levels().get()).isEqualTo(levels());
    assertThat(spec.dualRead()).isNull();
    assertThat(load.expectedOperations()).isEqualTo(520);
  }

  @Test
  void anOpenLoopArrivesAtItsRate() {
    RunLoad load =
        load(
            "{preset: heavy-update, warm-up: 2s}",
            "{consistency: [ONE], rate: [200/s], duration: 8s, max-in-flight: 33, clients: 5}");
    Loop.Open loop = (Loop.Open) load.spec(null, RunLoadTest::levels).loop();
    assertThat(load.slots()).isEqualTo(33);
    assertThat(loop.clients()).isEqualTo(5);
    assertThat(load.spec(null, RunLoadTest::levels).durationNanos()).isEqualTo(8_000_000_000L);
    assertThat(load.spec(null, RunLoadTest::levels).warmupNanos()).isEqualTo(2_000_000_000L);
    assertThat(load.expectedOperations()).isEqualTo(2000);
  }

  @Test
  void aRealEngineIsWarmedUntilItIsSteadyUnlessTheStudySaysOtherwise() {
    String closed = "{consistency: [ONE], threads: [2]}";
    RunLoad load = load("{preset: heavy-update, operations: 500}", closed);
    assertThat(load.warmsUntilSteady()).isTrue();
    assertThat(load.spec(null, RunLoadTest::levels).beginsWhenTold()).isTrue();
    for (String given : List.of("0", "20", "0s", "3s")) {
      RunLoad explicit =
          load("{preset: heavy-update, operations: 500, warm-up: " + given + "}", closed);
      assertThat(explicit.warmsUntilSteady()).as(given).isFalse();
      assertThat(explicit.spec(null, RunLoadTest::levels).beginsWhenTold()).as(given).isFalse();
    }
  }

  @Test
  void aRateThatChangesIsNotPutOffUntilItIsSteady() {
    String one = "{consistency: [ONE], duration: 8s, rate: [";
    assertThat(load("{preset: heavy-update}", one + "200/s]}").warmsUntilSteady()).isTrue();
    String steps = "{steps: [{rate: 100/s, for: 5s}, {rate: 400/s, for: 5s}]}";
    assertThat(load("{preset: heavy-update}", one + steps + "]}").warmsUntilSteady()).isFalse();
  }

  @Test
  void stepsAndRampsAreExpectedAtTheirPeak() {
    String steps = "{steps: [{rate: 100/s, for: 5s}, {rate: 400/s, for: 5s}]}";
    String ramp = "{ramp: {from: 300/s, to: 100/s, over: 5s}}";
    assertThat(open(steps).expectedOperations()).isEqualTo(4000);
    assertThat(open(ramp).expectedOperations()).isEqualTo(3000);
    assertThat(open(steps).spec(null, RunLoadTest::levels).loop()).isInstanceOf(Loop.Open.class);
    assertThat(open(ramp).spec(null, RunLoadTest::levels).loop()).isInstanceOf(Loop.Open.class);
  }

  @Test
  void theOracleHasPlacesForTheRecordsAndTheInsertsToCome() {
    assertThat(keys("{preset: ycsb-a, records: 500, warm-up: 0, operations: 1000}")).isEqualTo(500);
    assertThat(keys("{preset: ycsb-d, records: 500, warm-up: 0, operations: 100}"))
        .isEqualTo(500 + 1024);
    assertThat(keys("{preset: ycsb-d, records: 500, warm-up: 0, operations: 1000000}"))
        .isEqualTo(500 + 100_000);
  }

  @Test
  void aRunOfDaysTakesNoMoreMemoryThanThereIs() {
    long inserts = 1L << 24;
    assertThat(keys("{preset: ycsb-d, records: 500, duration: 168h}"))
        .isLessThanOrEqualTo(500 + inserts);
    assertThat(keys("{preset: ycsb-d, records: 500, warm-up: 0, operations: 1000000000000}"))
        .isEqualTo(500 + inserts);
    RunLoad load =
        load(
            "{preset: ycsb-a, records: 1000000000000, operations: 10}",
            "{consistency: [ONE], threads: [1]}");
    // 16 bytes for each of them would be 16 TB.
    assertThat(load.newOracle().snapshot().reads()).isZero();
  }

  private static long keys(String workload) {
    return load(workload, "{consistency: [ONE], threads: [1]}").expectedKeys();
  }

  private static RunLoad open(String rate) {
    return load(
        "{preset: heavy-update, duration: 10s}", "{consistency: [ONE], rate: [" + rate + "]}");
  }

  private static RunLoad load(String workload, String matrix) {
    String yaml =
        """
        study: load
        store: {engine: cassandra, local: {nodes: 3}}
        workload: %s
        matrix: %s
        """
            .formatted(workload, matrix);
    StudySpec study = StudyFile.parse(yaml, "study.yaml", Path.of(""), List.of());
    return new RunLoad(RunPlan.of(study).get(0));
  }
}
