package org.calando.core.policy.clock;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.policy.Observed;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.replication.NodeView;

/**
 * What is known of the nodes whose clocks are to be set, all on the monotonic clock of who asks.
 * Immutable and thread safe.
 *
 * @param atNanos when the decision is taken
 * @param nodes every node whose clock is to be set, also those that do not answer: a node that is
 *     left out is no longer decided for, and begins anew if it comes back
 */
public record ClockObservation(long atNanos, List<Node> nodes) implements Observed {
  /** The signal of policies of clocks. */
  public static final SignalId<ClockObservation> CLOCKS =
      new SignalId<>("clocks", ClockObservation.class);

  /** What a loop of clocks decides for: all nodes at once. */
  public static final String TARGET = "clocks";

  public ClockObservation {
    nodes = List.copyOf(nodes);
    Set<String> names = new HashSet<>();
    for (Node node : nodes) {
      if (!names.add(node.name())) {
        throw new IllegalArgumentException("two nodes are named " + node.name());
      }
    }
  }

  @Override
  public Signals signals() {
    return Signals.of(atNanos, TARGET, CLOCKS, this);
  }

  /**
   * A node.
   *
   * @param view its role, its link and its lag
   * @param clocksKHz clocks that its cores can run at, in kHz above 0, the fastest first, at least
   *     one
   * @param work what its main thread does; empty if it was not measured
   */
  public record Node(NodeView view, List<Long> clocksKHz, Optional<Work> work) {
    public Node {
      clocksKHz = List.copyOf(clocksKHz);
      if (clocksKHz.isEmpty()) {
        throw new IllegalArgumentException(view.node() + " has no clocks");
      }
      for (int i = 0; i < clocksKHz.size(); i++) {
        long kHz = clocksKHz.get(i);
        if (kHz <= 0 || (i > 0 && kHz >= clocksKHz.get(i - 1))) {
          throw new IllegalArgumentException("clocks of " + view.node() + ": " + clocksKHz);
        }
      }
    }

    /** The node's name, the target of its clock's settings. */
    public String name() {
      return view.node();
    }

    /** The fastest of its clocks, in kHz. */
    public long highestKHz() {
      return clocksKHz.get(0);
    }

    /** The slowest of its clocks, in kHz. */
    public long lowestKHz() {
      return clocksKHz.get(clocksKHz.size() - 1);
    }
  }

  /**
   * The work of a node's main thread, which does one thing at a time. Figures that make no sense
   * are taken as unknown by policies.
   *
   * @param atNanos end of the time over which it was measured
   * @param clockKHz the clock at which it was measured, above 0
   * @param busyShare CPU time of the thread over the time, 0 .. 1
   * @param writesPerSecond writes carried out, 0 or more; a replica's come from its master
   * @param nanosPerWrite CPU time of a write at that clock, 0 or more; any if there are no writes
   * @param readsPerSecond reads served, 0 or more
   * @param nanosPerRead CPU time of a read at that clock, 0 or more; any if there are no reads
   */
  public record Work(
      long atNanos,
      long clockKHz,
      double busyShare,
      double writesPerSecond,
      double nanosPerWrite,
      double readsPerSecond,
      double nanosPerRead) {}
}
