package org.calando.engine.cassandra;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.calando.control.LocalSeconds;
import org.calando.control.ShiftGovernor;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackOrder;
import org.calando.core.observe.ClientRequests;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.time.Scheduler;
import org.calando.engine.GearSettings;
import org.calando.engine.NodeGroups;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;

/**
 * A Cassandra whose racks are powered down: in the highest gear all are on, in each lower gear one
 * fewer.
 *
 * @param means what shifts work with
 * @param order the racks in the order in which they go off
 * @param requests is closed with this
 * @param perSecond operations that a node serves within what clients were promised
 * @param profile of every node
 * @param owner who shifts
 */
record RackGoverned(
    RackMeans means,
    RackOrder order,
    ClientRequests requests,
    double perSecond,
    NodeProfile profile,
    String owner)
    implements NodeGroups.Gears {
  static RackGoverned open(
      RackMeans means,
      ClientRequests requests,
      GearSettings settings,
      NodeProfile profile,
      String owner) {
    if (settings.capacity().ofBytes()) {
      throw new BadRequestException(
          "is in bytes", "gears.capacity", "write operations that a node serves: 2000/s");
    }
    if (settings.bandwidth().isPresent()) {
      throw new BadRequestException(
          "is not supported by cassandra, whose nodes deliver hints by their own limit",
          "gears.bandwidth",
          "remove it; set hinted_handoff_throttle in cassandra.yaml");
    }
    RackShifter shifter = new RackShifter(means, owner);
    if (!settings.keeps().equals(KeptCopies.QUORUM)) {
      requireKept(shifter);
    }
    RackOrder order = shifter.gears();
    return new RackGoverned(
        means, order, requests, settings.capacity().perSecond(), profile, owner);
  }

  /** Whether a gear keeps what is promised is asked of the ring while all of it is on. */
  private static void requireKept(RackShifter shifter) {
    if (!shifter.isKept()) {
      // Not a bad request: other clusters of the file stay governed, and this one once it is on.
      throw new FailedWorkException(
          shifter.current().words() + ", for less than is promised now",
          "promise",
          "./calando gear up, and it is governed again");
    }
    if (shifter.gears().highest() == 1) {
      throw new BadRequestException(
          "no rack may be off: " + shifter.obstacle(),
          "promise",
          "promise less of survive and copies, or remove gear");
    }
  }

  @Override
  public String target() {
    return means.target();
  }

  @Override
  public GearModel model() {
    List<Integer> on =
        IntStream.rangeClosed(1, order.highest())
            .map(gear -> order.nodes() - order.nodesOf(order.offIn(gear)).size())
            .boxed()
            .toList();
    return new GearModel(
        on,
        Collections.nCopies(order.nodes(), profile),
        on.stream().map(count -> count * perSecond).toList(),
        GearModel.MACHINE_OFF_SECONDS,
        CatchUpModel.none(on.size()));
  }

  @Override
  public ShiftGovernor apply(Scheduler scheduler, Executor executor) {
    return new RackGovernor(means, order, requests, scheduler, executor, LocalSeconds::now, owner);
  }

  @Override
  public void close() {
    requests.close();
  }
}
