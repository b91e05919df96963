package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.BismarPolicy;
import org.calando.core.policy.BismarPrices;
import org.calando.core.policy.Decision;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.RationingPolicy;
import org.calando.core.policy.RationingPolicy.Category;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionFileTest {
  private static final long SEED = Long.getLong("calando.seed", 20120928L);
  private static final int OBSERVATIONS = 250;

  @TempDir Path folder;

  static List<Policy<?>> policies() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05);
    return List.of(
        new StaticPolicy(new ReadChoice(1, 0.5)),
        new HarmonyPolicy(AdaptiveConfig.published(0.05)),
        new HarmonyExactPolicy(config),
        new PbsPolicy(config),
        new BismarPolicy(config, BismarPrices.WORK),
        new RationingPolicy(config, Category.A, 0),
        new RationingPolicy(AdaptiveConfig.of(0.5), Category.B, 3),
        new RationingPolicy(config, Category.C, 0));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whatWasObservedIsReadBackAndGivesTheSameDecisions(Policy<?> policy) {
    assertReplays(policy);
  }

  private <S> void assertReplays(Policy<S> policy) {
    List<Decision<S>> decisions = decided(policy, OBSERVATIONS);
    Path file = folder.resolve("decisions.csv");
    write(file, policy, decisions);

    DecisionFile read = DecisionFile.read(file);
    assertThat(read.rows()).hasSize(OBSERVATIONS);
    assertThat(read.differences(policy)).as("%s, seed %d", policy.name(), SEED).isEmpty();
    for (int i = 0; i < OBSERVATIONS; i++) {
      String where = "%s, decision %d, seed %d".formatted(policy.name(), i, SEED);
      Decision<S> then = decisions.get(i);
      DecisionRow row = read.rows().get(i);
      assertThat(WildObservations.parts(row.signals().get(Observation.READS)))
          .as(where)
          .isEqualTo(WildObservations.parts(then.observation()));
      assertThat(
              new ReadChoice(
                  Integer.parseInt(row.cell("choice_replicas")),
                  Double.parseDouble(row.cell("share_above"))))
          .as(where)
          .isEqualTo(then.step().settings().get(0).value());
      assertThat(row.cell("changed")).as(where).isEqualTo("" + then.changed());
      assertThat(row.stateBefore()).as(where).isEqualTo(then.stateBefore());
    }
  }

  @Test
  void aFileThatBeginsInTheMidstOfALoopSaysSoAndReplaysFromThere() {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    List<Decision<org.calando.core.policy.AdaptiveState>> decisions = decided(policy, 100);
    Path file = folder.resolve("late.csv");
    write(file, policy, decisions.subList(60, 100));
    DecisionFile read = DecisionFile.read(file);
    assertThat(read.rows()).hasSize(40);
    assertThat(read.differences(policy))
        .containsExactly("line 2: is not the policy's first: rows before it are missing");
  }

  @Test
  void whatAKillLeftOfTheLastRowIsNoRowWhereverItFell() throws IOException {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    Path whole = folder.resolve("whole.csv");
    write(whole, policy, decided(policy, 12));
    byte[] bytes = Files.readAllBytes(whole);
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        ends.add(i + 1);
      }
    }
    assertThat(ends).as("one line a row, and the header").hasSize(13);
    Path torn = folder.resolve("torn.csv");
    int step = bytes.length / 150;
    for (int length = 0; length < bytes.length; length += step) {
      Files.write(torn, Arrays.copyOf(bytes, length));
      int kept = length;
      long rows = Math.max(0, ends.stream().filter(end -> end <= kept).count() - 1);
      assertThat(DecisionFile.read(torn).rows()).as("%d bytes", length).hasSize((int) rows);
    }
  }

  @Test
  void lagsAndPopularityThatStayTakeNextToNoRoom() throws IOException {
    Observation o =
        WildObservations.of(SEED, 200).stream()
            .filter(told -> told.lags().isPresent() && told.popularity().isPresent())
            .findFirst()
            .orElseThrow();
    ObservationText writer = new ObservationText();
    String first = writer.write(o);
    String second = writer.write(o);
    assertThat(first).contains("\"writes_per_key\":[");
    assertThat(second)
        .contains("\"lags\":\"same\"", "\"popularity\":\"same\"")
        .doesNotContain("writes_per_key");
    ObservationText reader = new ObservationText();
    for (String text : List.of(first, second)) {
      assertThat(WildObservations.parts(reader.read(text))).isEqualTo(WildObservations.parts(o));
    }
  }

  @Test
  void rowsThatAreNoneAreToldWithTheirLine() throws IOException {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    Path file = folder.resolve("broken.csv");
    write(file, policy, decided(policy, 3));
    String text = Files.readString(file);
    String header = text.substring(0, text.indexOf('\n') + 1);
    for (String bad :
        List.of(
            text + "1,2,3\n",
            text.replace("\"\"v\"\":1", "\"\"v\"\":2"),
            text.replace("\"\"at\"\":", "\"\"at\"\":x"),
            header.replace("second", "minute") + text.substring(header.length()),
            header + text.substring(header.length()).replaceFirst("^[^,]*,", "soon,"))) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> DecisionFile.read(file))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("broken.csv, line ");
    }
    Files.writeString(file, "", StandardCharsets.UTF_8);
    assertThat(DecisionFile.read(file).rows()).isEmpty();
    assertThatThrownBy(() -> DecisionFile.read(folder.resolve("none.csv")))
        .isInstanceOf(FailedWorkException.class);
  }

  @Test
  void columnsThatWereAddedLaterArePassedOver() throws IOException {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    Path file = folder.resolve("newer.csv");
    write(file, policy, decided(policy, 3));
    String text = Files.readString(file).replace("\n", ",more\n");
    Files.writeString(file, text);
    DecisionFile read = DecisionFile.read(file);
    assertThat(read.rows()).hasSize(3);
    assertThat(read.rows().get(0).cells()).containsEntry("more", "more");
  }

  private static <S> List<Decision<S>> decided(Policy<S> policy, int count) {
    PolicyLoop<S> loop = new PolicyLoop<>(policy, Table.NAME);
    return WildObservations.of(SEED, count).stream().map(loop::decide).toList();
  }

  private static void write(Path file, Policy<?> policy, List<? extends Decision<?>> decisions) {
    try (DecisionLog log = DecisionLog.open(file)) {
      LoopListener listener = log.ofTable(policy, Table.LEVELS, Table.SAFE);
      decisions.forEach(decision -> listener.decided(decision, ""));
      assertThat(log.failure()).isEmpty();
      assertThat(log.rows()).isEqualTo(decisions.size());
    }
  }
}
