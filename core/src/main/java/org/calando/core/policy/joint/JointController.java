package org.calando.core.policy.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.Words;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.JointSearch.Found;
import org.calando.core.policy.joint.JointSearch.Within;
import org.calando.core.policy.joint.JointState.Learnt;

/*
 * Each decision: learn how what is seen differs from what was predicted, then
 *
 *   a figure is not known     strong reads, the fastest clock, the highest gear
 *   a part is broken          as fresh as promised and the fastest clock, at once; the highest gear,
 *                             where that does not help
 *   what is set breaks one    the cheapest setting of the present gear that keeps it, at once; if there
 *                             is none, a higher gear is ordered and the fastest clock bridges the boot
 *   less would do             for a while, with a band to spare: levels and clocks are eased
 *   another gear is cheaper   for as long as shifting there and back costs (renting skis), and the
 *                             load that is expected when nodes have booted keeps the promise there
 *
 * No read asks more replicas than answer, or than would be left if as many failed as may: freshness
 * gives way, and the reasons say so.
 *
 * So the cheapest of all settings is found together, and moves are what differs: levels and clocks
 * take effect at once, gears take minutes and cost joules.
 */
/**
 * Decides on read levels, gear and clocks at once, so that all parts of a promise are kept with the
 * fewest watts. Immutable and thread safe.
 */
public final class JointController implements Controller<JointState> {
  /** What a move of levels and clocks is to save at least, as a share. */
  private static final double WORTH = 0.01;

  /** The same of replicas of a master, whose work is a small part of what idle nodes draw. */
  private static final double ANY = 1e-6;

  /** Hints for nodes that are away are kept for a day at most. */
  private static final long LONGEST_LATE_NANOS = Duration.ofDays(1).toNanos();

  private final JointCluster cluster;
  private final Promise promise;
  private final JointLimits limits;
  private final AdaptiveConfig correcting;

  /**
   * A controller.
   *
   * @param cluster what may be set
   * @param promise what is to be kept; reads are strong where no stale ones are promised
   * @param limits how carefully
   */
  public JointController(JointCluster cluster, Promise promise, JointLimits limits) {
    this.cluster = cluster;
    this.promise = promise;
    this.limits = limits;
    this.correcting = AdaptiveConfig.of(promise.limit(Promised.STALE).orElse(0));
  }

  /** What it may set. */
  public JointCluster cluster() {
    return cluster;
  }

  @Override
  public String name() {
    return "joint";
  }

  @Override
  public Set<SignalId<?>> needs() {
    Set<SignalId<?>> needs = new HashSet<>();
    needs.add(Observation.READS);
    needs.add(ClockObservation.CLOCKS);
    needs.add(ReadLatency.SIGNAL);
    if (cluster.highest() > 1) {
      needs.add(GearObservation.GEARS);
    }
    return Set.copyOf(needs);
  }

  @Override
  public Set<KnobId<?>> sets() {
    Set<KnobId<?>> sets = new HashSet<>();
    sets.add(KnobId.READ_LEVEL);
    if (cluster.highest() > 1) {
      sets.add(KnobId.GEAR);
    }
    if (cluster.clocksKHz().size() > 1) {
      sets.add(KnobId.CLOCK);
    }
    return Set.copyOf(sets);
  }

  @Override
  public JointState initial() {
    return JointState.INITIAL;
  }

  @Override
  public String write(JointState state) {
    return state.write();
  }

  @Override
  public JointState read(String text) {
    return JointState.read(text);
  }

  @Override
  public Step<JointState> decide(JointState last, Signals signals) {
    JointView view = new JointView(cluster, promise, limits, correcting, signals, last);
    JointState state =
        late(last.advancedTo(signals.atNanos(), view.gear(), limits.maxAgeNanos()), view);
    long gap = signals.atNanos() - last.atNanos();
    if (last.set().gear() > 0 && view.hasFailed()) {
      state = state.with(state.times().late(afterFailure(last.times().lateNanos(), gap)));
    }
    long passed = gap >= 0 && gap <= limits.maxAgeNanos() ? gap : 0;
    state = state.with(view.told(state));
    Optional<String> unknown = view.unknown(state);
    if (unknown.isPresent()) {
      return safe(state, view, unknown.get());
    }
    Learnt learnt = view.learn(state, passed);
    state = state.with(learnt);
    boolean broken = view.broken().isPresent();
    state = state.with(state.times().broken(broken ? state.times().brokenNanos() + passed : 0));
    JointSearch now = view.search(state);
    int fewest = state.times().lateNanos() > 0 ? whileLate(view, now) : 1;
    return broken
        ? broken(state, view, now, fewest, passed)
        : keep(state, view, now, fewest, passed);
  }

  /**
   * Replicas that begin to serve lack what was written while they did not, until they have got it;
   * those that are left may lack what those that leave acknowledged just before.
   */
  private JointState late(JointState state, JointView view) {
    int served = state.set().serving();
    if (served == 0 || !view.isObserved()) {
      return state;
    }
    long late = view.serving() > served ? limits.recoveryNanos() : 0;
    boolean changes = view.serving() < served || view.owes();
    late = changes ? Math.max(late, limits.easeNanos()) : late;
    return late > 0 ? state.with(state.times().late(late)) : state;
  }

  /**
   * Replicas that a read asks while some lack writes: as many as are strong. Where that is more
   * work than the nodes can do, writes get lost to more of them, and none catches up: a safe read
   * is what is left then, which asks a quorum at most where some reads may be stale.
   */
  private int whileLate(JointView view, JointSearch now) {
    int strong = cluster.strong(cluster.highest());
    int safe = Math.min(strong, view.wantedSafe());
    boolean bears =
        safe == strong || now.keeps(now.model().of(view.serving(), 0, ReadChoice.of(strong)), 0);
    return bears ? strong : safe;
  }

  /**
   * For how long a node that does not serve lacks writes once it does: for as long as it did not.
   */
  private long afterFailure(long lateNanos, long gapNanos) {
    long away = Math.min(LONGEST_LATE_NANOS, Math.max(0, gapNanos));
    return Math.max(limits.recoveryNanos(), Math.min(LONGEST_LATE_NANOS, lateNanos + away));
  }

  /** Nothing is known well enough to be eased. */
  private Step<JointState> safe(JointState state, JointView view, String why) {
    ReadChoice reads = view.safeReads(state);
    int serving = view.isObserved() ? view.serving() : state.set().serving();
    List<String> reasons = new ArrayList<>();
    reasons.add("%s: %s: safe, %s".formatted(name(), why, set(reads, cluster.highest(), 0)));
    if (!view.isStrained()) {
      view.givesWay(view.wantedSafe()).ifPresent(reasons::add);
    }
    return step(
        state.deciding(new JointState.Set(reads, cluster.highest(), serving, fastest())),
        view,
        reasons);
  }

  /** A part is seen to be broken: what takes effect at once is tried before nodes are booted. */
  private Step<JointState> broken(
      JointState state, JointView view, JointSearch now, int fewest, long passed) {
    Found found =
        now.at(view.serving(), 0, limits.margin(), new Within(fewest, view.mostReplicas(), 0));
    GearChooser.Choice chosen = GearChooser.choose(state, view, now, passed);
    boolean stays = state.times().brokenNanos() >= limits.easeNanos();
    int gear = stays ? cluster.highest() : Math.max(view.gear(), chosen.gear());
    List<String> reasons = new ArrayList<>();
    reasons.add(
        "%s: %s: %s".formatted(name(), view.broken().orElseThrow(), set(found.reads(), gear, 0)));
    givesWay(view, now, found, fewest).ifPresent(reasons::add);
    return step(
        state
            .with(state.times().other(0, 0))
            .deciding(new JointState.Set(found.reads(), gear, view.serving(), fastest())),
        view,
        reasons);
  }

  /** Why reads are not as fresh as they are to be; empty if they are. */
  private Optional<String> givesWay(JointView view, JointSearch now, Found found, int fewest) {
    int wanted = now.isFresh(found, 0) ? fewest : Math.max(fewest, cluster.strong(view.serving()));
    int strong = cluster.strong(cluster.highest());
    boolean isTooMuch = fewest > 1 && fewest < strong;
    Optional<String> most = view.givesWay(isTooMuch ? strong : wanted);
    return isTooMuch && most.isEmpty()
        ? Optional.of(
            "reads may be staler than promised: strong ones, while replicas lack writes, ask %s,"
                    .formatted(Words.replicas(strong))
                + " which is more than the nodes can do")
        : most;
  }

  private Step<JointState> keep(
      JointState state, JointView view, JointSearch now, int fewest, long passed) {
    int serving = view.serving();
    JointState next = state;
    String held = "";
    Found current = current(state, view, now);
    int most = view.mostReplicas();
    Within all = new Within(fewest, most, cluster.clocksKHz().size() - 1);
    boolean keeps =
        current.reads().mean() >= Math.min(fewest, most)
            && now.isFresh(current, limits.margin())
            && now.keeps(current.forecast(), limits.margin());
    Optional<Found> eased = now.cheapest(serving, limits.margin() + limits.band(), all);
    Found chosen;
    if (!keeps) {
      chosen = safer(current, now, new Within(fewest, most, current.clock()));
    } else if (eased.isPresent() && eased.get().watts() < current.watts() * (1 - worth())) {
      long calm = state.times().calmNanos() + passed;
      chosen = calm >= limits.easeNanos() ? eased.get() : current;
      next = next.with(next.times().calm(calm));
      held = chosen.equals(current) ? "; less would do for " + Words.seconds(calm) : "";
    } else {
      chosen = current;
      next = next.with(next.times().calm(0));
    }
    GearChooser.Choice gear = GearChooser.choose(next, view, now, passed);
    next =
        next.with(gear.times())
            .deciding(
                new JointState.Set(
                    chosen.reads(), gear.gear(), serving, cluster.clocksKHz().get(chosen.clock())));
    List<String> reasons = new ArrayList<>();
    reasons.add(
        "%s: %s, %s W, reads within %s ms%s"
            .formatted(
                name(),
                set(chosen.reads(), gear.gear(), chosen.clock()),
                Words.number(chosen.watts()),
                Words.number(1000 * chosen.forecast().p99Seconds()),
                held));
    reasons.addAll(now.binds(chosen, limits.margin()));
    gear.reason().ifPresent(reasons::add);
    givesWay(view, now, chosen, fewest).ifPresent(reasons::add);
    if (state.times().lateNanos() > 0 && cluster.placing() != Placing.SERVERS) {
      reasons.add(
          "replicas may lack writes for %s more"
              .formatted(Words.seconds(state.times().lateNanos())));
    }
    return step(next, view, reasons);
  }

  /** The cheapest setting that keeps the promise, no slower than now and of no fewer replicas. */
  private Found safer(Found current, JointSearch now, Within within) {
    int fewest = Math.max(within.fewest(), current.reads().replicas());
    return now.cheapest(
            current.gear(), limits.margin(), new Within(fewest, within.most(), current.clock()))
        .map(
            found ->
                found.reads().mean() >= current.reads().mean()
                    ? found
                    : now.found(current.gear(), found.clock(), current.reads()))
        .filter(found -> now.keeps(found.forecast(), limits.margin()))
        .orElseGet(() -> now.at(current.gear(), 0, limits.margin(), within));
  }

  /** What is set now, in the gear that serves. */
  private Found current(JointState state, JointView view, JointSearch now) {
    int clock = Math.max(0, cluster.clocksKHz().indexOf(state.set().kHz()));
    return now.found(view.serving(), clock, view.inForce(state));
  }

  private double worth() {
    return cluster.placing() == Placing.MASTER ? ANY : WORTH;
  }

  private long fastest() {
    return cluster.clocksKHz().get(0);
  }

  /** What is set, of the knobs that there are. */
  private String set(ReadChoice reads, int gear, int clock) {
    List<String> words = new ArrayList<>(List.of(cluster.words(reads)));
    if (cluster.highest() > 1) {
      words.add("gear " + gear);
    }
    if (cluster.clocksKHz().size() > 1) {
      words.add(Words.number(cluster.clocksKHz().get(clock) / 1e6) + " GHz");
    }
    words.removeIf(String::isEmpty);
    return String.join(", ", words);
  }

  private Step<JointState> step(JointState state, JointView view, List<String> reasons) {
    List<Setting<?>> settings = new ArrayList<>();
    settings.add(new Setting<>(KnobId.READ_LEVEL, view.table(), state.set().reads()));
    if (cluster.highest() > 1) {
      settings.add(new Setting<>(KnobId.GEAR, view.cluster(), state.set().gear()));
    }
    if (cluster.clocksKHz().size() > 1) {
      settings.addAll(view.clocks(state.set().kHz()));
    }
    return new Step<>(state, settings, reasons);
  }
}
