package org.calando.gears;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.Patience;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.power.onoff.PowerSwitch;

/**
 * What steps of a shift work with. Immutable; thread safe as its parts are.
 *
 * @param cluster the store
 * @param path of the gear file
 * @param file what it held when the command began; only its gear changes
 * @param switches of nodes that can be switched, by name
 * @param patience how long parts may take
 * @param catchUp how blocks are brought home
 * @param news hears of it
 * @param named options of the commands that name this cluster, such as {@code --local}; may be
 *     empty
 */
public record GearMeans(
    GearCluster cluster,
    Path path,
    GearFile file,
    Map<String, PowerSwitch> switches,
    Patience patience,
    CatchUpPace catchUp,
    ShiftNews news,
    String named) {
  public GearMeans {
    switches = Map.copyOf(switches);
  }

  /** Of a cluster that no command names. */
  public GearMeans(
      GearCluster cluster,
      Path path,
      GearFile file,
      Map<String, PowerSwitch> switches,
      Patience patience,
      CatchUpPace catchUp,
      ShiftNews news) {
    this(cluster, path, file, switches, patience, catchUp, news, "");
  }

  /** The command that shifts this cluster up, as an operator types it. */
  String up(String option) {
    return command("up") + " " + option;
  }

  /** A gear command about this cluster, as an operator types it. */
  String command(String name) {
    return "./calando gear " + name + (named.isEmpty() ? "" : " " + named);
  }

  GearGroups groups() {
    return file.layout().groups();
  }

  /** The nodes that are on in the higher gear only. */
  List<String> between(int low, int high) {
    return file.nodes().subList(groups().nodesIn(low), groups().nodesIn(high));
  }

  /** The nodes that are off in a gear. */
  Set<String> offIn(int gear) {
    return gear == groups().gears()
        ? Set.of()
        : new TreeSet<>(file.nodes().subList(groups().nodesIn(gear), groups().nodes()));
  }

  /** Nodes that are to be on in a gear, and were left in maintenance all the same. */
  Set<String> leftOff(int gear) {
    Set<String> left = new TreeSet<>(cluster.maintained());
    left.retainAll(file.nodes());
    left.removeAll(offIn(gear));
    return left;
  }

  /** Its members, as they are put to rest and woken. */
  NodeMeans nodes() {
    return new NodeMeans(cluster, switches, patience, news);
  }

  /** Has the placement policy of the name server take a gear, and waits until it says so. */
  void setGear(int gear) throws InterruptedException {
    GearFiles.write(file.in(gear), path);
    patience.await(
        news,
        patience.file(),
        () -> isInForce(gear),
        () -> "the NameNode's placement policy has not taken gear " + gear,
        "gear file " + path,
        "do what ./calando gear doctor says of the placement policy");
  }

  /** Whether the name server itself says that the gear is in force. */
  boolean isInForce(int gear) {
    return GearFiles.read(path).gear() == gear
        && cluster
            .inForce()
            .filter(now -> now.gear() == gear && now.hash().equals(GearFiles.hash(path)))
            .isPresent();
  }
}
