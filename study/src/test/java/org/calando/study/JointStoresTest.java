package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a joint controller decides on by the store of a study, and what of a promise it keeps. */
class JointStoresTest {
  private static final String WORK = "workload: {preset: ycsb-b, operations: 100}\n";
  private static final String REDIS =
      "study: test\nstore: {engine: redis, local: {nodes: 3}}\n" + WORK;
  private static final String HBASE =
      "study: test\nstore: {engine: hbase, local: {nodes: 3}, gears: {capacity: 100/s}}\n" + WORK;
  private static final String JOINT = "matrix: {control: [{joint: {write: ONE}}], rate: [100/s]}\n";
  private static final String CLOCKS = "clocks: {cpus: {n1: 0, n2: 1, n3: 2}%s}\n";

  @TempDir Path folder;

  private Controller<?> controller(String yaml) {
    TestStudy study = TestStudy.of(folder, yaml);
    return RunControllers.of(study.spec(), RunPlan.of(study.spec()).get(0)).get(0);
  }

  private void refused(String yaml, String message) {
    assertThatThrownBy(() -> TestStudy.of(folder, yaml).spec())
        .as(message)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void onRedisReadsAreDecidedOnAndTheClocksThatAreDeclared() {
    String promise = "promise: {stale: 1%, fresh: 500ms, read-p99: 50ms}\n";
    assertThat(controller(REDIS + JOINT + promise).sets())
        .isEqualTo(java.util.Set.of(KnobId.READ_LEVEL));
    assertThat(
            controller(REDIS + JOINT + promise + CLOCKS.formatted(", states: xeon-silver-4114"))
                .sets())
        .contains(KnobId.READ_LEVEL, KnobId.CLOCK);
  }

  @Test
  void onHBaseServersAndBuffersAreDecidedOn() {
    assertThat(controller(HBASE + JOINT + "promise: {fresh: 1s, read-p99: 50ms}\n").sets())
        .contains(KnobId.GEAR, KnobId.WRITE_BUFFER);
    assertThat(controller(HBASE + JOINT + "promise: {read-p99: 50ms}\n").sets())
        .as("without a promise writes are strong")
        .contains(KnobId.GEAR)
        .doesNotContain(KnobId.WRITE_BUFFER);
  }

  @Test
  void whatNothingOfTheStoreKeepsIsRefused() {
    refused(
        REDIS + JOINT + "promise: {copies: 2}\n",
        "promise.copies: matrix.control[0].joint switches no node of Redis");
    refused(REDIS + JOINT + "promise: {survive: 1, stale: 1%}\n", "promise.survive");
    refused(
        REDIS.replace("nodes: 3", "nodes: 1") + JOINT + "promise: {stale: 1%}\n",
        "has nothing to decide on without a replica");
    refused(
        REDIS + JOINT + "promise: {stale: 1%}\n" + CLOCKS.formatted(""),
        "clocks: matrix.control[0].joint has to know the clocks");
    refused(
        REDIS + "matrix: {consistency: [ONE], rate: [100/s]}\npromise: {fresh: 500ms}\n",
        "promise.fresh: only a joint controller keeps to it");
    refused(
        REDIS + JOINT.replace("rate:", "read-from: [master], rate:") + "promise: {stale: 1%}\n",
        "sets read-from, as the key read-from of the matrix does");
    refused(HBASE + JOINT + "promise: {stale: 1%}\n", "promise.stale: reads of HBase see all");
    refused(HBASE + JOINT + "promise: {copies: 2}\n", "promise.copies: nothing tells");
    refused(
        HBASE + JOINT.replace("{write: ONE}", "{}") + "promise: {fresh: 1s}\n",
        "joint.write: each row is on one server");
  }

  @Test
  void aDryRunIsOfARealCluster() {
    assertThat(
            TestStudy.of(
                    folder,
                    REDIS + JOINT.replace("ONE", "ONE, dry-run: true") + "promise: {stale: 1%}\n")
                .spec()
                .canonicalText())
        .contains("dry-run: true");
    refused(
        REDIS.replace("engine: redis, local", "engine: sim, sim")
            + JOINT.replace("ONE", "ONE, dry-run: true")
            + "promise: {stale: 1%}\n",
        "dry-run: is of a real cluster");
  }
}
