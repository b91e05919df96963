package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.calando.control.DecisionRow;
import org.calando.core.policy.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies of several knobs in one run, on the simulator. */
class PoliciesBesideTest {
  private static final String STORE =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 6
          rf: 3
          %s
          service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, read: 1ms, write: 1ms}
      workload: {name: most, mix: {read: 80%%, update: 20%%}, records: 100, warm-up: 2s}
      monitor: {period: 500ms}
      power: {profile: {name: fast, off: 8, idle: 75, busy: 150, cores: 4, boot-seconds: 0.1, boot-watts: 110}}
      repeats: 1
      """;
  private static final String GEARS = "gears: {nodes: [2, 4, 6], capacity: 100/s}";
  private static final String LEVELS = "{pbs: {tolerate: 5%}}";

  /** Two of three groups of nodes are on in the second half. */
  private static final String SHIFTS =
      "{schedule: [{at: \"0:00\", gear: 3}, {at: \"6:00\", gear: 2}]}";

  /** Half a day in 40 s. */
  private static final String LOAD =
      "rate: [{days: {peak: 150/s, number: 1, compress: 1080}}], duration: 38s";

  @TempDir Path folder;

  private TestStudy run(String name, String store, String rest) throws Exception {
    TestStudy study = TestStudy.at(folder, folder.resolve(name), STORE.formatted(store) + rest);
    study.runWell();
    return study;
  }

  private static String matrix(String knobs) {
    return "matrix: {" + knobs + ", " + LOAD + "}\n";
  }

  private static Stream<DecisionRow> decided(TestStudy study, String knob) {
    return study.decisions(study.plan().get(0)).rows().stream()
        .filter(row -> row.knobs().equals(knob) && row.cell("phase").equals("measured"));
  }

  @Test
  void aRunIsThatOfTheKnobsOwnKeys() throws Exception {
    TestStudy beside =
        run("beside", GEARS, matrix("control: [{beside: [" + LEVELS + ", " + SHIFTS + "]}]"));
    TestStudy keys =
        run("keys", GEARS, matrix("consistency: [" + LEVELS + "], gear: [" + SHIFTS + "]"));
    assertThat(beside.text("results.csv")).isEqualTo(keys.text("results.csv"));
    String decisions = "runs/" + keys.plan().get(0) + "/decisions.csv";
    assertThat(beside.text(decisions)).isEqualTo(keys.text(decisions));
    assertThat(DecisionReplay.of(beside.out()))
        .hasSize(2)
        .allMatch(each -> each.decisions() > 60 && each.differences().isEmpty());
  }

  @Test
  void aNodeThatIsOffByOrderIsNoneThatFailed() throws Exception {
    TestStudy shifted =
        run("shifted", GEARS, matrix("control: [{beside: [" + LEVELS + ", " + SHIFTS + "]}]"));
    TestStudy allOn = run("all-on", "racks: 3", matrix("consistency: [" + LEVELS + "]"));
    List<DecisionRow> low = decided(shifted, "read-level").filter(row -> off(row) == 1).toList();
    assertThat(low).hasSizeGreaterThan(10);
    assertThat(low).noneMatch(row -> row.cell("reasons").contains("away"));
    List<Integer> seconds = low.stream().map(PoliciesBesideTest::second).toList();
    double most =
        decided(allOn, "read-level")
            .filter(row -> seconds.contains(second(row)))
            .mapToDouble(row -> Double.parseDouble(row.cell("mean_replicas")))
            .max()
            .orElseThrow();
    assertThat(low).allMatch(row -> Double.parseDouble(row.cell("mean_replicas")) <= most);
  }

  @Test
  void aNodeThatFailsDoesCount() throws Exception {
    TestStudy crashed =
        run(
            "crashed",
            "racks: 3",
            matrix("consistency: [" + LEVELS + "]") + "events: [{at: 15s, kill-node: n1}]\n");
    double before = most(crashed, 5, 14);
    double after = most(crashed, 20, 37);
    assertThat(after).isGreaterThan(before);
    assertThat(decided(crashed, "read-level").filter(row -> second(row) > 20))
        .allMatch(row -> row.cell("reasons").contains("1 replica of 3 away or back lately"));
  }

  private static double most(TestStudy study, int from, int to) {
    return decided(study, "read-level")
        .filter(row -> second(row) >= from && second(row) <= to)
        .mapToDouble(row -> Double.parseDouble(row.cell("mean_replicas")))
        .max()
        .orElseThrow();
  }

  private static int second(DecisionRow row) {
    return (int) Double.parseDouble(row.cell("second"));
  }

  private static int off(DecisionRow row) {
    return row.signals().get(Observation.READS).offReplicas();
  }
}
