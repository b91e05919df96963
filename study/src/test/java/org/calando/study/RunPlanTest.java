package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.knob.Axis;
import org.calando.knob.ManagedClocksSchema;
import org.calando.studyfile.Axes;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;

class RunPlanTest {
  private static final String PARTS =
      """
      study: plan
      store: {engine: cassandra, local: {nodes: 3}}
      workload: {preset: heavy-update}
      matrix:
        - {consistency: [ONE, QUORUM, {read: ONE, write: ALL}], threads: [1, 4], operations: 100}
        - {consistency: [ONE], rate: [{poisson: 400/s}, 400/s], duration: 7s, clients: 3}
      repeats: 4
      """;

  private static final String LAYOUTS =
      """
      study: plan
      store: {engine: cassandra, local: {nodes: 4}}
      workload: {preset: heavy-update, operations: 10}
      matrix:
        layout: [even, half, third, 1/4]
        consistency: [ONE, QUORUM]
        threads: [1]
      repeats: 8
      """;

  private static String load(RunConfig run) {
    return run.point().say(Axes.THREADS, Axis::words) + run.point().say(Axes.RATE, Axis::words);
  }

  @Test
  void everyBlockHoldsEveryConfigurationOnce() {
    List<RunConfig> plan = plan(PARTS);
    assertThat(plan).hasSize(4 * 8);
    for (int block = 0; block < 4; block++) {
      int repeat = block + 1;
      List<RunConfig> runs = plan.subList(block * 8, block * 8 + 8);
      assertThat(runs).allMatch(run -> run.repeat() == repeat);
      assertThat(runs.stream().map(run -> TestStudy.label(run, "consistency") + " " + load(run)))
          .containsExactlyInAnyOrder(
              "ONE 1 thread",
              "ONE 4 threads",
              "QUORUM 1 thread",
              "QUORUM 4 threads",
              "ONE/ALL 1 thread",
              "ONE/ALL 4 threads",
              "ONE poisson 400/s",
              "ONE 400/s");
      // Compared on the same sequence of operations.
      assertThat(runs.stream().map(RunConfig::seed).distinct()).hasSize(1);
    }
    assertThat(plan.stream().map(RunConfig::seed).distinct()).hasSize(4);
  }

  @Test
  void theSeedDecidesTheOrderAndBlocksDiffer() {
    List<String> ids = ids(plan(PARTS));
    assertThat(ids(plan(PARTS))).isEqualTo(ids);
    assertThat(ids(plan(PARTS + "seed: 43\n")))
        .isNotEqualTo(ids)
        .containsExactlyInAnyOrderElementsOf(ids);
    List<List<String>> blocks =
        List.of(0, 1, 2, 3).stream()
            .map(block -> ids.subList(block * 8, block * 8 + 8))
            .map(block -> block.stream().map(id -> id.replaceAll("-r\\d+$", "")).toList())
            .toList();
    assertThat(blocks.stream().distinct().count()).isGreaterThan(1);
  }

  @Test
  void moreRepeatsLeaveTheEarlierBlocksAsTheyAre() {
    List<RunConfig> five = plan(PARTS.replace("repeats: 4", "repeats: 5"));
    assertThat(five.subList(0, 32)).isEqualTo(plan(PARTS));
  }

  @Test
  void eachPartKeepsItsOwnLengthAndLoop() {
    for (RunConfig run : plan(PARTS)) {
      boolean closed = run.threads().isPresent();
      assertThat(run.rate().isPresent()).isEqualTo(!closed);
      assertThat(run.operations()).isEqualTo(closed ? 100 : 0);
      assertThat(run.durationNanos()).isEqualTo(closed ? 0 : 7_000_000_000L);
      assertThat(run.clients()).isEqualTo(closed ? 0 : 3);
    }
  }

  @Test
  void idsAreUniqueFolderNamesThatAPersonCanRead() {
    List<String> ids = ids(plan(PARTS));
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[a-z0-9][a-z0-9.-]*"));
    assertThat(ids)
        .contains(
            "quorum-4t-r1", "one-all-1t-r2", "one-400ps-r3", "one-poisson-400ps-r4", "one-1t-r1");
  }

  @Test
  void everyBlockHoldsEveryWorkloadAndIdsAndWordsTellThem() {
    List<RunConfig> plan =
        plan(
            """
            study: plan
            store: {engine: cassandra, local: {nodes: 3}}
            workload: {records: 10, operations: 100, warm-up: 5}
            matrix:
              workload: [heavy-read, moderate, {preset: ycsb-a, name: Half, records: 20}]
              consistency: [ONE, ALL]
              threads: [1, 4]
            repeats: 2
            """);
    assertThat(plan).hasSize(24);
    for (List<RunConfig> block : List.of(plan.subList(0, 12), plan.subList(12, 24))) {
      assertThat(block.stream().map(run -> run.words().replaceAll(", repeat .*", "")))
          .doesNotHaveDuplicates()
          .contains(
              "heavy-read, ONE, 1 thread", "moderate, ALL, 4 threads", "Half, ONE, 4 threads");
    }
    assertThat(ids(plan))
        .doesNotHaveDuplicates()
        .contains("heavy-read-one-1t-r1", "half-all-4t-r2");
    assertThat(plan).allMatch(run -> run.operations() == 100);
    assertThat(plan).allMatch(run -> run.workload().warmUp().operations() == 5);
    assertThat(plan.stream().filter(run -> run.id().startsWith("half")).findFirst())
        .hasValueSatisfying(run -> assertThat(new RunLoad(run).expectedKeys()).isEqualTo(20));
  }

  @Test
  void aSingleWorkloadIsNotInIdsWhereverItIsWritten() {
    String study =
        """
        study: plan
        store: {engine: cassandra, local: {nodes: 3}}
        workload: {%s operations: 100}
        matrix: {%s consistency: [ONE], threads: [1]}
        repeats: 1
        """;
    RunConfig common = plan(study.formatted("preset: moderate,", "")).get(0);
    RunConfig own = plan(study.formatted("", "workload: [moderate],")).get(0);
    assertThat(own).isEqualTo(common);
    assertThat(own.id()).isEqualTo("one-1t-r1");
    assertThat(own.words()).isEqualTo("ONE, 1 thread, repeat 1");
  }

  @Test
  void everyBlockHoldsEveryPolicyOfClocksAndASingleOneIsNotInIds() {
    String study =
        """
        study: plan
        store: {engine: redis, local: {nodes: 2}}
        workload: {preset: moderate, operations: 100}
        matrix: {consistency: [ONE], threads: [1, 4], clock: [%s]}
        clocks: {cpus: {n1: 0, n2: 1}}
        repeats: 2
        """;
    List<RunConfig> plan = plan(study.formatted("all-high, concerto"));
    assertThat(ids(plan.subList(0, 4)))
        .containsExactlyInAnyOrder(
            "all-high-one-1t-r1", "all-high-one-4t-r1", "concerto-one-1t-r1", "concerto-one-4t-r1");
    assertThat(plan.subList(4, 8)).allMatch(run -> run.repeat() == 2);
    assertThat(plan.stream().map(RunConfig::words)).contains("concerto, ONE, 4 threads, repeat 1");
    RunConfig alone = plan(study.formatted("concerto")).get(0);
    assertThat(alone.point().find(ManagedClocksSchema.AXIS)).contains("concerto");
    assertThat(alone.id()).matches("one-[14]t-r1");
    assertThat(alone.words()).matches("ONE, . threads?, repeat 1");
  }

  @Test
  void theRunsOfALayoutFollowEachOtherInEveryBlock() {
    List<RunConfig> plan = plan(LAYOUTS);
    assertThat(plan).hasSize(8 * 2 * 4);
    assertThat(ids(plan))
        .doesNotHaveDuplicates()
        .contains("even-one-1t-r1", "half-quorum-1t-r2", "third-one-1t-r1", "1-4-one-1t-r8");
    List<List<RunConfig>> stretches = RunPlan.stretches(plan);
    assertThat(stretches).hasSize(8 * 4);
    for (int block = 0; block < 8; block++) {
      List<List<RunConfig>> ofBlock = stretches.subList(block * 4, block * 4 + 4);
      int repeat = block + 1;
      assertThat(ofBlock)
          .allSatisfy(
              runs -> {
                assertThat(runs).allMatch(run -> run.repeat() == repeat);
                assertThat(runs.stream().map(RunPlanTest::layout).distinct()).hasSize(1);
              });
      assertThat(ofBlock.stream().map(runs -> layout(runs.get(0))))
          .containsExactlyInAnyOrder("even", "half", "third", "1/4");
    }
    assertThat(stretches.stream().map(runs -> layout(runs.get(0))).limit(4).toList())
        .isNotEqualTo(
            stretches.stream().map(runs -> layout(runs.get(0))).skip(4).limit(4).toList());
    assertThat(plan.stream().map(RunConfig::words))
        .contains("half, QUORUM, 1 thread, repeat 2", "1/4, ONE, 1 thread, repeat 8");
  }

  @Test
  void whatIsLeftOfAStudyKeepsItsStretches() {
    List<RunConfig> plan = plan(LAYOUTS);
    List<RunConfig> left = plan.subList(1, 4);
    assertThat(RunPlan.stretches(left)).containsExactly(plan.subList(1, 2), plan.subList(2, 4));
    assertThat(RunPlan.stretches(List.of())).isEmpty();
  }

  @Test
  void aPartWithoutLayoutsHasTheClustersOwn() {
    List<RunConfig> plan =
        plan(
            """
            study: plan
            store: {engine: cassandra, local: {nodes: 4}}
            workload: {preset: heavy-update, operations: 10}
            matrix:
              - {layout: [half], consistency: [ONE], threads: [1]}
              - {consistency: [ONE], threads: [1]}
            repeats: 1
            """);
    assertThat(ids(plan)).containsExactlyInAnyOrder("half-one-1t-r1", "one-1t-r1");
    assertThat(plan.stream().map(RunConfig::words))
        .containsExactlyInAnyOrder("half, ONE, 1 thread, repeat 1", "ONE, 1 thread, repeat 1");
    assertThat(RunPlan.stretches(plan)).hasSize(2);
  }

  @Test
  void withOneLayoutAllRunsShareACluster() {
    String one = LAYOUTS.replace("[even, half, third, 1/4]", "[third]");
    List<RunConfig> plan = plan(one);
    assertThat(RunPlan.stretches(plan)).containsExactly(plan);
    assertThat(ids(plan)).contains("one-1t-r1");
    assertThat(plan).allMatch(run -> layout(run).equals("third"));
    List<RunConfig> ofStore =
        plan(one.replace("layout: [third]", "").replace("nodes: 4", "nodes: 4, layout: third"));
    assertThat(ofStore).isEqualTo(plan);
    assertThat(plan(PARTS)).allMatch(run -> run.layout().isEmpty());
  }

  @Test
  void longDescriptionsAreCutAndStayUnique() {
    String steps = "{rate: 100/s, for: 10s}, {rate: 200/s, for: 10s}, {rate: 300/s, for: 10s}";
    List<RunConfig> plan =
        plan(
            """
            study: plan
            store: {engine: cassandra, local: {nodes: 3}}
            workload: {preset: heavy-update, duration: 60s}
            matrix:
              consistency: [LOCAL_QUORUM]
              rate:
                - {steps: [%s, {rate: 1/s, for: 1s}]}
                - {steps: [%s, {rate: 2/s, for: 1s}]}
            repeats: 1
            """
                .formatted(steps, steps));
    assertThat(ids(plan))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.length() < 70)
        .noneMatch(id -> id.contains("--"));
  }

  @Test
  void theStudyOfDeferredWritesHasAllThatThePapersClaimsAreOn() {
    StudySpec study =
        StudyFile.read(
            Path.of(System.getProperty("basedir", "."), "../studies/deferred-writes.yaml"),
            List.of());
    assertThat(study.paper()).contains("garcia-recuero-2014");
    List<String> points = new ArrayList<>();
    for (String mix : List.of("gr-write-heavy", "gr-balanced", "gr-read-heavy")) {
      for (int threads : List.of(1, 8, 32)) {
        for (String way : List.of("strong", "deferred 12MB 500ms")) {
          points.add(mix + " " + threads + " " + way);
        }
      }
    }
    for (String way :
        List.of("deferred 12MB 100ms", "deferred 12MB", "fresh 100ms", "fresh 500ms")) {
      points.add("gr-write-heavy 8 " + way);
    }
    List<RunConfig> plan = RunPlan.of(study);
    for (int repeat = 1; repeat <= 5; repeat++) {
      int block = repeat;
      assertThat(
              plan.stream()
                  .filter(run -> run.repeat() == block)
                  .map(
                      run ->
                          run.workload().label()
                              + " "
                              + run.threads().orElseThrow()
                              + " "
                              + TestStudy.label(run, "write-buffer")))
          .containsExactlyInAnyOrderElementsOf(points);
    }
  }

  private static List<RunConfig> plan(String yaml) {
    StudySpec study = StudyFile.parse(yaml, "study.yaml", Path.of(""), List.of());
    return RunPlan.of(study);
  }

  private static List<String> ids(List<RunConfig> plan) {
    return plan.stream().map(RunConfig::id).toList();
  }

  private static String layout(RunConfig run) {
    return run.layout().orElseThrow().label();
  }
}
