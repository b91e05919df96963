package org.calando.engine.hdfs;

import java.util.concurrent.Executor;
import org.calando.control.LocalSeconds;
import org.calando.control.ShiftGovernor;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.core.time.Scheduler;
import org.calando.engine.NodeGroups;
import org.calando.gears.GearGovernor;

/**
 * An HDFS whose gear is governed.
 *
 * @param own is closed with this
 * @param bytesPerSecond that a node reads and writes within what clients were promised
 * @param profile of every node
 * @param owner who shifts
 */
record HdfsGoverned(OwnGears own, double bytesPerSecond, NodeProfile profile, String owner)
    implements NodeGroups.Gears {
  private static final double MEGA = 1e6;

  @Override
  public String target() {
    return own.means().cluster().target();
  }

  @Override
  public GearModel model() {
    return LayoutGears.hdfs(
            own.means().file().layout(), profile, bytesPerSecond / MEGA, own.offSeconds())
        .in("MB/s");
  }

  @Override
  public ShiftGovernor apply(Scheduler scheduler, Executor executor) {
    return new GearGovernor(
        own.means(), own::traffic, scheduler, executor, LocalSeconds::now, owner);
  }

  @Override
  public void close() {
    own.close();
  }
}
