package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.study.DecisionReplay.Replayed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of every knob on the simulator, whose decisions are made again. */
class DecisionReplayTest {
  private static final String LEVELS_AND_GEARS =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 6
          rf: 2
          gears: {nodes: [4, 6], capacity: 200/s}
          service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, read: 1ms, write: 1ms}
      workload: {preset: heavy-update, records: 200}
      monitor: {period: 500ms}
      matrix:
        consistency: [{read: {harmony: {tolerate: 5%}}, write: ONE}]
        gear: [{load: {residency: 2s}}]
        rate: [{steps: [{rate: 700/s, for: 8s}, {rate: 200/s, for: 12s}, {rate: 700/s, for: 8s}]}]
        duration: 28s
      repeats: 1
      """;

  private static final String CLOCKS =
      """
      study: test
      store:
        engine: sim
        sim:
          nodes: 3
          rf: 3
          masters: {placement: groups}
          service: {client: 0ms, coordinator: 0.1ms, message: 0.1ms, write: {mean: 1ms, variation: 0.5}}
      workload: {name: set, mix: {update: 100%}, records: 100, fields: 1, field-size: 1KB}
      power: {profile: {name: core, off: 0, idle: 2, busy: 8.5, cores: 1}}
      matrix: {consistency: [ONE], clock: [concerto, slack], rate: [{poisson: 100/s}], duration: 6s}
      repeats: 1
      """;

  private static final String BUFFERS =
      """
      study: test
      store: {engine: sim, sim: {nodes: 3, rf: 1}}
      workload: {preset: gr-write-heavy, records: 500, fields: 1, field-size: 1000, duration: 5s}
      matrix: {consistency: [ONE], rate: [{poisson: 500/s}], write-buffer: [strong, {fresh: 100ms}]}
      repeats: 1
      """;

  @TempDir Path folder;

  private TestStudy run(String yaml) throws Exception {
    TestStudy study = TestStudy.of(folder, yaml);
    study.runWell();
    return study;
  }

  @Test
  void decisionsOfTwoPoliciesBesideEachOtherAreTheSame() throws Exception {
    TestStudy study = run(LEVELS_AND_GEARS);
    List<Replayed> replayed = DecisionReplay.of(study.out());
    assertThat(replayed)
        .extracting(Replayed::knobs)
        .containsExactlyInAnyOrder("read-level", "gear");
    assertThat(replayed).allMatch(each -> each.decisions() > 40 && each.differences().isEmpty());
  }

  @Test
  void decisionsOnClocksAndBuffersAreTheSame() throws Exception {
    List<Replayed> clocks = DecisionReplay.of(run(CLOCKS).out());
    assertThat(clocks).extracting(Replayed::policy).containsExactlyInAnyOrder("concerto", "slack");
    assertThat(clocks).allMatch(each -> each.differences().isEmpty());
    List<Replayed> buffers = DecisionReplay.of(run(folder.resolve("buffers"), BUFFERS));
    assertThat(buffers).extracting(Replayed::knobs).containsExactly("write-buffer");
    assertThat(buffers).allMatch(each -> each.decisions() > 15 && each.differences().isEmpty());
  }

  private Path run(Path out, String yaml) throws Exception {
    TestStudy study = TestStudy.at(folder, out, yaml);
    study.runWell();
    return study.out();
  }

  @Test
  void aFigureThatWasChangedByHandIsNamedWithItsLine() throws Exception {
    TestStudy study = run(LEVELS_AND_GEARS);
    Path file =
        study.out().resolve("runs").resolve(study.plan().get(0)).resolve(RunFiles.DECISIONS);
    List<String> lines = Files.readAllLines(file);
    Pattern load = Pattern.compile("(\"\"perSecond\"\":)([0-8])");
    for (int i = 20; i < 25; i++) {
      Matcher matcher = load.matcher(lines.get(i));
      if (matcher.find()) {
        lines.set(i, matcher.replaceFirst("$19"));
        Files.write(file, lines);
        assertThat(differences(study))
            .containsExactly("line " + (i + 1) + ": its checksum differs");
        return;
      }
    }
    throw new AssertionError("no decision on gears in " + file);
  }

  @Test
  void rowsThatWereRemovedAtEitherEndAreMissed() throws Exception {
    TestStudy study = run(BUFFERS);
    Path file =
        study.plan().stream()
            .map(run -> study.out().resolve("runs").resolve(run).resolve(RunFiles.DECISIONS))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    List<String> lines = Files.readAllLines(file);
    List<String> late = new ArrayList<>(lines);
    late.subList(1, 4).clear();
    Files.write(file, late);
    assertThat(differences(study))
        .containsExactly(
            "decisions.csv has %d rows, and the run wrote %d"
                .formatted(late.size() - 1, lines.size() - 1),
            "line 2: is not the policy's first: rows before it are missing");
    Files.write(file, lines.subList(0, lines.size() - 1));
    assertThat(differences(study))
        .containsExactly(
            "decisions.csv has %d rows, and the run wrote %d"
                .formatted(lines.size() - 2, lines.size() - 1));
  }

  @Test
  void runsThatAreNotThoseOfTheStudyAreNamed() throws Exception {
    TestStudy study = run(CLOCKS);
    Path runs = study.out().resolve("runs");
    Path first = runs.resolve(study.plan().get(0));
    Files.move(first, runs.resolve("another-r1"));
    assertThat(DecisionReplay.of(study.out()))
        .extracting(each -> each.run() + " " + each.differences())
        .contains(
            first.getFileName() + " [its folder does not exist]",
            "another-r1 [is no run of study.yaml]");
  }

  private static List<String> differences(TestStudy study) {
    return DecisionReplay.of(study.out()).stream()
        .flatMap(each -> each.differences().stream())
        .toList();
  }

  @Test
  void whatHasNoDecisionsIsRefused() throws Exception {
    TestStudy study = run(BUFFERS.replace("[strong, {fresh: 100ms}]", "[strong]"));
    assertThatThrownBy(() -> DecisionReplay.of(study.out()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no run has decisions");
    assertThatThrownBy(() -> DecisionReplay.of(folder.resolve("none")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("has no study.yaml");
  }
}
