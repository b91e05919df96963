package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.calando.control.ManualScheduler;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Decision;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.DecisionListener;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;
import org.calando.session.internal.governed.Answer;
import org.calando.session.internal.governed.AnswerText;
import org.calando.session.internal.governed.GovernorTransport;
import org.calando.session.internal.governed.KeySample;
import org.calando.session.internal.governed.Reading;
import org.calando.session.internal.governed.ReportText;
import org.calando.session.internal.governed.SessionReport;
import org.calando.session.internal.governed.ShadowSample;
import org.calando.session.internal.governed.TableLevel;
import org.calando.session.internal.governed.TargetLevel;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.QuietSignals;
import org.calando.session.internal.shared.SavedState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A session whose governor says one replica, and whose own policy two, in virtual time. */
class GovernedLoopsTest {
  private static final TableName NAME = new TableName("shop", "orders");
  private static final TableName ITEMS = new TableName("shop", "items");
  private static final long SECOND = 1_000_000_000L;
  private static final CqlSession NO_DRIVER =
      (CqlSession)
          Proxy.newProxyInstance(
              GovernedLoopsTest.class.getClassLoader(),
              new Class<?>[] {CqlSession.class},
              (proxy, method, args) -> null);

  private final ManualScheduler scheduler = new ManualScheduler();
  private final WatchedTable table = table(NAME);
  private final WatchedTable items = table(ITEMS);
  private final ShadowReads shadows = new ShadowReads(NO_DRIVER, table, scheduler::now);
  private final List<String> decided = new ArrayList<>();
  private final List<String> inForce = new ArrayList<>();
  private final List<SessionReport> reports = new ArrayList<>();
  private @Nullable ReadChoice governed = ReadChoice.of(1);
  private ConsistencyLevel write = QUORUM;
  private Map<Double, String> lost = Map.of();
  private Optional<Numbered> number = Optional.empty();
  private boolean knows = true;
  private String replication = table.levels().replication();
  private boolean answers = true;
  private boolean hasItems;
  private @Nullable ReadChoice ofItems;

  private WatchedTable table(TableName name) {
    return new WatchedTable(
        name,
        Set.of(),
        0.05,
        false,
        TableLevels.of(ReplicaPlacement.single(3), QUORUM, false),
        new KeySample(new SketchKeys(1)),
        scheduler::now);
  }

  private final class Listener implements DecisionListener {
    @Override
    public void decided(TableName name, double share, Decision<?> decision) {
      decided.add(name + " " + share);
    }

    @Override
    public void governed(
        TableName name, double share, ReadChoice choice, long decision, Duration age) {
      inForce.add("%s %s %s".formatted(decision, choice.replicas(), age.toMillis()));
      assertThat(inUse().choice()).isEqualTo(choice);
    }
  }

  /** Answers a second later, as a governor of which no level changes. */
  private final class FakeGovernor implements GovernorTransport {
    @Override
    public CompletionStage<String> exchange(String report) {
      reports.add(ReportText.read(report));
      CompletableFuture<String> answer = new CompletableFuture<>();
      scheduler.at(
          scheduler.now() + (reports.size() == 1 ? 0 : SECOND),
          () -> {
            if (answers) {
              answer.complete(text());
            } else {
              answer.completeExceptionally(new IOException("no route"));
            }
          });
      return answer;
    }

    @Override
    public void close() {}
  }

  private String text() {
    List<TableLevel> levels = new ArrayList<>();
    if (knows) {
      levels.add(level(NAME, governed));
    }
    if (knows && hasItems) {
      levels.add(level(ITEMS, ofItems));
    }
    return AnswerText.write(new Answer(1, 6 * SECOND, 20, "", levels));
  }

  private TableLevel level(TableName name, @Nullable ReadChoice choice) {
    return new TableLevel(
        name,
        replication,
        write,
        1,
        0.001,
        -1,
        choice == null
            ? List.of()
            : List.of(
                new TargetLevel(0.05, choice, List.of(0.01, 0.0, 0.0), List.of("because"), number)),
        lost,
        choice == null
            ? List.of()
            : List.of(
                new SavedState.Table(
                    0,
                    name.toString(),
                    0.05,
                    replication,
                    write,
                    choice,
                    state(),
                    Optional.empty())));
  }

  private static String state() {
    return new PolicyLoop<>(new StaticPolicy(ReadChoice.of(2)), "shop.orders").stateText();
  }

  private SessionControl start() {
    SessionControl control =
        new SessionControl(
            new Adaptation.Settings(
                hasItems ? Map.of(NAME, 0.05, ITEMS, 0.05) : Map.of(NAME, 0.05),
                Map.of(),
                false,
                (name, share, safe, local) -> new StaticPolicy(ReadChoice.of(2)),
                name -> new SketchKeys(1),
                new Listener(),
                new Adaptation.Pace(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(500),
                    5,
                    Duration.ofMinutes(1),
                    Duration.ZERO,
                    scheduler::now),
                Optional.empty(),
                Optional.of(new FakeGovernor())),
            keyspace -> Optional.of(ReplicaPlacement.single(3)),
            hasItems
                ? Map.of(table, shadows, items, new ShadowReads(NO_DRIVER, items, scheduler::now))
                : Map.of(table, shadows),
            scheduler,
            new AtOnce());
    control.start(
        Map.of(
            "shop",
            QuietSignals.of(
                hasItems ? List.of(table, items) : List.of(table),
                scheduler::now,
                false,
                this::eachQuarter)),
        List.of());
    scheduler.run();
    return control;
  }

  private void eachQuarter(Runnable tick) {
    tick.run();
    scheduler.at(scheduler.now() + SECOND / 4, () -> eachQuarter(tick));
  }

  private static final class AtOnce extends AbstractExecutorService {
    @Override
    public void execute(Runnable work) {
      work.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private LevelInUse inUse() {
    return table.inUse(table.main());
  }

  private void found(Verdict verdict, int count) {
    for (int i = 0; i < count; i++) {
      shadows.add(new ShadowSample(scheduler.now(), i, verdict, 0.01));
    }
  }

  @Test
  void theGovernorsLevelIsInUseAndTheSessionDecidesNothingMeanwhile() {
    SessionControl control = start();
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().fallback()).isFalse();
    assertThat(inUse().reasons()).containsExactly("because", "decided by the governor");
    int before = decided.size();
    scheduler.advance(120 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(decided).hasSize(before);
    governed = ReadChoice.of(3);
    scheduler.advance(1100 * SECOND / 1000);
    assertThat(inUse().choice()).isEqualTo(ReadChoice.of(3));
    control.close();
    assertThat(inUse().level()).isEqualTo(QUORUM);
    assertThat(inUse().reasons()).containsExactly("closed");
  }

  @Test
  void theListenerIsToldOnceOfEachOfTheGovernorsDecisions() {
    SessionControl unused = start();
    scheduler.advance(3 * SECOND);
    assertThat(inForce).as("a governor that does not number them").isEmpty();
    number = Optional.of(new Numbered(4, SECOND / 4));
    scheduler.advance(3 * SECOND);
    assertThat(inForce).containsExactly("4 1 250");
    governed = ReadChoice.of(3);
    number = Optional.of(new Numbered(5, 0));
    scheduler.advance(3 * SECOND);
    assertThat(inForce).containsExactly("4 1 250", "5 3 0");
    answers = false;
    scheduler.advance(20 * SECOND);
    assertThat(inForce).hasSize(2);
    answers = true;
    scheduler.advance(10 * SECOND);
    assertThat(inForce).as("in force again").containsExactly("4 1 250", "5 3 0", "5 3 0");
  }

  @Test
  void anOlderGovernorsLevelsAreNotTakenUnlessThereWasSilence() {
    SessionControl unused = start();
    number = Optional.of(new Numbered(9, 0));
    scheduler.advance(3 * SECOND);
    ReadChoice before = inUse().choice();
    governed = ReadChoice.of(3);
    number = Optional.of(new Numbered(4, 0));
    scheduler.advance(2 * SECOND);
    assertThat(inUse().choice()).isEqualTo(before).isNotEqualTo(governed);
    assertThat(inForce).hasSize(1);
    scheduler.advance(30 * SECOND);
    assertThat(inForce).hasSize(2).last().asString().startsWith("4 3 ");
  }

  @Test
  void whatTheSessionDidTravelsTheOtherWayOnce() {
    SessionControl unused = start();
    scheduler.advance(2 * SECOND);
    table.observed(40, false);
    table.observed(50, true);
    table.read(true);
    found(Verdict.STALE, 1);
    scheduler.advance(3 * SECOND);
    assertThat(reports.stream().flatMap(each -> each.tables().get(0).keys().stream()))
        .containsExactly(40L, 51L);
    assertThat(reports.stream().flatMap(each -> each.tables().get(0).shadows().stream()))
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.verdict()).isEqualTo(Verdict.STALE);
              assertThat(sample.atNanos()).isLessThanOrEqualTo(0);
            });
    assertThat(reports.get(0).tables().get(0).reading()).as("at the fallback").isEmpty();
    assertThat(reports.get(reports.size() - 1).tables().get(0).reading())
        .isEqualTo(Map.of(0.05, new Reading(ReadChoice.of(1), "")));
    var use = reports.get(reports.size() - 1).tables().get(0).use();
    assertThat(use.reads()).isEqualTo(1);
    assertThat(use.keyedWrites()).isEqualTo(1);
  }

  @Test
  void aSessionThatDecidesItselfReportsWhatAndTheStateOfItsPolicy() {
    SessionControl unused = start();
    scheduler.advance(2 * SECOND);
    answers = false;
    found(Verdict.STALE, 20);
    scheduler.advance(60 * SECOND);
    assertThat(reports.get(reports.size() - 1).tables().get(0).reading())
        .as("with the state of its own policy, as that decides")
        .isEqualTo(Map.of(0.05, new Reading(ReadChoice.of(2), state())));
  }

  @Test
  void atSilenceTheLevelStaysUntilSomebodyMeasures() {
    SessionControl unused = start();
    scheduler.advance(20 * SECOND);
    answers = false;
    int before = decided.size();
    for (int second = 0; second < 30; second++) {
      scheduler.advance(SECOND);
      assertThat(inUse().level()).as("after %d s: %s", second, inUse()).isEqualTo(ONE);
      assertThat(inUse().fallback()).isFalse();
    }
    // A policy that decided meanwhile would begin from its fallback once there are figures.
    assertThat(decided).hasSize(before);
    // Nobody measures, and there are no shadow reads that would confirm it.
    scheduler.advance(70 * SECOND);
    assertThat(inUse().level()).isEqualTo(QUORUM);
    assertThat(inUse().reasons()).anyMatch(each -> each.contains("no route"));
    answers = true;
    scheduler.advance(15 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().reasons()).contains("decided by the governor");
  }

  /** As one that was started again, or has lost the cluster. */
  @Test
  void aGovernorThatAnswersWithoutLevelsTurnsNobodyToTheFallback() {
    SessionControl control = start();
    scheduler.advance(20 * SECOND);
    knows = false;
    for (int second = 0; second < 30; second++) {
      scheduler.advance(SECOND);
      assertThat(inUse().level()).as("after %d s: %s", second, inUse()).isEqualTo(ONE);
      assertThat(inUse().fallback()).isFalse();
    }
    assertThat(control.isGoverned()).isFalse();
    knows = true;
    scheduler.advance(5 * SECOND);
    assertThat(control.isGoverned()).isTrue();
    assertThat(inUse().level()).isEqualTo(ONE);
  }

  private void losesItsFigures() {
    governed = null;
    lost = Map.of(0.05, "the canary fails");
  }

  @Test
  void aGovernorThatLostItsFiguresTurnsReadsToTheFallbackAtOnceAndForGood() {
    SessionControl control = start();
    scheduler.advance(20 * SECOND);
    losesItsFigures();
    scheduler.advance(1500 * SECOND / 1000);
    assertThat(inUse().level()).isEqualTo(QUORUM);
    assertThat(inUse().fallback()).isTrue();
    assertThat(inUse().reasons())
        .containsExactly("the governor is at the fallback: the canary fails");
    int before = decided.size();
    scheduler.advance(6 * SECOND);
    assertThat(control.isGoverned()).isFalse();
    assertThat(decided).as("what it decides itself").hasSizeGreaterThan(before);
    assertThat(inUse().reasons()).contains("the governor is at the fallback: the canary fails");
    for (int second = 0; second < 90; second++) {
      scheduler.advance(SECOND);
      assertThat(inUse().level()).as("after %d s: %s", second, inUse()).isEqualTo(QUORUM);
    }
    lost = Map.of();
    governed = ReadChoice.of(1);
    scheduler.advance(2 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
  }

  @Test
  void whatAGovernorLeftBeforeItsSilenceDoesNotOutliveItsFigures() {
    SessionControl unused = start();
    scheduler.advance(20 * SECOND);
    answers = false;
    scheduler.advance(10 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
    losesItsFigures();
    answers = true;
    scheduler.advance(8 * SECOND);
    assertThat(inUse().level()).isEqualTo(QUORUM);
  }

  @Test
  void whatASessionDecidedItselfOutlivesAGovernorsFigures() {
    knows = false;
    SessionControl unused = start();
    scheduler.advance(20 * SECOND);
    assertThat(inUse().fallback()).isFalse();
    losesItsFigures();
    knows = true;
    scheduler.advance(2 * SECOND);
    assertThat(inUse().fallback()).isFalse();
  }

  @Test
  void aLevelForStrongerWritesThanWereSeenIsNotTaken() {
    SessionControl unused = start();
    scheduler.advance(5 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
    table.wrote(ONE);
    for (int second = 0; second < 12; second++) {
      scheduler.advance(SECOND);
      assertThat(inUse().reasons()).doesNotContain("decided by the governor");
    }
  }

  @Test
  void weakerWritesThatAnotherSessionMadeCountThoughThereIsNoLevel() {
    SessionControl unused = start();
    scheduler.advance(5 * SECOND);
    write = ONE;
    governed = null;
    scheduler.advance(2 * SECOND);
    assertThat(table.levels().write()).isEqualTo(ONE);
    assertThat(inUse().choice()).isNotEqualTo(ReadChoice.of(1));
    assertThat(inUse().reasons()).doesNotContain("decided by the governor");
  }

  @Test
  void shadowReadsThatConfirmTheLevelHoldItForMinutes() {
    SessionControl unused = start();
    answers = false;
    for (int second = 0; second < 290; second++) {
      found(Verdict.FRESH, 3);
      scheduler.advance(SECOND);
    }
    assertThat(inUse().level()).isEqualTo(ONE);
    scheduler.advance(400 * SECOND);
    assertThat(inUse().level()).isEqualTo(QUORUM);
  }

  @Test
  void shadowReadsThatRefuteItEndItAtOnce() {
    SessionControl unused = start();
    answers = false;
    scheduler.advance(10 * SECOND);
    assertThat(inUse().level()).isEqualTo(ONE);
    found(Verdict.STALE, 20);
    scheduler.advance(2 * SECOND);
    assertThat(inUse().level()).isEqualTo(QUORUM);
  }

  @Test
  void aGovernorThatSeesAnotherReplicationDoesNotDecide() {
    replication = "{dc1=5}";
    SessionControl unused = start();
    scheduler.advance(60 * SECOND);
    assertThat(inUse().choice()).isEqualTo(ReadChoice.of(2));
    assertThat(decided).isNotEmpty();
  }

  /** Of its keys the governor knows nothing, and so it has no level. */
  @Test
  void aTableThatNobodyReadsKeepsNoOtherFromBeingGoverned() {
    hasItems = true;
    SessionControl control = start();
    for (int second = 0; second < 60; second++) {
      table.read(true);
      scheduler.advance(SECOND);
      assertThat(control.isGoverned()).as("after %d s", second).isTrue();
    }
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(items.inUse(items.main()).fallback()).isTrue();
  }

  @Test
  void aTableThatIsReadLaterIsReadAtTheFallbackAtOnceAndAtAPushedLevelSoon() {
    hasItems = true;
    SessionControl control = start();
    scheduler.advance(700 * SECOND);
    assertThat(items.main().next()).as("the first read").isEqualTo(QUORUM);
    for (int second = 0; second < 10; second++) {
      items.read(true);
      items.observed(second, false);
      scheduler.advance(SECOND);
      assertThat(control.isGoverned()).as("after %d s", second).isTrue();
      assertThat(items.main().next()).isEqualTo(QUORUM);
    }
    assertThat(reports.get(reports.size() - 1).tables())
        .filteredOn(each -> each.table().equals(ITEMS))
        .singleElement()
        .satisfies(its -> assertThat(its.use().reads()).isPositive());
    ofItems = ReadChoice.of(1);
    scheduler.advance(2 * SECOND);
    assertThat(items.main().next()).isEqualTo(ONE);
    assertThat(items.inUse(items.main()).reasons()).contains("decided by the governor");
  }

  @Test
  void aSessionThatReadsATableOfWhichTheGovernorLearnsNothingLooksAfterItself() {
    hasItems = true;
    SessionControl control = start();
    scheduler.advance(30 * SECOND);
    for (int second = 0; second < 25; second++) {
      items.read(true);
      scheduler.advance(SECOND);
    }
    assertThat(control.isGoverned()).isFalse();
    ofItems = ReadChoice.of(1);
    scheduler.advance(5 * SECOND);
    assertThat(control.isGoverned()).isTrue();
  }
}
