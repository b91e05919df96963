package org.calando.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.calando.control.OffSetting;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackOrder;
import org.calando.engine.InventorySpec;
import org.calando.engine.cassandra.OwnRacks;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.gears.rack.RackStatus;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.store.cassandra.CassandraStoreConfig;

/** A Cassandra whose racks a command powers down and up. Not thread safe. */
final class GearRacks implements GearWork {
  private static final String LOCAL = "--local cassandra";

  private final RackMeans means;

  /** Names of power profiles, of the nodes that have one of their own. */
  private final Map<String, String> profiles = new TreeMap<>();

  private GearRacks(RackMeans means) {
    this.means = means;
  }

  /**
   * That which the user started on this machine.
   *
   * @throws BadRequestException if there is none
   */
  static GearRacks local(KeptCopies keeps, GearProgress news) {
    LocalCassandra cluster = LocalCassandra.attach(StateFolder.local(LocalCassandra.ENGINE));
    return new GearRacks(OwnRacks.local(cluster, keeps, LOCAL, news));
  }

  /**
   * A user's own; that of {@code local start} by the inventory that it wrote, too.
   *
   * @param file an inventory, whose nodes need no login, or a study on one, with logins and TLS
   * @throws BadRequestException if the file is wrong
   */
  static GearRacks of(Path file, KeptCopies keeps, GearProgress news) {
    CassandraStoreConfig clients = StoreAccess.read(file, List.of());
    InventorySpec inventory = StoreAccess.inventory(file);
    GearRacks racks =
        new GearRacks(
            OwnRacks.of(
                inventory,
                clients.jmxCredentials(),
                clients,
                keeps,
                "--inventory " + Shell.quote(file.toString()),
                news));
    for (InventorySpec.Node node : inventory.nodes()) {
      node.profile().ifPresent(name -> racks.profiles.put(node.name(), name));
    }
    return racks;
  }

  @Override
  public Optional<String> openPlan() {
    return RackShifter.unfinished(means.path())
        .map(last -> "./calando gear up " + means.named() + " --resume");
  }

  @Override
  public Told status() {
    RackStatus status = RackStatus.of(means);
    return new Told(GearRackAnswer.of(status), status.isWell());
  }

  @Override
  public Told doctor() {
    List<RackStatus.Problem> problems = new RackShifter(means, "./calando gear doctor").problems();
    return new Told(GearRackAnswer.of(problems), problems.isEmpty());
  }

  @Override
  public Answer plan(int to, String profile) {
    RackShifter shifter = new RackShifter(means, "./calando gear plan");
    RackOrder order = shifter.gears();
    int from = gear(order, shifter.current());
    Optional<GearPrice> price =
        to == from
            ? Optional.empty()
            : Optional.of(price(order, Math.max(from, to), Math.min(from, to), profile, to < from));
    return plan(shifter, order, from, to, price);
  }

  private GearPrice price(RackOrder order, int high, int low, String profile, boolean down) {
    require(order, low);
    require(order, high);
    List<String> staying = new ArrayList<>(order.names());
    staying.removeAll(order.nodesOf(order.offIn(low)));
    List<String> moving = new ArrayList<>(order.nodesOf(order.offIn(low)));
    moving.removeAll(order.nodesOf(order.offIn(high)));
    return GearPrice.ofRacks(staying, moving, profiles, profile, down, means.offSeconds());
  }

  private static Answer plan(
      RackShifter shifter, RackOrder order, int from, int to, Optional<GearPrice> price) {
    List<String> steps = to == from ? List.of() : shifter.dryRun(order.offIn(to));
    return GearRackAnswer.plan(from, to, order, steps, price);
  }

  @Override
  public Answer shift(Order asked) throws InterruptedException {
    RackShifter shifter = new RackShifter(means, asked.command());
    UnfinishedPlanOptions unfinished = asked.unfinished();
    if (unfinished.resume) {
      shifter.resume();
    } else if (unfinished.undo) {
      shifter.undo();
    } else if (unfinished.abandon) {
      shifter.abandon();
    } else {
      return begin(asked, shifter);
    }
    return Answer.said(shifter.current().words());
  }

  private Answer begin(Order asked, RackShifter shifter) throws InterruptedException {
    Set<String> without = Set.copyOf(asked.without());
    if (without.isEmpty()) {
      shifter.requireNone();
    }
    RackOrder order = shifter.gears();
    int from = gear(order, shifter.current());
    int to = asked.to().orElse(asked.direction() > 0 ? order.highest() : Math.max(1, from - 1));
    require(order, to);
    GearAccess.requireDirection(from, to, asked.direction());
    if (to == from) {
      if (order.highest() == 1 && asked.direction() < 0) {
        throw new BadRequestException(
            "no rack may be off: " + shifter.obstacle(),
            "gear",
            "see ./calando gear doctor " + means.named());
      }
      return Answer.said("the cluster is in gear " + to + " already");
    }
    if (asked.dryRun()) {
      return GearRackAnswer.plan(
          from, to, order, shifter.dryRun(order.offIn(to), without), Optional.empty());
    }
    shifter.shift(order.offIn(to), without);
    return GearRackAnswer.shifted(from, to, shifter.current());
  }

  private static int gear(RackOrder order, OffSetting now) {
    return order
        .gearOf(now.off())
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "racks are off that none of its gears has: " + now.words(),
                    "gear",
                    "shift up to the highest gear"));
  }

  private static void require(RackOrder order, int gear) {
    if (gear < 1 || gear > order.highest()) {
      throw new BadRequestException(
          "there is no gear " + gear, "--to", "the cluster has gears 1 to " + order.highest());
    }
  }

  @Override
  public void close() {
    // Each question to a node has a connection of its own.
  }
}
