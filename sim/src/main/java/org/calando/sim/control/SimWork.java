package org.calando.sim.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.sim.cluster.Replication;
import org.calando.sim.cluster.SimCluster;

/**
 * Measures what a simulated cluster's nodes do, in windows that begin anew with a change of a
 * node's clock. Belongs to the simulation's thread.
 */
final class SimWork {
  private static final long WINDOW_NANOS = 1_000_000_000L;

  private final SimCluster cluster;
  private final Replication replication;
  private final List<Counts> begun = new ArrayList<>();
  private final List<Optional<Work>> found = new ArrayList<>();

  /** Counters of a node since the simulation's begin. */
  private record Counts(
      long atNanos, long busyNanos, long reads, long writes, long readNanos, long writeNanos) {}

  SimWork(SimCluster cluster) {
    this.cluster = cluster;
    this.replication = cluster.replication();
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      begun.add(counts(node));
      found.add(Optional.empty());
    }
  }

  private Counts counts(int node) {
    long now = cluster.simulation().nowNanos();
    return new Counts(
        now,
        cluster.energy().busyNanos(node, now),
        replication.reads(node),
        replication.writes(node),
        replication.readNanos(node),
        replication.writeNanos(node));
  }

  /** A node's clock is another from now on. */
  void begin(int node) {
    begun.set(node, counts(node));
  }

  /** Ends a node's window if it is long enough. */
  void look(int node, long kiloHertz) {
    Counts from = begun.get(node);
    Counts to = counts(node);
    if (to.atNanos - from.atNanos < WINDOW_NANOS) {
      return;
    }
    double seconds = (to.atNanos - from.atNanos) / 1e9;
    double busySeconds = (to.busyNanos - from.busyNanos) / 1e9;
    long reads = to.reads - from.reads;
    long writes = to.writes - from.writes;
    found.set(
        node,
        Optional.of(
            new Work(
                to.atNanos,
                kiloHertz,
                cluster.energy().utilisation(node, busySeconds, seconds),
                writes / seconds,
                each(to.writeNanos - from.writeNanos, writes),
                reads / seconds,
                each(to.readNanos - from.readNanos, reads))));
    begun.set(node, to);
  }

  private static double each(long nanos, long of) {
    return of == 0 ? 0 : (double) nanos / of;
  }

  /** What a node did in its last whole window; empty before there was one. */
  Optional<Work> of(int node) {
    return found.get(node);
  }
}
