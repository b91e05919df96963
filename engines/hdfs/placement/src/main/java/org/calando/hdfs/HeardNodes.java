package org.calando.hdfs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.calando.core.layout.gear.GearFile;

/*
 * After a restart in a low gear a NameNode knows nothing of what is on nodes that are off, and would have all of their replicas
 * made anew. Live nodes are looked at whenever the gear is asked for, by whomever: one that reports where nobody writes to the
 * folder must be heard of too, before it goes off.
 */
/**
 * Which nodes have told this NameNode what they hold, since it started. Not thread safe, but for
 * {@link #listenTo}.
 */
final class HeardNodes {
  private static final long INTERVAL_NANOS = 500_000_000L;

  private final LongSupplier nanos;
  private final Set<String> reported = new HashSet<>();
  private volatile Supplier<List<Node>> live = List::of;
  private long listenedAtNanos;
  private boolean hasListened;

  /**
   * None yet.
   *
   * @param nanos a clock that only rises
   */
  HeardNodes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Where live nodes are to be seen. */
  void listenTo(Supplier<List<Node>> nodes) {
    live = nodes;
  }

  /**
   * Looks at live nodes, at most twice a second and while some are missing.
   *
   * @param number of a node in the gear file, 0 if it has none
   */
  void listen(GearFile gears, ToIntFunction<DatanodeDescriptor> number) {
    long now = nanos.getAsLong();
    if ((hasListened && now - listenedAtNanos < INTERVAL_NANOS) || hasAll(gears.nodes())) {
      return;
    }
    hasListened = true;
    listenedAtNanos = now;
    for (Node leaf : live.get()) {
      if (leaf instanceof DatanodeDescriptor node && node.checkBlockReportReceived()) {
        int known = number.applyAsInt(node);
        if (known > 0) {
          add(gears.nodes().get(known - 1));
        }
      }
    }
  }

  /** A node has told what it holds. */
  void add(String address) {
    reported.add(address);
  }

  private boolean hasAll(List<String> nodes) {
    return reported.containsAll(nodes);
  }

  /** Whether all nodes that are off have told what they hold, before they went off. */
  boolean hasAllThatAreOff(GearFile gears) {
    int on = gears.layout().groups().nodesIn(gears.gear());
    return hasAll(gears.nodes().subList(on, gears.nodes().size()));
  }

  /** How many of a layout's nodes have told what they hold. */
  int count(GearFile gears) {
    return (int) gears.nodes().stream().filter(reported::contains).count();
  }

  /**
   * Whether a copy of a block of a file that the layout is not for is to wait for nodes that are
   * off. If a node that is to be on is missing, a block of which only one replica is known is
   * copied all the same: it may have been on these two.
   *
   * @param held how many replicas are known
   * @param isLive whether a node is live
   */
  boolean isToWait(GearFile gears, int held, IntPredicate isLive) {
    if (held == 0 || hasAllThatAreOff(gears)) {
      return false;
    }
    int on = gears.layout().groups().nodesIn(gears.gear());
    return held > 1 || IntStream.rangeClosed(1, on).allMatch(isLive);
  }
}
