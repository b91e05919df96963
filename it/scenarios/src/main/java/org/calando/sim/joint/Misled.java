package org.calando.sim.joint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.ReadLatency;

/** How a joint controller's sensors fail. */
public enum Misled {
  /** They do not. */
  NOTHING,
  /** Nothing tells how long reads take. */
  LATENCY_IS_SILENT,
  /** Reads are told to take a millisecond. */
  LATENCY_LIES,
  /** Nothing tells how busy nodes are. */
  NODES_ARE_SILENT,
  /** Nodes are told to be a third as busy as they are. */
  NODES_LIE,
  /** Nothing tells of the table. */
  TABLE_IS_SILENT,
  /** Nothing tells of the gear. */
  GEAR_IS_SILENT;

  /** All but that they do not. */
  static final List<Misled> FAILURES =
      Arrays.stream(values()).filter(each -> each != NOTHING).toList();

  /**
   * What is told in place of what is the case.
   *
   * @param fromNanos from when on sensors fail
   * @param toNanos until when
   */
  public UnaryOperator<Signals> between(long fromNanos, long toNanos) {
    return signals ->
        signals.atNanos() < fromNanos || signals.atNanos() >= toNanos || this == NOTHING
            ? signals
            : told(signals);
  }

  private Signals told(Signals signals) {
    Map<SignalId<?>, Signal<?>> all = new HashMap<>(signals.byId());
    switch (this) {
      case LATENCY_IS_SILENT -> all.remove(ReadLatency.SIGNAL);
      case NODES_ARE_SILENT -> all.remove(ClockObservation.CLOCKS);
      case TABLE_IS_SILENT -> all.remove(Observation.READS);
      case GEAR_IS_SILENT -> all.remove(GearObservation.GEARS);
      case LATENCY_LIES ->
          signals
              .find(ReadLatency.SIGNAL)
              .ifPresent(
                  seen ->
                      all.put(
                          ReadLatency.SIGNAL,
                          new Signal<>(
                              new ReadLatency(seen.reads(), 0, 0.001), signals.atNanos())));
      case NODES_LIE ->
          signals
              .find(ClockObservation.CLOCKS)
              .ifPresent(
                  seen ->
                      all.put(
                          ClockObservation.CLOCKS, new Signal<>(lazy(seen), signals.atNanos())));
      case NOTHING -> {}
    }
    return new Signals(signals.atNanos(), signals.target(), all);
  }

  private static ClockObservation lazy(ClockObservation seen) {
    List<ClockObservation.Node> nodes =
        seen.nodes().stream()
            .map(
                node ->
                    new ClockObservation.Node(
                        node.view(), node.clocksKHz(), node.work().flatMap(Misled::lazy)))
            .toList();
    return new ClockObservation(seen.atNanos(), nodes);
  }

  private static Optional<ClockObservation.Work> lazy(ClockObservation.Work work) {
    return Optional.of(
        new ClockObservation.Work(
            work.atNanos(), work.clockKHz(), work.busyShare() / 3, 0, 0, 0, 0));
  }
}
