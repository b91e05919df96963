package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.calando.core.BadRequestException;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.engine.StoreSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tells a joint controller of a real cluster what operations cost. */
class JointCalibrationTest {
  private static final String STUDY =
      """
      study: joint
      store: {engine: cassandra, local: {nodes: 3, rf: 3}}
      workload: {preset: ycsb-a, records: 100, warm-up: 1s}
      matrix: {control: [{joint: {}}], rate: [100/s], duration: 4s}
      promise: {stale: 1%, read-p99: 100ms}
      """;

  private static final String CALIBRATED =
      STUDY
          + "calibration: "
          + TestStudy.MODULE.resolveSibling("studyfile/src/test/resources/config/profile.yaml")
          + "\n";

  @TempDir Path folder;

  private StoreSpec store(String yaml) {
    return TestStudy.of(folder, yaml).spec().store();
  }

  private void refused(String yaml, String message) {
    assertThatThrownBy(() -> store(yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void costsAreThoseOfTheProfileAlsoWhenDecisionsAreMadeAgain() {
    assertThat(store(STUDY).find(ModelledWork.class)).as("learnt while it runs").isEmpty();
    WorkCosts costs = store(CALIBRATED).find(ModelledWork.class).orElseThrow().costs();
    assertThat(costs.read()).isPositive();
    assertThat(costs.write()).isPositive();
    assertThat(costs).isNotEqualTo(WorkCosts.LI_2013);
    String canonical = TestStudy.of(folder, CALIBRATED).spec().canonicalText();
    assertThat(store(canonical).find(ModelledWork.class).orElseThrow().costs()).isEqualTo(costs);
  }

  @Test
  void whatDoesNotGoByAProfileIsRefused() {
    refused(
        CALIBRATED.replace("control: [{joint: {}}]", "consistency: [ONE]"),
        "calibration: only a joint controller goes by it");
    refused(
        CALIBRATED.replace(
            "engine: cassandra, local: {nodes: 3, rf: 3}", "engine: sim, sim: {nodes: 3, rf: 3}"),
        "calibration: is not supported by a simulated cluster");
    refused(
        CALIBRATED.replace(
            "engine: cassandra, local: {nodes: 3, rf: 3}", "engine: redis, local: {nodes: 3}"),
        "calibration: is of clusters whose replicas are alike");
    refused(STUDY.replace("{joint: {}}", "{joint: {write: ALL, read: ONE}}"), "joint.read");
  }
}
