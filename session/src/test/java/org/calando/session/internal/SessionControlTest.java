package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;
import static org.calando.core.store.ConsistencyLevel.THREE;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.calando.control.ManualScheduler;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.DecisionListener;
import org.calando.session.LevelInUse;
import org.calando.session.PolicyFactory;
import org.calando.session.TableName;
import org.calando.session.internal.governed.Reading;
import org.calando.session.internal.shared.QuietSignals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Levels of reads over a session's life, in virtual time and without a cluster. */
class SessionControlTest {
  private static final TableName NAME = new TableName("shop", "orders");
  private static final long PERIOD = 1_000_000_000L;
  private static final CqlSession NO_DRIVER =
      (CqlSession)
          Proxy.newProxyInstance(
              SessionControlTest.class.getClassLoader(),
              new Class<?>[] {CqlSession.class},
              (proxy, method, args) -> null);

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Asked asked = new Asked();
  private final WatchedTable table =
      new WatchedTable(
          NAME,
          Set.of(),
          0.05,
          false,
          TableLevels.of(ReplicaPlacement.single(3), QUORUM, false),
          new SketchKeys(1),
          scheduler::now);
  private final List<String> made = new ArrayList<>();
  private final List<String> decided = new ArrayList<>();
  private PolicyFactory policies =
      (name, share, safe, local) -> {
        made.add(share + " " + safe.level());
        return new StaticPolicy(ReadChoice.of(1));
      };
  private DecisionListener listener = (name, share, decision) -> decided.add(name + " " + share);
  private ReplicaPlacement placement = ReplicaPlacement.single(3);
  private Optional<Path> state = Optional.empty();

  /** The thread on which nodes are asked: at once, or when the test lets it go on. */
  private static final class Asked extends AbstractExecutorService {
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holds;
    private int times;

    void release() {
      holds = false;
      while (!held.isEmpty()) {
        held.remove().run();
      }
    }

    @Override
    public void execute(Runnable work) {
      times++;
      if (holds) {
        held.add(work);
      } else {
        work.run();
      }
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

  private SessionControl start(boolean idle) {
    return start(idle, Optional.empty());
  }

  private SessionControl start(boolean idle, Optional<Reading> reading) {
    return start(idle, () -> reading);
  }

  private SessionControl start(boolean idle, Supplier<Optional<Reading>> reading) {
    Adaptation.Settings settings =
        new Adaptation.Settings(
            Map.of(NAME, 0.05),
            Map.of(),
            false,
            (name, share, safe, local) -> policies.policy(name, share, safe, local),
            name -> new SketchKeys(1),
            (name, share, decision) -> listener.decided(name, share, decision),
            new Adaptation.Pace(
                Duration.ofNanos(PERIOD),
                Duration.ofNanos(2 * PERIOD),
                Duration.ofNanos(PERIOD / 2),
                5,
                Duration.ofMinutes(1),
                Duration.ZERO,
                scheduler::now),
            state,
            Optional.empty());
    SessionControl control =
        new SessionControl(
            settings,
            keyspace -> Optional.of(placement),
            Map.of(table, new ShadowReads(NO_DRIVER, table, scheduler::now)),
            scheduler,
            asked);
    control.beginFrom((of, target) -> reading.get(), of -> Optional.empty());
    control.start(Map.of("shop", QuietSignals.of(List.of(table), scheduler::now, idle)), List.of());
    scheduler.run();
    return control;
  }

  private SessionControl start() {
    return start(false);
  }

  private LevelInUse inUse() {
    return table.inUse(table.main());
  }

  @Test
  void aLoopThatBeginsWithWhatOthersReadDecidesNothingForWantOfFigures() {
    policies =
        (name, share, safe, local) ->
            new PbsPolicy(AdaptiveConfig.of(share).withLevels(local, safe));
    SessionControl unused = start(false, Optional.of(new Reading(ReadChoice.of(1), "")));
    scheduler.advance(25 * PERIOD);
    assertThat(decided).isEmpty();
    assertThat(table.main().lostFigures()).isFalse();
    assertThat(inUse().fallback()).as("what others read is not this one's to say").isTrue();
    scheduler.advance(10 * PERIOD);
    assertThat(decided).isNotEmpty();
    assertThat(inUse().fallback()).isTrue();
  }

  @Test
  void aLoopThatAwaitsFiguresLooksForThemFourTimesAPeriod() {
    policies =
        (name, share, safe, local) ->
            new PbsPolicy(AdaptiveConfig.of(share).withLevels(local, safe));
    SessionControl unused = start(false, Optional.of(new Reading(ReadChoice.of(1), "")));
    int begun = asked.times;
    scheduler.advance(10 * PERIOD);
    assertThat(asked.times - begun).isBetween(38, 42);
    scheduler.advance(25 * PERIOD);
    assertThat(decided).isNotEmpty();
    int over = asked.times;
    scheduler.advance(10 * PERIOD);
    assertThat(asked.times - over).as("once it decides").isEqualTo(10);
  }

  @Test
  void aLoopThatHasDecidedNothingBeginsAnewWithWhatOthersReadByNow() {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    policies = (name, share, safe, local) -> policy;
    List<String> states = new ArrayList<>();
    listener = (name, share, decision) -> states.add(decision.stateBefore());
    AtomicReference<ReadChoice> reading = new AtomicReference<>(ReadChoice.of(2));
    SessionControl control = start(false, () -> Optional.of(new Reading(reading.get(), "")));
    scheduler.advance(25 * PERIOD);
    reading.set(ReadChoice.of(1));
    control.beginAnew(control.tables().get(0), table.main());
    scheduler.advance(25 * PERIOD);
    assertThat(states).as("it awaits figures anew").isEmpty();
    scheduler.advance(10 * PERIOD);
    assertThat(states.get(0)).isEqualTo(policy.begunAt(ReadChoice.of(1), ""));
    int before = states.size();
    control.beginAnew(control.tables().get(0), table.main());
    scheduler.advance(3 * PERIOD);
    assertThat(states.size()).as("one that decides goes on").isGreaterThan(before);
  }

  @Test
  void aLoopThatBeginsWithNothingDecidesOnTheFallbackAtOnce() {
    policies =
        (name, share, safe, local) ->
            new PbsPolicy(AdaptiveConfig.of(share).withLevels(local, safe));
    SessionControl unused = start();
    assertThat(decided).hasSize(1);
  }

  @Test
  void aDecisionHoldsForFivePeriodsWithoutAnother() {
    SessionControl unused = start();
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().fallback()).isFalse();
    assertThat(decided).containsExactly("shop.orders 0.05");
    scheduler.advance(10 * PERIOD);
    assertThat(decided).hasSize(11);
    asked.holds = true;
    scheduler.advance(5 * PERIOD - 1);
    assertThat(inUse().level()).isEqualTo(ONE);
    scheduler.advance(1);
    assertThat(inUse().level()).isEqualTo(QUORUM);
    assertThat(inUse().reasons())
        .containsExactly("no decision for 5.0 s: an observation is still under way");
    // What was asked so long ago is not decided on, but asked again.
    asked.release();
    assertThat(decided).hasSize(11);
    scheduler.advance(PERIOD);
    assertThat(decided).hasSize(12);
    assertThat(inUse().level()).isEqualTo(ONE);
  }

  @Test
  void aProcessThatWasStoppedReadsSafelyUntilItHasDecidedAgain() {
    SessionControl unused = start();
    scheduler.advance(PERIOD / 2);
    asked.holds = true;
    scheduler.advance(PERIOD);
    scheduler.jump(100 * PERIOD);
    // Reads may come before any task.
    assertThat(table.main().next()).isEqualTo(QUORUM);
    asked.release();
    scheduler.run();
    // An answer from before the stop is no decision.
    assertThat(table.main().next()).isEqualTo(QUORUM);
    scheduler.advance(PERIOD);
    assertThat(table.main().next()).isEqualTo(ONE);
  }

  @Test
  void aClockThatIsSetBackMakesReadsSafeForAPeriod() {
    SessionControl unused = start();
    scheduler.jump(-PERIOD / 4);
    assertThat(table.main().next()).isEqualTo(QUORUM);
    scheduler.advance(3 * PERIOD);
    assertThat(table.main().next()).isEqualTo(ONE);
  }

  @Test
  void aShareThatAStatementToleratesIsDecidedForFromTheNextPeriodOn() {
    SessionControl unused = start();
    Target other = table.target(0.5);
    assertThat(other.next()).isEqualTo(QUORUM);
    scheduler.advance(PERIOD);
    assertThat(other.next()).isEqualTo(ONE);
    assertThat(made).containsExactly("0.05 QUORUM", "0.5 QUORUM");
    scheduler.advance(PERIOD);
    assertThat(decided).hasSize(5);
  }

  @Test
  void weakerWritesHaveThePolicyMadeAnew() {
    SessionControl unused = start();
    table.wrote(ONE);
    assertThat(inUse().reasons()).containsExactly("writes at ONE were seen");
    scheduler.advance(PERIOD);
    assertThat(made).containsExactly("0.05 QUORUM", "0.05 ALL");
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().write()).isEqualTo(ONE);
    // The former loop has ended.
    decided.clear();
    scheduler.advance(3 * PERIOD);
    assertThat(decided).hasSize(3);
  }

  @Test
  void anotherReplicationIsFollowedOrReadsAreAtTheFallback() {
    SessionControl unused = start();
    placement = ReplicaPlacement.single(5);
    scheduler.advance(PERIOD);
    assertThat(table.levels().replicas()).isEqualTo(5);
    assertThat(inUse().fallback()).isFalse();
    table.relevel(TableLevels.of(placement, THREE, false), "the test writes at THREE");
    scheduler.advance(PERIOD);
    decided.clear();
    placement = ReplicaPlacement.single(2);
    scheduler.advance(2 * PERIOD);
    assertThat(decided).isEmpty();
    assertThat(inUse().fallback()).isTrue();
    assertThat(inUse().reasons()).singleElement().asString().contains("THREE");
  }

  @Test
  void aPolicyThatFailsIsAskedAgainAPeriodLater() {
    PolicyFactory working = policies;
    policies =
        (name, share, safe, local) -> {
          throw new IllegalStateException("no policy");
        };
    SessionControl unused = start();
    assertThat(inUse().fallback()).isTrue();
    assertThat(inUse().reasons())
        .containsExactly("deciding failed: java.lang.IllegalStateException: no policy");
    policies = working;
    scheduler.advance(PERIOD);
    assertThat(inUse().level()).isEqualTo(ONE);
    scheduler.advance(PERIOD);
    assertThat(decided).hasSize(2);
  }

  @Test
  void aListenerThatFailsDoesNotChangeLevels() {
    listener =
        (name, share, decision) -> {
          throw new IllegalStateException("a defect");
        };
    SessionControl unused = start();
    scheduler.advance(PERIOD);
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().reasons())
        .contains("the listener failed: java.lang.IllegalStateException: a defect");
  }

  @Test
  void nothingIsDecidedOnceItIsClosed() {
    SessionControl control = start();
    asked.holds = true;
    scheduler.advance(PERIOD);
    control.close();
    asked.release();
    scheduler.advance(3 * PERIOD);
    assertThat(decided).hasSize(1);
    assertThat(inUse().fallback()).isTrue();
    assertThat(inUse().reasons()).containsExactly("closed");
    control.close();
  }

  @Test
  void aListenerMayCloseTheSession() {
    List<SessionControl> control = new ArrayList<>();
    DecisionListener noting = listener;
    listener =
        (name, share, decision) -> {
          noting.decided(name, share, decision);
          control.forEach(SessionControl::close);
        };
    control.add(start());
    scheduler.advance(3 * PERIOD);
    assertThat(decided).hasSize(2);
    assertThat(inUse().reasons()).containsExactly("closed");
  }

  @Test
  void whatNobodyReadsIsKeptAsItWas() {
    table.set(
        table.main(),
        table.levels(),
        ReadChoice.of(1),
        false,
        scheduler.now(),
        PERIOD,
        List.of("because"));
    SessionControl unused = start(true);
    scheduler.advance(500 * PERIOD);
    assertThat(decided).isEmpty();
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().reasons())
        .containsExactly("because", "nobody reads the table: kept as it was");
    scheduler.advance(100 * PERIOD);
    assertThat(inUse().level()).isEqualTo(QUORUM);
  }

  @Test
  void aSessionBeginsAsTheOneBeforeLeftIt(@TempDir Path folder) {
    state = Optional.of(folder.resolve("state"));
    start().close();
    assertThat(inUse().level()).isEqualTo(QUORUM);
    asked.holds = true;
    SessionControl unused = start();
    assertThat(inUse().level()).isEqualTo(ONE);
    assertThat(inUse().reasons())
        .singleElement()
        .asString()
        .startsWith("as an earlier session left it");
    scheduler.advance(10 * PERIOD);
    assertThat(inUse().level()).isEqualTo(QUORUM);
  }
}
