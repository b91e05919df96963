package org.calando.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile;
import org.calando.engine.InventorySpec;
import org.calando.engine.hdfs.HdfsSpec;
import org.calando.gears.HdfsGears;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.studyfile.StudyFile;

/** A user's own HDFS with gears, as his inventory tells. Immutable. */
final class GearInventory {
  private static final Duration KNOCK = Duration.ofSeconds(2);

  private final Path file;
  private final InventorySpec inventory;
  private final HdfsSpec hdfs;

  private GearInventory(Path file, InventorySpec inventory, HdfsSpec hdfs) {
    this.file = file;
    this.inventory = inventory;
    this.hdfs = hdfs;
  }

  /**
   * Reads an inventory.
   *
   * @throws BadRequestException with all that is wrong with it
   */
  static GearInventory read(Path file) {
    InventorySpec inventory = StudyFile.readInventory(file);
    HdfsSpec hdfs =
        inventory
            .find(HdfsSpec.class)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the inventory has no section hdfs",
                        file.toString(),
                        "add hdfs: {namenode, http, hosts-file, gear-file}; see docs/gears.md"));
    return new GearInventory(file, inventory, hdfs);
  }

  /** Where the gear file is. */
  Path gearFile() {
    return path(hdfs.gearFile());
  }

  private Path path(String name) {
    return file.toAbsolutePath().resolveSibling(name);
  }

  /**
   * Refuses an inventory of other nodes than the gear file's.
   *
   * @throws BadRequestException naming those that differ
   */
  void requireNodes(GearFile gears) {
    List<String> mine = inventory.nodes().stream().map(GearInventory::address).toList();
    List<String> missing = new ArrayList<>(gears.nodes());
    missing.removeAll(mine);
    List<String> extra = new ArrayList<>(mine);
    extra.removeAll(gears.nodes());
    if (!missing.isEmpty() || !extra.isEmpty()) {
      throw new BadRequestException(
          "the inventory and the gear file have other nodes; only in the gear file: "
              + missing
              + ", only in the inventory: "
              + extra,
          file.toString(),
          "list the transfer addresses of the gear file as address and port of nodes");
    }
  }

  private static String address(InventorySpec.Node node) {
    return node.address() + ":" + node.port();
  }

  /**
   * Connects.
   *
   * @param answerWithin how long to go on asking a NameNode that does not answer
   */
  HdfsGears open(GearFile gears, Duration answerWithin) {
    HdfsAccess.Builder access =
        HdfsAccess.of(hdfs.nameNode())
            .http(hdfs.http())
            .hostsFile(path(hdfs.hostsFile()))
            .answerWithin(answerWithin);
    hdfs.user().ifPresent(access::user);
    return new HdfsGears(HdfsCluster.open(access.build()), gears);
  }

  /** Names of nodes' power profiles, where they are told, by transfer address. */
  Map<String, String> profiles() {
    Map<String, String> profiles = new TreeMap<>();
    inventory
        .nodes()
        .forEach(node -> node.profile().ifPresent(name -> profiles.put(address(node), name)));
    return profiles;
  }

  /** Switches of nodes that have one, by transfer address. */
  Map<String, PowerSwitch> switches() {
    Map<String, PowerSwitch> switches = new TreeMap<>();
    for (InventorySpec.Node node : inventory.nodes()) {
      node.powerSwitch()
          .ifPresent(
              spec ->
                  switches.put(
                      address(node),
                      spec.verified(
                          node.name(),
                          Optional.of(Lookout.port(node.address(), node.port(), KNOCK)),
                          Ticker.system())));
    }
    return switches;
  }
}
