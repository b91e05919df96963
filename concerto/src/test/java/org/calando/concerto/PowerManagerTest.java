package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.clock.ClockOutcome;
import org.calando.clock.FakeMachine;
import org.calando.clock.FakeTree;
import org.calando.clock.MachineLease;
import org.calando.clock.MemoryFolder;
import org.calando.clock.NodeClocks;
import org.calando.control.order.KnobOrders;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.WorkSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On clocks of files; a clock that stands still leaves events as the only reason to decide. */
@Timeout(60)
class PowerManagerTest {
  private static final long HOUR = 3_600_000_000_000L;
  private static final long MILLI = 1_000_000L;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final FakeRoles roles = new FakeRoles();
  private final SteadyScheduler scheduler = new SteadyScheduler(5);
  private final Heard heard = new Heard();
  private FakeMachine machine;
  private MachineLease lease;
  private NodeClocks clocks;
  private FakeStat stat;

  @BeforeEach
  void aMasterAndAReplica() {
    machine = new FakeMachine(folder, FakeTree.Kind.ACPI_CPUFREQ, 2);
    stat = new FakeStat(folder.resolve("stat")).used(100, 0).used(101, 0);
    lease = machine.begin();
    clocks = lease.clocks(Map.of("m", CpuSet.of(0), "r", CpuSet.of(1)));
    roles.master("m", 100, 5).replica("r", 101, 5);
  }

  @AfterEach
  void endTheLease() {
    scheduler.close();
    lease.close();
  }

  @Test
  void theFirstDecisionIsCarriedOutWhenStartReturns() {
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR))) {
      assertThat(clock(0)).isEqualTo(2_200_000);
      assertThat(clock(1)).isEqualTo(1_000_000);
      assertThat(manager.raiseCount()).isZero();
      assertThat(manager.raiseNanos(50)).isZero();
      assertThat(manager.problems()).containsExactly("n9 does not answer");
      assertThat(manager.cpuNanos()).isGreaterThan(roles.cpuNanos());
    }
    assertThat(roles.isClosed()).isTrue();
    assertThat(heard.troubles()).isEmpty();
  }

  @Test
  void aChangeIsDecidedAtOnceAndItsTimeCounted() {
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR))) {
      roles.replica("m", 100, 5).master("r", 101, 5);
      scheduler.set(5 + 3 * MILLI);
      roles.tell(RoleEvent.Kind.RAISE, "r", 5);
      await().until(() -> manager.raiseCount() == 1);
      assertThat(clock(1)).isEqualTo(2_200_000);
      assertThat(clock(0)).isEqualTo(1_000_000);
      assertThat(manager.raiseNanos(100)).isBetween(3 * MILLI, 3 * MILLI + 10_000);
      await().until(() -> heard.raises().equals(List.of(3 * MILLI)));
      // That somebody may be slower is no raise.
      roles.tell(RoleEvent.Kind.LOWER, "m", 5);
      await().until(() -> heard.decisions() == 3);
      assertThat(manager.raiseCount()).isEqualTo(1);
    }
  }

  /** Whoever becomes the master must not be slow, whatever an operator wants. */
  @Test
  void whilePausedClocksAreRaisedAndNotLowered() {
    AtomicReference<KnobOrders.Order> order = new AtomicReference<>(KnobOrders.Order.NONE);
    Set<String> overruled = ConcurrentHashMap.newKeySet();
    orders =
        new KnobOrders() {
          @Override
          public Order of(String knob) {
            return order.get();
          }

          @Override
          public void overruled(String knob, Set<String> targets) {
            overruled.addAll(targets);
          }
        };
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR))) {
      order.set(new KnobOrders.Order(Optional.of("paused by ann"), Optional.empty(), false));
      roles.replica("m", 100, 5).master("r", 101, 5);
      scheduler.set(5 + 3 * MILLI);
      roles.tell(RoleEvent.Kind.RAISE, "r", 5);
      await().until(() -> manager.raiseCount() == 1);
      assertThat(clock(1)).isEqualTo(2_200_000);
      assertThat(clock(0)).as("that of the former master").isEqualTo(2_200_000);
      assertThat(overruled).containsExactly("r");
      order.set(KnobOrders.Order.NONE);
      roles.tell(RoleEvent.Kind.LINK, "r", 5);
      await().until(() -> clock(0) == 1_000_000);
    }
  }

  @Test
  void moreChangesThanCanWaitEndInADecisionByTheLastOfThem() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    Heard slow = new Heard();
    ManagerListener blocking =
        new ManagerListener() {
          @Override
          public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
            slow.decided(decided, outcomes);
            busy.countDown();
            if (busy.getCount() == 0) {
              try {
                goOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
          }
        };
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), blocking)) {
      roles.tell(RoleEvent.Kind.LINK, "r", 5);
      busy.await();
      for (int i = 0; i < 3000; i++) {
        roles.tell(RoleEvent.Kind.RAISE, "r", 5);
      }
      roles.master("r", 101, 5);
      goOn.countDown();
      await().until(() -> clock(1) == 2_200_000);
      await().until(() -> manager.raiseCount() >= 1024);
      assertThat(manager.raiseCount()).as("those that could wait").isEqualTo(1024);
      await("the first, the link's, and one for all").until(() -> slow.decisions() == 3);
    }
  }

  @Test
  void whatCannotBeKnownRaisesAll() {
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR))) {
      roles.failWith(new IllegalStateException("no more"));
      roles.tellAnything();
      await().until(() -> !heard.troubles().isEmpty());
      await().until(() -> clock(1) == 2_200_000);
      assertThat(heard.troubles()).first().asString().contains("all clocks are raised", "no more");
      roles.failWith(null);
      roles.tell(RoleEvent.Kind.LINK, "r", 5);
      await().until(() -> clock(1) == 1_000_000);
      assertThat(manager.raiseCount()).isZero();
    }
  }

  @Test
  void timePassesDecisionsLooksAndEntries() {
    try (PowerManager manager = start(new ManagerTimes(MILLI, MILLI, MILLI))) {
      machine.tree.put(0, "scaling_setspeed", "1400000");
      stat.used(101, 1);
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                long later = scheduler.clock().nanos() + 50 * MILLI;
                scheduler.set(later);
                roles.master("m", 100, later).replica("r", 101, later);
                // A clock is seen before what set it is told.
                return clock(0) == 2_200_000
                    && manager.energy().seconds() > 0.1
                    && heard.decisions() > 1
                    && !heard.drifts().isEmpty();
              });
      assertThat(manager.energy().nodes()).containsOnlyKeys("m", "r");
    }
  }

  @Test
  void theEndIsEnteredInTheAccountAndMayComeTwice() {
    PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR));
    scheduler.set(5 + 2_000_000_000L);
    manager.close();
    manager.close();
    assertThat(manager.energy().seconds()).isEqualTo(2);
    // Clocks stay until their lease ends.
    assertThat(clock(1)).isEqualTo(1_000_000);
  }

  @Test
  void aCloseInTheMidstOfADecisionLeavesClocksThatCanBeSet() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ManagerListener blocking =
        new ManagerListener() {
          @Override
          public void trouble(String what) {
            busy.countDown();
            awaitOrMark(goOn);
          }
        };
    PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), blocking);
    // The new master is set first, and is refused; the new replica is still to be set.
    machine.kernel.refuse.add("policy1/scaling_setspeed");
    roles.replica("m", 100, 5).master("r", 101, 5);
    roles.tell(RoleEvent.Kind.RAISE, "r", 5);
    busy.await();
    Thread closer = closing(manager);
    goOn.countDown();
    closer.join();
    assertThat(clock(0)).as("the decision was carried out").isEqualTo(1_000_000);
    machine.kernel.refuse.clear();
    assertThat(clocks.set("m", 2_200_000).faults()).isEmpty();
    assertThat(clocks.set("r", 2_200_000).faults()).isEmpty();
  }

  @Test
  void aCloseIsHeardAlsoWhereNoMoreChangesCanWait() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    Heard slow = new Heard();
    ManagerListener blocking =
        new ManagerListener() {
          @Override
          public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
            slow.decided(decided, outcomes);
            busy.countDown();
            if (busy.getCount() == 0) {
              awaitOrMark(goOn);
            }
          }
        };
    PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), blocking);
    roles.tell(RoleEvent.Kind.LINK, "r", 5);
    busy.await();
    for (int i = 0; i < 3000; i++) {
      roles.tell(RoleEvent.Kind.RAISE, "r", 5);
    }
    Thread closer = closing(manager);
    scheduler.set(5 + 2_000_000_000L);
    goOn.countDown();
    closer.join();
    assertThat(manager.energy().seconds()).as("the end was entered").isEqualTo(2);
    assertThat(slow.decisions()).isEqualTo(2);
  }

  @Test
  void aManagerThatFailsRaisesAllAndSaysSo() {
    ManagerListener failing =
        new ManagerListener() {
          @Override
          public void raised(RoleEvent event, long afterNanos) {
            throw new AssertionError("not this one");
          }
        };
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), failing)) {
      assertThat(clock(1)).isEqualTo(1_000_000);
      roles.tell(RoleEvent.Kind.RAISE, "m", 5);
      await().until(() -> clock(1) == 2_200_000 && manager.problems().size() == 2);
      assertThat(manager.problems())
          .contains("n9 does not answer")
          .first()
          .asString()
          .contains("sets no clock any more", "not this one");
    }
  }

  @Test
  void whatCouldNotBeRaisedWhenTheManagerFailedIsTold() {
    ManagerListener deaf =
        new ManagerListener() {
          @Override
          public void trouble(String what) {
            throw new IllegalStateException("deaf");
          }
        };
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), deaf)) {
      machine.kernel.refuse.add("policy1/scaling_setspeed");
      roles.failWith(new IllegalStateException("no more"));
      roles.tellAnything();
      await().until(() -> manager.problems().get(0).contains("cannot be raised"));
      assertThat(manager.problems().get(0)).contains("deaf", "raised: r: ", "Invalid argument");
      machine.kernel.refuse.clear();
      roles.failWith(null);
    }
  }

  @Test
  void aFailureToHearOfARaiseDoesNotEndTheManaging() {
    ManagerListener failing =
        new ManagerListener() {
          @Override
          public void raised(RoleEvent event, long afterNanos) {
            throw new IllegalStateException("not this one");
          }

          @Override
          public void trouble(String what) {
            heard.trouble(what);
          }
        };
    try (PowerManager manager = start(new ManagerTimes(HOUR, HOUR, HOUR), failing)) {
      roles.tell(RoleEvent.Kind.RAISE, "m", 5);
      await().until(() -> clock(1) == 2_200_000 && !heard.troubles().isEmpty());
      assertThat(heard.troubles()).singleElement().asString().contains("not this one");
      roles.tell(RoleEvent.Kind.LINK, "r", 5);
      await().until(() -> clock(1) == 1_000_000);
      assertThat(manager.problems()).containsExactly("n9 does not answer");
    }
  }

  @Test
  void aManagerThatFailsAtOnceDoesNotStart() {
    ManagerListener failing =
        new ManagerListener() {
          @Override
          public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
            throw new AssertionError("not at all");
          }
        };
    assertThatThrownBy(() -> start(new ManagerTimes(HOUR, HOUR, HOUR), failing))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("not at all");
    assertThat(roles.isClosed()).isTrue();
    assertThat(clock(1)).isEqualTo(2_200_000);
  }

  /** A thread that has closed the manager but for waiting for its thread. */
  private Thread closing(PowerManager manager) {
    Thread closer = new Thread(manager::close, "closes the manager");
    closer.start();
    await().until(() -> roles.isClosed() && closer.getState() == Thread.State.TIMED_WAITING);
    return closer;
  }

  private static void awaitOrMark(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private volatile KnobOrders orders = KnobOrders.NONE;

  private PowerManager start(ManagerTimes times) {
    return start(times, heard);
  }

  private PowerManager start(ManagerTimes times, ManagerListener listener) {
    ManagerConfig config =
        new ManagerConfig(
            List.of(ManagedNode.of("m", CpuSet.of(0)), ManagedNode.of("r", CpuSet.of(1))),
            new ConcertoPolicy(ClockLimits.defaults().withWaits(0, 0)),
            PStates.xeonSilver4114(),
            times,
            WorkSource.NONE,
            stat.cpu(),
            listener,
            (decision, inForce) -> {},
            orders);
    return PowerManager.start(config, clocks, Optional.empty(), roles::watch, scheduler);
  }

  private long clock(int policy) {
    return Long.parseLong(machine.tree.get(policy, "scaling_setspeed"));
  }
}
