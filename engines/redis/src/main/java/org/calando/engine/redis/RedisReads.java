package org.calando.engine.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigure.Kind;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.staleness.ExactStaleness;

/*
 * A read of the master is not stale; one of a replica misses what the replica has yet to apply. The exact model's two
 * replicas of which one has each write and a read asks either is half of that: the half that asks the replica.
 */
/**
 * What clients asked of the servers in a period. Immutable.
 *
 * @param count reads, above 0
 * @param ofReplicas share of them that replicas answered, 0 to 1
 * @param writesPerSecond of clients, 0 or more
 */
record RedisReads(double count, double ofReplicas, double writesPerSecond) {
  /**
   * Those of a period.
   *
   * @return empty if there were none, a server's role is not known, or its counts at both ends are
   *     not those of one life: what went back began anew in between
   */
  static Optional<RedisReads> of(
      List<NodeView> views, Map<String, Count> before, Map<String, Count> now) {
    double reads = 0;
    double ofReplicas = 0;
    double writesPerSecond = 0;
    for (NodeView view : views) {
      Count from = before.get(view.node());
      Count to = now.get(view.node());
      if (view.role() == Role.UNKNOWN || from == null || to == null || !follows(from, to)) {
        return Optional.empty();
      }
      reads += to.reads() - from.reads();
      if (view.role() == Role.REPLICA) {
        ofReplicas += to.reads() - from.reads();
      } else {
        writesPerSecond += (to.writes() - from.writes()) * 1e9 / (to.atNanos() - from.atNanos());
      }
    }
    return reads == 0
        ? Optional.empty()
        : Optional.of(new RedisReads(reads, ofReplicas / reads, writesPerSecond));
  }

  private static boolean follows(Count from, Count to) {
    return to.life() == from.life()
        && to.atNanos() > from.atNanos()
        && to.reads() >= from.reads()
        && to.writes() >= from.writes();
  }

  /**
   * The share that was stale.
   *
   * @param lagSeconds looks at the lag of the last replica
   */
  PromiseFigure stale(ClientUse clients, double[] lagSeconds) {
    double missed =
        2 * ExactStaleness.of(2, 1, lagSeconds, writesPerSecond, clients.popularity()).rate(1);
    double share = Math.min(1, ofReplicas * missed);
    boolean bound = Arrays.stream(lagSeconds).anyMatch(RedisPromises::isBound);
    return new PromiseFigure(
        clients.keys().isPresent() ? share : 0,
        bound ? Math.max(share, ofReplicas) : share,
        count,
        Kind.PREDICTED,
        "exact model, lags of replicas, counts of commands"
            + (clients.keys().isPresent() ? ", declared keys" : ", keys unknown"));
  }
}
