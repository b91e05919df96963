package org.calando.studyfile.profile;

import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.engine.EngineSettings;
import org.calando.sim.cluster.ServiceTimes;

/**
 * What operations cost on a real cluster, as a calibration of it found it. Immutable and thread
 * safe.
 *
 * @param engine the cluster's
 * @param profile what was found
 */
public record CalibratedWork(String engine, CalibrationProfile profile)
    implements EngineSettings, ModelledWork {
  /** The cluster has no roles that a file tells of. */
  @Override
  public boolean hasRoles() {
    return false;
  }

  @Override
  public WorkCosts costs() {
    CalibratedModel model = new CalibratedModel(profile.best());
    return costs(
        model.services(),
        2 * (model.clientLink().meanNanos() + model.nodeLink().meanNanos()) / 1e9);
  }

  /**
   * What service times come to.
   *
   * @param way seconds that the messages of a read are under way, one after the other
   */
  public static WorkCosts costs(ServiceTimes services, double way) {
    return new WorkCosts(
        (services.client().meanNanos() + services.coordinator().meanNanos()) / 1e9,
        services.message().meanNanos() / 1e9,
        services.read().meanNanos() / 1e9,
        services.write().meanNanos() / 1e9,
        way);
  }
}
