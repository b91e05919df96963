package org.calando.core.policy.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.policy.clock.ClockViews.CLOCKS;
import static org.calando.core.policy.clock.ClockViews.HIGH;
import static org.calando.core.policy.clock.ClockViews.MS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

/** What no sequence of observations may bring about. */
class ClockSafetyTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final ClockLimits LIMITS =
      new ClockLimits(1_000 * MS, 300 * MS, 500 * MS, 1_000, 1_000, 0.5);
  private static final List<Role> ROLES = List.of(Role.MASTER, Role.REPLICA, Role.UNKNOWN);
  private static final List<ClockPolicy> POLICIES =
      List.of(
          FixedClockPolicy.ALL_HIGH,
          new ConcertoPolicy(LIMITS),
          new ConcertoPolicy(LIMITS, true),
          new SlackPolicy(LIMITS, SlackLimits.defaults()));

  @Test
  void noSequenceOfFourSituationsLeavesLowWhoMustBeHigh() {
    // From a replica that was just lowered; steps are as long as what is waited for.
    List<Situation> all = Situation.all();
    Situation quiet = all.get(2);
    int sequences = all.size() * all.size() * all.size() * all.size();
    for (ClockPolicy policy : POLICIES) {
      Checked run = new Checked(policy, "", false);
      for (int sequence = 0; sequence < sequences; sequence++) {
        run.restart("sequence " + sequence);
        run.step(LIMITS.lowerAfterNanos(), List.of(quiet));
        run.step(LIMITS.lowerAfterNanos(), List.of(quiet));
        int rest = sequence;
        for (int i = 0; i < 4; i++) {
          run.step(LIMITS.lowerAfterNanos(), List.of(all.get(rest % all.size())));
          rest /= all.size();
        }
      }
      if (policy != FixedClockPolicy.ALL_HIGH) {
        assertThat(run.lowered).as(policy.name()).isGreaterThanOrEqualTo(sequences);
      }
    }
  }

  @Test
  void noRandomSequenceLowersWhoMustBeHigh() {
    for (ClockPolicy policy : POLICIES) {
      Random random = new Random(SEED);
      Checked run = new Checked(policy, "", true);
      for (int trial = 0; trial < 80; trial++) {
        run.restart("seed " + SEED + ", trial " + trial);
        for (int i = 0; i < 60; i++) {
          List<Situation> nodes = new ArrayList<>();
          for (int node = 0; node < 3; node++) {
            nodes.add(Situation.random(random));
          }
          // Clocks of processes that are restarted may go back, and polls may be held up.
          long step =
              random.nextInt(40) == 0 ? random.nextInt(4_000) - 2_000 : 1 + random.nextInt(150);
          run.step(step * MS, nodes);
        }
      }
      if (policy != FixedClockPolicy.ALL_HIGH) {
        assertThat(run.lowered).as(policy.name() + " lowers at times").isGreaterThan(40);
      }
    }
  }

  /** What a node is like. */
  private record Situation(
      Role role,
      boolean linkUp,
      boolean promised,
      long ageNanos,
      OptionalLong lag,
      boolean serves,
      double busyShare) {
    static List<Situation> all() {
      OptionalLong none = OptionalLong.empty();
      OptionalLong little = OptionalLong.of(100);
      return List.of(
          new Situation(Role.MASTER, true, false, 0, none, false, 0.1),
          new Situation(Role.UNKNOWN, false, false, 0, none, false, 0.1),
          new Situation(Role.REPLICA, true, false, 0, little, false, 0.1),
          new Situation(Role.REPLICA, true, false, 0, little, true, 0.5),
          new Situation(Role.REPLICA, true, true, 0, little, false, 0.1),
          new Situation(Role.REPLICA, false, false, 0, little, false, 0.1),
          new Situation(Role.REPLICA, true, false, 2_000 * MS, little, false, 0.1),
          new Situation(Role.REPLICA, true, false, 0, OptionalLong.of(1_001), false, 0.1),
          new Situation(Role.REPLICA, true, false, 0, OptionalLong.of(700), false, 0.1));
    }

    /** Quiet replicas mostly, so that clocks are lowered. */
    static Situation random(Random random) {
      if (random.nextInt(12) > 0) {
        return new Situation(
            Role.REPLICA,
            true,
            false,
            random.nextInt(50) * MS,
            OptionalLong.of(random.nextInt(600)),
            random.nextBoolean(),
            random.nextDouble() / 2);
      }
      return new Situation(
          ROLES.get(random.nextInt(ROLES.size())),
          random.nextBoolean(),
          random.nextInt(4) == 0,
          (random.nextInt(3_000) - 500) * MS,
          random.nextInt(4) == 0 ? OptionalLong.empty() : OptionalLong.of(random.nextInt(2_000)),
          random.nextBoolean(),
          2 * random.nextDouble() - 0.5);
    }

    /** Whether it may run below its highest clock at all. */
    boolean mayBeLow() {
      return role == Role.REPLICA
          && linkUp
          && !promised
          && ageNanos >= 0
          && ageNanos <= LIMITS.maxAgeNanos()
          && lag.isPresent()
          && lag.getAsLong() <= LIMITS.lagBytes();
    }

    Node node(String name, long nowNanos) {
      long at = nowNanos - ageNanos;
      NodeRole word = new NodeRole(name, 1, "run", role, "", linkUp, 0, 0, at);
      Work work = new Work(nowNanos, HIGH, busyShare, busyShare * 1e5, 10_000, 10, 10_000);
      return new Node(
          new NodeView(word, role != Role.REPLICA || promised, promised, serves, lag, lag),
          CLOCKS,
          Optional.of(work));
    }
  }

  /** A run of a policy that is checked at every step. */
  private static final class Checked {
    private final ClockPolicy policy;
    private final boolean replayed;
    private String what;
    private long now;
    private ClockState state = ClockState.INITIAL;
    private final long[] lastTrouble = new long[3];
    private final long[] clocks = new long[3];
    private long lowered;

    Checked(ClockPolicy policy, String what, boolean replayed) {
      this.policy = policy;
      this.replayed = replayed;
      this.what = what;
    }

    void restart(String newWhat) {
      what = newWhat;
      now = 0;
      state = ClockState.INITIAL;
      Arrays.fill(lastTrouble, 0);
      Arrays.fill(clocks, HIGH);
    }

    void step(long stepNanos, List<Situation> situations) {
      now += stepNanos;
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < situations.size(); i++) {
        nodes.add(situations.get(i).node("n" + i, now));
      }
      ClockObservation observation = new ClockObservation(now, nodes);
      Step<ClockState> step = policy.decide(state, observation);
      require(step.settings().size() == nodes.size(), "every node is set", step);
      for (int i = 0; i < situations.size(); i++) {
        check(i, situations.get(i), stepNanos, step);
      }
      if (replayed) {
        ClockState read = ClockState.read(state.write());
        require(policy.decide(read, observation).equals(step), "a replay decides alike", step);
      }
      state = step.state();
    }

    private void check(int i, Situation situation, long stepNanos, Step<ClockState> step) {
      Setting<?> setting = step.settings().get(i);
      long kHz = (Long) setting.value();
      require(setting.target().equals("n" + i) && CLOCKS.contains(kHz), "a clock of n" + i, step);
      if (!situation.mayBeLow()) {
        require(kHz == HIGH, "n" + i + " is high", step);
        lastTrouble[i] = now;
      }
      if (stepNanos < 0) {
        lastTrouble[i] = now;
      }
      if (kHz < clocks[i]) {
        require(
            now - lastTrouble[i] >= LIMITS.lowerAfterNanos(), "n" + i + " was waited for", step);
        lowered++;
      }
      clocks[i] = kHz;
    }

    /** Not by AssertJ: it is asked a million times. */
    private void require(boolean holds, String should, Step<ClockState> step) {
      if (!holds) {
        throw new AssertionError(
            "%s, %s, at %d: not so that %s: %s after %s"
                .formatted(policy.name(), what, now, should, step, state));
      }
    }
  }
}
