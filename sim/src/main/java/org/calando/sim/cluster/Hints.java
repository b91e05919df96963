package org.calando.sim.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes kept for nodes that were down, in order. Bounded for each node. Not thread safe. */
final class Hints {
  /**
   * A write.
   *
   * @param coordinator that keeps it
   * @param key written
   * @param place of the node among the key's replicas
   * @param version written
   */
  record Hint(int coordinator, long key, int place, long version) {}

  private final int mostOfNode;
  private final List<ArrayDeque<Hint>> byNode = new ArrayList<>();
  private long stored;
  private long lost;
  private long waiting;

  Hints(int nodes, int mostOfNode) {
    this.mostOfNode = mostOfNode;
    for (int i = 0; i < nodes; i++) {
      byNode.add(new ArrayDeque<>());
    }
  }

  /**
   * Keeps a write for a node, or loses it if there are too many.
   *
   * @return whether it is kept
   */
  boolean add(int node, Hint hint) {
    ArrayDeque<Hint> queue = byNode.get(node);
    if (queue.size() >= mostOfNode) {
      lost++;
      return false;
    }
    queue.add(hint);
    stored++;
    waiting++;
    return true;
  }

  /** Takes the first write for a node whose coordinator is serving; null if there is none. */
  @Nullable Hint next(int node, boolean[] serving) {
    ArrayDeque<Hint> queue = byNode.get(node);
    for (int i = queue.size(); i > 0; i--) {
      Hint hint = queue.remove();
      if (serving[hint.coordinator()]) {
        waiting--;
        return hint;
      }
      queue.add(hint);
    }
    return null;
  }

  /** Whether a write is kept for a node whose coordinator is serving. */
  boolean canSend(int node, boolean[] serving) {
    for (Hint hint : byNode.get(node)) {
      if (serving[hint.coordinator()]) {
        return true;
      }
    }
    return false;
  }

  /** Whether writes are kept for a node. */
  boolean isEmpty(int node) {
    return byNode.get(node).isEmpty();
  }

  /** Writes kept for a node. */
  int of(int node) {
    return byNode.get(node).size();
  }

  /** Forgets all that is kept. */
  void clear() {
    byNode.forEach(ArrayDeque::clear);
    waiting = 0;
  }

  /** Writes kept so far, those that were kept again included. */
  long stored() {
    return stored;
  }

  /** Writes not kept for want of room. */
  long lost() {
    return lost;
  }

  /** Writes kept now. */
  long waiting() {
    return waiting;
  }
}
