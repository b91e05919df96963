package org.calando.control.joint;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.time.Clock;

/*
 *   table --> Observation --+                             +--> level of reads
 *   gear -------------------+--> ControlLoop, one step ---+--> nodes on and off
 *   nodes ------------------+      see ActorsTogether     +--> clocks
 *   clients' latency -------+                             +--> buffers of writes
 *   clients' writes --------+
 */
/**
 * What one controller of several knobs sees of a cluster beside the table, simulated or real. As
 * thread safe as its sensors.
 *
 * @param nodes looks at the nodes, by the time of the loop's clock
 * @param gear the same for the gear; empty if it is not known, or the cluster has none
 * @param latency what clients have seen of late; empty if nothing yet
 * @param writes what becomes of clients' writes; empty if they are not deferred
 */
public record JointSensors(
    LongFunction<ClockObservation> nodes,
    LongFunction<Optional<GearObservation>> gear,
    Supplier<Optional<Signal<ReadLatency>>> latency,
    LongFunction<Optional<BufferObservation>> writes) {
  /**
   * All that is known, after the table was observed.
   *
   * @param clock the loop's
   */
  public Signals signals(Observation reads, Clock clock) {
    Map<SignalId<?>, Signal<?>> signals = new HashMap<>();
    signals.put(Observation.READS, new Signal<>(reads, reads.atNanos()));
    ClockObservation seen = nodes.apply(clock.nanos());
    signals.put(ClockObservation.CLOCKS, new Signal<>(seen, seen.atNanos()));
    gear.apply(clock.nanos())
        .ifPresent(each -> signals.put(GearObservation.GEARS, new Signal<>(each, each.atNanos())));
    latency.get().ifPresent(each -> signals.put(ReadLatency.SIGNAL, each));
    writes
        .apply(clock.nanos())
        .ifPresent(
            each -> signals.put(BufferObservation.WRITES, new Signal<>(each, each.atNanos())));
    return new Signals(clock.nanos(), reads.target(), signals);
  }
}
