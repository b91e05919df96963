package org.calando.engine.hbase;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.calando.control.LocalSeconds;
import org.calando.control.ShiftGovernor;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.time.Scheduler;
import org.calando.engine.GearSettings;
import org.calando.engine.NodeGroups;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleGovernor;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.process.RunState;

/**
 * The local HBase, whose idle servers are powered down: in gear 1 the fewest nodes are up, in each
 * further gear one more.
 *
 * @param cluster which it is
 * @param idle is closed with this
 * @param least nodes that are always up
 * @param rowsPerSecond that a server reads and writes within what clients were promised
 * @param profile of every node
 * @param owner who shifts
 */
record HBaseGoverned(
    LocalHBase cluster,
    LocalIdle idle,
    int least,
    double rowsPerSecond,
    NodeProfile profile,
    String owner)
    implements NodeGroups.Gears {
  static HBaseGoverned open(
      Path folder,
      GearSettings settings,
      NodeProfile profile,
      String owner,
      Consumer<String> news) {
    requireFitting(settings);
    if (!RunState.existsIn(folder)) {
      throw new BadRequestException(
          "is no inventory of ./calando local start: idle servers are of the local cluster only",
          folder.toString(),
          "remove gear; or name the inventory that ./calando local start hbase wrote");
    }
    LocalHBase cluster = LocalHBase.attach(folder);
    List<String> lacking = cluster.lacking();
    if (!lacking.isEmpty()) {
      throw new FailedWorkException(
          "these do not run: " + String.join(", ", lacking),
          "local hbase",
          "bring them back, with their data: ./calando idle up --local");
    }
    ShiftNews told = news::accept;
    return new HBaseGoverned(
        cluster,
        LocalIdle.open(cluster, told),
        Math.min(settings.least(), cluster.nodes().size()),
        settings.capacity().perSecond(),
        profile,
        owner);
  }

  private static void requireFitting(GearSettings settings) {
    if (settings.capacity().ofBytes()) {
      throw new BadRequestException(
          "is in bytes", "gears.capacity", "write rows that a server reads and writes: 2000/s");
    }
    if (settings.bandwidth().isPresent()) {
      throw new BadRequestException(
          "is not supported by hbase, which moves regions and no data",
          "gears.bandwidth",
          "remove it");
    }
  }

  @Override
  public String target() {
    return idle.means().regions().name();
  }

  @Override
  public GearModel model() {
    return idle.means().model(profile, rowsPerSecond, least).in("rows/s");
  }

  @Override
  public ShiftGovernor apply(Scheduler scheduler, Executor executor) {
    return new IdleGovernor(
        idle.means(),
        least,
        scheduler,
        executor,
        LocalSeconds::now,
        owner,
        () -> LocalHBaseClusters.note(cluster));
  }

  @Override
  public void close() {
    idle.close();
  }
}
