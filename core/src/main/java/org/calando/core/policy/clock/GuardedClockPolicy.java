package org.calando.core.policy.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockState.NodeState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;

/*
 * A master that is slow costs every client, and a replica that falls behind costs freshness, and
 * writes at a fail-over; a replica that is fast costs some joules. So, for each node by itself,
 *
 *   the highest clock at once   unless the node itself said of late that it is a replica, and nobody
 *                               chose it to be more; if its link is down or its lag is above a limit
 *                               or unknown (the guard)
 *   a higher clock at once      if the policy asks for it
 *   a lower clock               once lower ones have done without a break for a while: the highest
 *                               of those that were asked for meanwhile. After the guard the while is
 *                               longer, and the limits are stricter
 */
/** What the policies that lower replicas have in common. Immutable and thread safe. */
abstract class GuardedClockPolicy implements ClockPolicy {
  private final ClockLimits limits;

  GuardedClockPolicy(ClockLimits limits) {
    this.limits = limits;
  }

  /** A clock that a replica without trouble wants, and why. */
  record Wish(long kHz, String reason) {}

  /** The clock for a replica that follows its master closely enough; one of the node's clocks. */
  abstract Wish wish(Node replica, ClockObservation observation);

  /** How carefully clocks are lowered. */
  final ClockLimits limits() {
    return limits;
  }

  @Override
  public final Step<ClockState> decide(ClockState state, ClockObservation observation) {
    long gap = observation.atNanos() - state.atNanos();
    long elapsed = gap >= 0 && gap <= limits.maxAgeNanos() ? gap : -1;
    TreeMap<String, NodeState> next = new TreeMap<>();
    List<Setting<?>> settings = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    int lowered = 0;
    for (Node node : observation.nodes()) {
      NodeState last = last(state, node);
      Outcome outcome = decide(last, node, observation, elapsed);
      next.put(node.name(), outcome.state());
      long kHz = outcome.state().kHz();
      settings.add(new Setting<>(KnobId.CLOCK, node.name(), kHz));
      lowered += kHz < node.highestKHz() ? 1 : 0;
      reasons.add(node.name() + ' ' + KiloHertz.text(kHz) + ": " + outcome.reason());
    }
    reasons.add(0, name() + ": " + lowered + " of " + settings.size() + " nodes below full clock");
    return new Step<>(new ClockState(observation.atNanos(), next), settings, reasons);
  }

  private record Outcome(NodeState state, String reason) {}

  /** A node that is new, or whose clocks have changed, is taken to run at its highest. */
  private static NodeState last(ClockState state, Node node) {
    NodeState last = state.nodes().get(node.name());
    return last != null && node.clocksKHz().contains(last.kHz())
        ? last
        : NodeState.at(node.highestKHz(), false);
  }

  private Outcome decide(NodeState last, Node node, ClockObservation observation, long elapsed) {
    Optional<String> doubt = doubt(node.view(), observation);
    if (doubt.isPresent()) {
      return new Outcome(NodeState.at(node.highestKHz(), last.guarded()), doubt.get());
    }
    Optional<String> trouble = trouble(node.view(), last.guarded());
    if (trouble.isPresent()) {
      return new Outcome(NodeState.at(node.highestKHz(), true), trouble.get());
    }
    Wish wish = wish(node, observation);
    return wish.kHz() < last.kHz()
        ? eased(last, wish, elapsed)
        : new Outcome(
            NodeState.at(wish.kHz(), last.guarded() && wish.kHz() == node.highestKHz()),
            wish.reason());
  }

  /** Waits before it lowers. */
  private Outcome eased(NodeState last, Wish wish, long elapsed) {
    boolean goesOn = last.easeKHz() > 0 && elapsed >= 0;
    long easeNanos = goesOn ? last.easeNanos() + elapsed : 0;
    long easeKHz = goesOn ? Math.max(last.easeKHz(), wish.kHz()) : wish.kHz();
    long needed = last.guarded() ? limits.caughtUpNanos() : limits.lowerAfterNanos();
    if (easeNanos >= needed) {
      return new Outcome(NodeState.at(easeKHz, false), wish.reason());
    }
    return new Outcome(
        new NodeState(last.kHz(), last.guarded(), easeKHz, easeNanos),
        (last.guarded() ? "caught up" : "could be lower")
            + " for "
            + easeNanos / 1_000_000
            + " of "
            + needed / 1_000_000
            + " ms");
  }

  /** Why a node may be a master; empty if it is none. */
  private Optional<String> doubt(NodeView view, ClockObservation observation) {
    long age = observation.atNanos() - view.word().atNanos();
    if (view.role() == Role.MASTER) {
      return Optional.of("says that it is the master");
    }
    if (view.role() != Role.REPLICA) {
      return Optional.of("has not said what it is");
    }
    if (age < 0 || age > limits.maxAgeNanos()) {
      return Optional.of("said " + age / 1_000_000 + " ms ago that it is a replica");
    }
    return view.promised() || view.mayBeMaster()
        ? Optional.of("may be the master soon")
        : Optional.empty();
  }

  /** Why a replica needs the highest clock; empty if it follows closely enough. */
  private Optional<String> trouble(NodeView view, boolean guarded) {
    if (!view.word().linkUp()) {
      return Optional.of("its link to its master is down");
    }
    double share = guarded ? limits.resumeShare() : 1;
    return tooFar(view.lagBytes(), share * limits.lagBytes(), 1, "bytes")
        .or(() -> tooFar(view.lagNanos(), share * limits.lagNanos(), 1_000_000, "ms"));
  }

  private static Optional<String> tooFar(OptionalLong lag, double limit, long unit, String name) {
    if (lag.isEmpty()) {
      return Optional.of("its lag in " + name + " is not known");
    }
    return lag.getAsLong() <= limit
        ? Optional.empty()
        : Optional.of(
            "lags by "
                + lag.getAsLong() / unit
                + ' '
                + name
                + ", and may by "
                + (long) limit / unit);
  }
}
