package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.ForecastGearPolicy;
import org.calando.core.policy.gear.ForecastLimits;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionJournalTest {
  private static final long SEED = Long.getLong("calando.seed", 20121003L);
  private static final long SECOND = 1_000_000_000L;
  private static final int PERIOD_SECONDS = 600;
  private static final int STEPS_A_DAY = 86_400 / PERIOD_SECONDS;
  private static final String TARGET = "hdfs";

  private static final GearModel MODEL =
      new GearModel(
          List.of(1, 2),
          Collections.nCopies(
              2, new NodeProfile("n", 5, 50, 90, 4, 1, PowerCurve.linear(), 60, 70, "test")),
          List.of(100.0, 200.0),
          GearModel.MACHINE_OFF_SECONDS,
          CatchUpModel.none(2));

  private static final ForecastGearPolicy FORECAST =
      new ForecastGearPolicy(
          MODEL,
          GearLimits.defaults().withMaxAge(2L * PERIOD_SECONDS * SECOND),
          new ForecastLimits(1800, 0.3, 0.3, 1, 1),
          PERIOD_SECONDS);

  @TempDir Path folder;

  private static Instant now() {
    return Instant.parse("2026-11-25T17:00:00.5Z");
  }

  private static Consumer<Decision<GearState>> noting(DecisionJournal journal) {
    return decision -> journal.decided(decision, "");
  }

  /** What a loop would resume from; empty if it would begin anew. */
  private Optional<String> state(GearPolicy policy) {
    DecisionJournal.Resumed<GearState> resumed = DecisionJournal.resume(folder, policy, TARGET);
    return resumed.words().startsWith("resumes")
        ? Optional.of(resumed.loop().stateText())
        : Optional.empty();
  }

  /** Busy from eight to eight, but at weekends. */
  private static GearObservation at(int step, int gear, long bootNanos) {
    long local = (long) step * PERIOD_SECONDS;
    long hour = local / 3600 % 24;
    boolean busy = hour >= 8 && hour < 20 && local / 86_400 % 7 < 5;
    double perSecond = (busy ? 140 : 20) + new Random(SEED + step).nextInt(10);
    return new GearObservation(
        local * SECOND - bootNanos,
        local,
        TARGET,
        gear,
        0,
        Optional.of(new GearObservation.Load(local * SECOND - bootNanos, perSecond, 0)));
  }

  private static int drive(
      PolicyLoop<GearState> loop,
      int from,
      int to,
      int gear,
      long bootNanos,
      Consumer<Decision<GearState>> journal) {
    int now = gear;
    for (int step = from; step < to; step++) {
      Decision<GearState> decision = loop.decide(at(step, now, bootNanos));
      journal.accept(decision);
      now = decision.value(KnobId.GEAR).orElse(now);
    }
    return now;
  }

  @Test
  void aForecastKeepsItsWeeksWhereItsProcessWasKilledAndTheMachineBooted() {
    PolicyLoop<GearState> never = new PolicyLoop<>(FORECAST, TARGET);
    int weeks = 15 * STEPS_A_DAY;
    int gear = drive(never, 0, weeks, 2, 0, decision -> {});

    // Nobody closes these.
    DecisionJournal first = DecisionJournal.open(folder, "a test", DecisionJournalTest::now);
    int killed = drive(new PolicyLoop<>(FORECAST, TARGET), 0, weeks, 2, 0, noting(first));
    assertThat(killed).isEqualTo(gear);
    DecisionJournal.Resumed<GearState> last = DecisionJournal.resume(folder, FORECAST, TARGET);
    assertThat(last.words()).isEqualTo("resumes from its decision of 2026-11-25T17:00:00Z");
    PolicyLoop<GearState> resumed = last.loop();
    assertThat(resumed.state().history()).isEqualTo(never.state().history());

    // On the next Monday it is in the high gear before the load is there, as what never ended.
    List<Integer> expected = gears(never, weeks, gear, 0);
    assertThat(gears(resumed, weeks, gear, 9_000_000 * SECOND)).isEqualTo(expected);
    assertThat(expected.get(8 * 3600 / PERIOD_SECONDS - 1)).as("before the rise").isEqualTo(2);
    assertThat(expected).contains(1);
    List<Integer> forgetful = gears(new PolicyLoop<>(FORECAST, TARGET), weeks, gear, 0);
    assertThat(forgetful).as("without its weeks it does not dare").doesNotContain(1);
    first.close();
  }

  private static List<Integer> gears(
      PolicyLoop<GearState> loop, int from, int gear, long bootNanos) {
    List<Integer> gears = new ArrayList<>();
    drive(
        loop,
        from,
        from + STEPS_A_DAY,
        gear,
        bootNanos,
        decision -> gears.add(decision.value(KnobId.GEAR).orElseThrow()));
    return gears;
  }

  @Test
  void longStatesAreWrittenNowAndThenAndRowsBetweenThemStillReplay() throws IOException {
    try (DecisionLog log = DecisionLog.open(folder.resolve("decisions.csv"))) {
      drive(new PolicyLoop<>(FORECAST, TARGET), 0, 3 * STEPS_A_DAY, 2, 0, log::decided);
    }
    DecisionFile file = DecisionFile.read(folder.resolve("decisions.csv"));
    assertThat(file.differences(FORECAST)).isEmpty();
    long whole =
        file.rows().stream().filter(row -> row.stateBefore().startsWith("gears/1")).count();
    assertThat(whole).isBetween(4L, file.rows().size() / 2L);
  }

  @Test
  void whereverAKillFellThereIsAStateToResumeFrom() throws IOException {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    List<String> states = new ArrayList<>();
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(
          new PolicyLoop<>(policy, TARGET),
          0,
          12,
          2,
          0,
          decision -> {
            journal.decided(decision, "");
            states.add(decision.stateAfter());
          });
    }
    Path file = folder.resolve(DecisionJournal.NEWEST);
    byte[] whole = Files.readAllBytes(file);
    int rows = -1;
    for (int length = 0; length <= whole.length; length++) {
      rows += length > 0 && whole[length - 1] == '\n' ? 1 : 0;
      if (length % 7 != 0 && length != whole.length) {
        continue;
      }
      Files.write(file, Arrays.copyOf(whole, length));
      Optional<String> expected = rows < 1 ? Optional.empty() : Optional.of(states.get(rows - 1));
      assertThat(state(policy)).as("%d bytes", length).isEqualTo(expected);
    }
    assertThat(rows).isEqualTo(12);
    assertThat(state(FORECAST)).isEmpty();
    whole[whole.length - 30] ^= 1;
    Files.write(file, whole);
    assertThat(state(policy)).as("damaged").hasValue(states.get(rows - 2));
  }

  @Test
  void aDamagedRowLosesNoneOfTheWeeksBeforeIt() throws IOException {
    List<String> states = new ArrayList<>();
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(
          new PolicyLoop<>(FORECAST, TARGET),
          0,
          3 * STEPS_A_DAY,
          2,
          0,
          decision -> {
            journal.decided(decision, "");
            states.add(decision.stateAfter());
          });
    }
    Path file = folder.resolve(DecisionJournal.NEWEST);
    List<String> lines = Files.readAllLines(file);
    int whole =
        DecisionFile.read(file).rows().stream()
            .filter(row -> !row.stateBefore().equals(DecisionFile.CHAINED))
            .mapToInt(DecisionRow::line)
            .max()
            .orElseThrow();
    Map<String, UnaryOperator<String>> damages =
        Map.of(
            "a digit", line -> line.replaceFirst("(perSecond\"\":)[0-9]", "$1x"),
            "a lost quote", line -> line.replaceFirst("\"", ""),
            "half", line -> line.substring(line.length() / 2),
            "another target", line -> line.replaceFirst("," + TARGET + ",", ",x,"),
            "no text", line -> "\0".repeat(line.length()));
    for (int damaged : List.of(3, whole - 2, whole, whole + 1, lines.size())) {
      for (Map.Entry<String, UnaryOperator<String>> damage : damages.entrySet()) {
        List<String> changed = new ArrayList<>(lines);
        changed.set(damaged - 1, damage.getValue().apply(lines.get(damaged - 1)));
        Files.write(file, changed);
        String what = "%s in line %d of %d".formatted(damage.getKey(), damaged, lines.size());
        // The state after the row above the damaged one, but for rows below that have theirs.
        int last = damaged < whole ? states.size() - 1 : damaged - 3;
        assertThat(state(FORECAST)).as(what).hasValue(states.get(last));
        assertThat(DecisionJournal.resume(folder, FORECAST, TARGET).words())
            .as(what)
            .endsWith("; damaged rows of " + file + " are skipped: line " + damaged);
      }
    }
  }

  @Test
  void aFileWithADamagedRowIsTheFormerOfTheNext() throws IOException {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    for (int part = 0; part < 2; part++) {
      try (DecisionJournal journal =
          DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
        drive(loop, 10 * part, 10 * part + 10, 2, 0, noting(journal));
      }
      Path newest = folder.resolve(DecisionJournal.NEWEST);
      Files.writeString(newest, Files.readString(newest).replaceFirst("\n[0-9]", "\nx"));
    }
    assertThat(folder.resolve(DecisionJournal.FORMER)).exists();
    assertThat(folder.resolve("decisions.damaged.csv")).doesNotExist();
    assertThat(state(policy)).hasValue(loop.stateText());
  }

  @Test
  void twoFilesAreKeptAndStartsWithoutAdecisionLoseNone() {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now, 4000)) {
      drive(loop, 0, 60, 2, 0, noting(journal));
      assertThat(journal.failure()).isEmpty();
    }
    assertThat(folder.resolve(DecisionJournal.FORMER)).exists();
    assertThat(folder.resolve(DecisionJournal.NEWEST).toFile().length()).isLessThan(8000);
    for (int i = 0; i < 3; i++) {
      DecisionJournal.open(folder, "a test", DecisionJournalTest::now).close();
      assertThat(state(policy)).hasValue(loop.stateText());
    }
  }

  @Test
  void aSecondOwnerIsRefusedNamingTheFirst() {
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "./calando govern a.yaml", DecisionJournalTest::now)) {
      assertThatThrownBy(() -> DecisionJournal.open(folder, "another", DecisionJournalTest::now))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid() + ", ./calando govern");
      assertThat(journal.failure()).isEmpty();
    }
    DecisionJournal.open(folder, "another", DecisionJournalTest::now).close();
  }

  @Test
  void aDamagedFileIsPutAsideAndTheOneBeforeItServes() throws IOException {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(loop, 0, 10, 2, 0, noting(journal));
    }
    Path newest = folder.resolve(DecisionJournal.NEWEST);
    Files.move(newest, folder.resolve(DecisionJournal.FORMER));
    Files.writeString(newest, "no decisions\n");
    assertThat(state(policy)).hasValue(loop.stateText());
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(loop, 10, 11, 2, 0, noting(journal));
    }
    assertThat(folder.resolve("decisions.damaged.csv")).hasContent("no decisions");
    assertThat(state(policy)).hasValue(loop.stateText());
  }

  @Test
  void anotherHeadRoomKeepsWhatWasLearntAndAnotherPolicyBeginsAnewAndSaysSo() {
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(new PolicyLoop<>(FORECAST, TARGET), 0, STEPS_A_DAY, 2, 0, noting(journal));
    }
    ForecastGearPolicy other =
        new ForecastGearPolicy(
            MODEL,
            GearLimits.defaults().withHeadRoom(0.3).withMaxAge(2L * PERIOD_SECONDS * SECOND),
            new ForecastLimits(1800, 0.3, 0.3, 1, 1),
            PERIOD_SECONDS);
    assertThat(other.name()).isNotEqualTo(FORECAST.name());
    assertThat(state(other)).isPresent();
    LoadGearPolicy load = new LoadGearPolicy(MODEL, GearLimits.defaults());
    assertThat(DecisionJournal.resume(folder, load, TARGET).words())
        .isEqualTo("begins anew: the last decision is another policy's, or damaged");
    assertThat(DecisionJournal.resume(folder.resolve("none"), load, TARGET).words())
        .isEqualTo("begins anew: no decision is recorded");
  }

  @Test
  void aFolderThatWasOnAFullDiskIsTakenOnceThereIsRoom() throws IOException {
    Path lock = Files.createSymbolicLink(folder.resolve("lock"), Path.of("/dev/full"));
    assertThatThrownBy(() -> DecisionJournal.open(folder, "a test", DecisionJournalTest::now))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("No space left on device");
    Files.delete(lock);
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      assertThat(journal.failure()).isEmpty();
    }
  }

  @Test
  void aFileWhoseFirstRowFailedTakesNoPlaceOfDecisions() {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    boolean[] rowsFail = {false};
    Supplier<Instant> clock =
        () -> {
          if (rowsFail[0]) {
            throw new IllegalStateException("a row fails");
          }
          return now();
        };
    try (DecisionJournal journal = DecisionJournal.open(folder, "a test", clock)) {
      drive(loop, 0, 10, 2, 0, noting(journal));
      String noted = loop.stateText();
      rowsFail[0] = true;
      for (int step = 10; step < 14; step++) {
        drive(loop, step, step + 1, 2, 0, noting(journal));
        assertThat(journal.failure()).as("step %d", step).isPresent();
        assertThat(state(policy)).as("step %d", step).hasValue(noted);
      }
      rowsFail[0] = false;
      drive(loop, 14, 15, 2, 0, noting(journal));
      assertThat(journal.failure()).isEmpty();
    }
    assertThat(state(policy)).hasValue(loop.stateText());
    assertThat(DecisionFile.read(folder.resolve(DecisionJournal.FORMER)).rows()).hasSize(10);
  }

  @Test
  void whatCannotBeNotedIsReportedAndTriedAgain() throws IOException {
    LoadGearPolicy policy = new LoadGearPolicy(MODEL, GearLimits.defaults());
    PolicyLoop<GearState> loop = new PolicyLoop<>(policy, TARGET);
    // A folder in its place, which cannot be put aside.
    Path blocked = Files.createDirectories(folder.resolve(DecisionJournal.NEWEST).resolve("in"));
    Files.createDirectories(folder.resolve("decisions.damaged.csv").resolve("in"));
    try (DecisionJournal journal =
        DecisionJournal.open(folder, "a test", DecisionJournalTest::now)) {
      drive(loop, 0, 1, 2, 0, noting(journal));
      assertThat(journal.failure())
          .hasValueSatisfying(why -> assertThat(why).contains("decisions are not recorded: "));
      Files.delete(blocked);
      Files.delete(folder.resolve(DecisionJournal.NEWEST));
      drive(loop, 1, 3, 2, 0, noting(journal));
      assertThat(journal.failure()).isEmpty();
    }
    assertThat(state(policy)).hasValue(loop.stateText());
  }
}
