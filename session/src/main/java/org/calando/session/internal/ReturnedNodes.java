package org.calando.session.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes came back lately. Nodes are told apart by equality. One thread at a time.
 *
 * @param <N> what stands for a node
 */
final class ReturnedNodes<N> {
  /** How long a return counts as one of late. */
  static final long LATELY_NANOS = 75_000_000_000L;

  private final Set<N> down = new HashSet<>();
  private final Map<N, Return> returns = new HashMap<>();

  /** Whether all nodes have answered since the last return. */
  private boolean answered;

  /**
   * A return.
   *
   * @param atNanos when it was noticed, by the loop's clock
   * @param atMicros the same by the wall clock, as write times are
   */
  record Return(long atNanos, long atMicros) {}

  /**
   * Looks at all nodes.
   *
   * @param isDown whether each is known to be down; a node that is not named has left
   * @param allAnswer whether none is silent, as far as canaries tell
   * @param now by the loop's clock
   * @param nowMicros by the wall clock
   */
  void look(Map<N, Boolean> isDown, boolean allAnswer, long now, long nowMicros) {
    isDown.forEach(
        (node, downNow) -> {
          if (downNow) {
            down.add(node);
            returns.remove(node);
          } else if (down.remove(node)) {
            returns.put(node, new Return(now, nowMicros));
            answered = false;
          }
        });
    down.retainAll(isDown.keySet());
    returns.keySet().retainAll(isDown.keySet());
    returns.values().removeIf(each -> now - each.atNanos() > LATELY_NANOS);
    answered |= allAnswer;
    if (answered && !allAnswer) {
      // One that was never known to be down is silent, and will lack writes as well.
      returns.clear();
    }
  }

  /** The nodes that came back; none while one of all is down, which may lack more. */
  Map<N, Return> all() {
    return down.isEmpty() ? Map.copyOf(returns) : Map.of();
  }
}
