package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;

/** Asks a cluster, and runs its simulation until it has answered. */
final class Answers {
  record Answer(Outcome outcome, long version, long tookNanos) {}

  private final SimCluster cluster;
  private final int requester;
  private final List<Answer> answers = new ArrayList<>();
  private long beganNanos;

  Answers(SimCluster cluster) {
    this.cluster = cluster;
    this.requester =
        cluster.register(
            (tag, outcome, version) ->
                answers.add(
                    new Answer(outcome, version, cluster.simulation().nowNanos() - beganNanos)));
  }

  Answer read(long key, ConsistencyLevel level) {
    begin();
    cluster.read(requester, 0, key, level);
    return await();
  }

  Answer write(long key, long version, ConsistencyLevel level) {
    begin();
    cluster.write(requester, 0, key, version, level);
    return await();
  }

  /** Lets a time pass. */
  void pass(long nanos) {
    cluster.simulation().runUntil(cluster.simulation().nowNanos() + nanos);
  }

  private void begin() {
    beganNanos = cluster.simulation().nowNanos();
    answers.clear();
  }

  private Answer await() {
    cluster.simulation().runWhile(answers::isEmpty);
    return answers.get(0);
  }
}
