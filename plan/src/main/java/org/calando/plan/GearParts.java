package org.calando.plan;

import java.util.Optional;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.joint.JointCluster;

/**
 * What gears alone say of a promise. Immutable.
 *
 * @param promise what is promised
 * @param cluster whose gears they are
 */
record GearParts(Promise promise, JointCluster cluster) {
  /** Whether a setting keeps a part; empty if runs tell it, or a controller sees to it. */
  Optional<Boolean> ofGear(Setting setting, Promised part) {
    if (!Candidates.OF_GEARS.contains(part)) {
      return Optional.empty();
    }
    return Optional.of(setting.isJoint() || has(setting, part) >= promise.count(part).orElse(0));
  }

  /** Copies that are on, or nodes that may fail while reads and writes are answered. */
  int has(Setting setting, Promised part) {
    int copies = cluster.copies(setting.gear());
    int read = setting.replicas() == 0 ? cluster.strong(setting.gear()) : setting.replicas();
    int needed = Math.max(cluster.writeReplicas(), read);
    return part == Promised.COPIES ? copies : copies - needed;
  }
}
