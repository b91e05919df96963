package org.calando.sim.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.LoopListener;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointState;

/**
 * Looks at each decision of a joint controller for what it is never to set, whatever its sensors
 * say: gears that leave fewer copies than promised, or fewer than writes need once as many nodes
 * have failed as may; reads that ask more replicas than answer; reads that are not strong where
 * they are promised to be, or (at a quorum at most, if some may be stale) where replicas lack
 * writes, though as many could be asked. Not thread safe.
 */
final class SafetyWatch implements LoopListener {
  private static final int MOST_TOLD = 5;

  private final JointCluster cluster;
  private final Promise promise;
  private final List<String> unsafe = new ArrayList<>();

  SafetyWatch(JointCluster cluster, Promise promise) {
    this.cluster = cluster;
    this.promise = promise;
  }

  /** The first few, in words. */
  List<String> unsafe() {
    return List.copyOf(unsafe);
  }

  @Override
  public void decided(Decision<?> decision, String inForce) {
    decision.value(KnobId.GEAR).ifPresent(gear -> gear(gear, decision));
    decision.value(KnobId.READ_LEVEL).ifPresent(reads -> reads(reads, decision));
  }

  private void gear(int gear, Decision<?> decision) {
    int copies = cluster.copies(gear);
    int survive = promise.count(Promised.SURVIVE).orElse(0);
    if (copies < promise.count(Promised.COPIES).orElse(1)) {
      tell(decision, "gear %d leaves %d copies".formatted(gear, copies));
    }
    if (copies - survive < cluster.writeReplicas()) {
      tell(decision, "gear %d with %d copies does not survive".formatted(gear, copies));
    }
  }

  private void reads(ReadChoice reads, Decision<?> decision) {
    Optional<Observation> seen = decision.signals().find(Observation.READS);
    if (seen.isEmpty()) {
      return;
    }
    int live = seen.get().liveReplicas();
    int most = reads.replicas() + (reads.shareAbove() > 0 ? 1 : 0);
    if (most > Math.max(1, live)) {
      tell(decision, "reads ask %d of %d replicas that answer".formatted(most, live));
    }
    int survive = promise.count(Promised.SURVIVE).orElse(0);
    int away = seen.get().awayReplicas();
    int mayAsk = Math.max(1, Math.min(live, live + away - survive));
    boolean late =
        decision.step().state() instanceof JointState state && state.times().lateNanos() > 0;
    int serving = late ? cluster.highest() : cluster.serving(cluster.highest(), live);
    boolean mayBeStale = promise.limit(Promised.STALE).isPresent();
    // Where some may be stale, what is safe is a quorum at most.
    int quorum = cluster.replicas() / 2 + 1;
    int strong = mayBeStale ? Math.min(quorum, cluster.strong(serving)) : cluster.strong(serving);
    if ((late || !mayBeStale)
        && !seen.get().strained()
        && reads.replicas() < Math.min(strong, mayAsk)) {
      tell(decision, "reads ask %d, strong ones %d".formatted(reads.replicas(), strong));
    }
  }

  private void tell(Decision<?> decision, String what) {
    if (unsafe.size() < MOST_TOLD) {
      unsafe.add(
          "%d s: %s (%s)"
              .formatted(
                  decision.signals().atNanos() / 1_000_000_000L,
                  what,
                  decision.step().reasons().get(0)));
    }
  }
}
