package org.calando.gears.rack;

import java.util.concurrent.TimeUnit;
import org.calando.gears.rack.RackState.Kept;
import org.calando.store.cassandra.gear.NodeSight;

/** How nodes that stay keep hints for those that are off. Stateless. */
final class RackHints {
  /** Longer than racks are off: what is written later is not kept, and costs a repair. */
  static final int WINDOW_MILLIS = (int) TimeUnit.HOURS.toMillis(24);

  private RackHints() {}

  /**
   * Whether a node keeps all hints for as long as racks are off at most, and begins no repairs by
   * itself: they fail while a replica is down.
   */
  static boolean keepsAll(NodeSight sight) {
    return sight.hints().windowMillis() >= WINDOW_MILLIS
        && sight.hints().mostMebibytes() == 0
        && sight.process().repairs().isEmpty();
  }

  /** Has it do so. */
  static void keepAll(RackMeans means, String node) {
    means.servers().keepHints(node, WINDOW_MILLIS, 0);
    means
        .servers()
        .sight(node)
        .map(sight -> sight.process().repairs())
        .filter(types -> !types.isEmpty())
        .ifPresent(types -> means.servers().repairByItself(node, types, false));
  }

  static void lengthen(RackMeans means, String node) {
    if (!means.servers().sight(node).filter(RackHints::keepsAll).isPresent()) {
      keepAll(means, node);
    }
  }

  /** What somebody else has set since stays. */
  static void restore(RackMeans means, RackState state) {
    for (NodeSight sight : means.all(RackReturn.running(means, state))) {
      Kept before = before(state, sight);
      if (isLengthened(before, sight)) {
        means
            .servers()
            .keepHints(sight.node().name(), before.windowMillis(), before.mostMebibytes());
      }
      if (lacksRepairs(state, before, sight)) {
        means.servers().repairByItself(sight.node().name(), before.repairs(), true);
      }
    }
  }

  /** Whether {@link #restore} has nothing to set on a node. */
  static boolean isRestored(RackState state, NodeSight sight) {
    Kept before = before(state, sight);
    return !isLengthened(before, sight) && !lacksRepairs(state, before, sight);
  }

  private static boolean isLengthened(Kept before, NodeSight sight) {
    return isLong(sight) && (before.windowMillis() != WINDOW_MILLIS || before.mostMebibytes() != 0);
  }

  private static boolean isLong(NodeSight sight) {
    return sight.hints().windowMillis() == WINDOW_MILLIS && sight.hints().mostMebibytes() == 0;
  }

  /** Also where somebody else has set its window; one that starts again has those of its file. */
  private static boolean lacksRepairs(RackState state, Kept before, NodeSight sight) {
    return (state.hasRunSince(sight) || isLong(sight))
        && !sight.process().repairs().containsAll(before.repairs());
  }

  /** Of one that joined since, and was lengthened too, how the others were. */
  private static Kept before(RackState state, NodeSight sight) {
    return state.kept().getOrDefault(sight.node().name(), state.kept().values().iterator().next());
  }
}
