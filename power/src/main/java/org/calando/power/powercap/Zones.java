package org.calando.power.powercap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.calando.power.MeterException;

/*
 * What the zones cover:
 *
 *     psys    the whole platform, packages and memory included (clients, some servers)
 *     package-N         a socket: its cores, caches, graphics
 *       core, uncore    parts of the package, counted in it
 *       dram            the socket's memory, beside the package
 *     intel-rapl-mmio:N the same package, through another register
 *
 * So the machine is the sum of packages and their memory; psys alone only where there is no package;
 * each name and socket once.
 */

/** Finds the counters that add up to the machine without counting anything twice. */
final class Zones {
  private static final String MMIO = "intel-rapl-mmio";

  private Zones() {}

  /**
   * The zones to be summed.
   *
   * @param root folder of all zones
   * @throws MeterException if there is none, or a counter cannot be read
   */
  static List<Zone> find(Path root) throws MeterException {
    List<Zone> all = all(root);
    List<Zone> chosen = new ArrayList<>();
    Set<String> packages = new TreeSet<>();
    for (Zone zone : all) {
      if (zone.name().startsWith("package") && packages.add(zone.name())) {
        chosen.add(zone);
      }
    }
    for (Zone zone : all) {
      if (zone.name().equals("dram") && !isMmio(zone)) {
        chosen.add(zone);
      }
    }
    if (packages.isEmpty()) {
      chosen.clear();
      all.stream().filter(zone -> zone.name().equals("psys")).limit(1).forEach(chosen::add);
    }
    if (chosen.isEmpty()) {
      throw new MeterException(
          "no energy counter of a processor there",
          root + "/*/energy_uj",
          "load the kernel's driver (modprobe intel_rapl_common); virtual machines have none");
    }
    for (Zone zone : chosen) {
      zone.read();
    }
    return chosen;
  }

  /** Every zone with a counter, by name of its folder, those of the older register first. */
  private static List<Zone> all(Path root) throws MeterException {
    List<Path> folders = new ArrayList<>();
    try (DirectoryStream<Path> zones = Files.newDirectoryStream(root)) {
      for (Path folder : zones) {
        if (Files.exists(folder.resolve("energy_uj"))) {
          folders.add(folder);
        }
      }
    } catch (IOException e) {
      throw new MeterException(
          "there is no such folder on this machine",
          root.toString(),
          "load the kernel's driver (modprobe intel_rapl_common); virtual machines have none",
          e);
    }
    folders.sort(
        Comparator.comparing((Path folder) -> folder.getFileName().toString().startsWith(MMIO))
            .thenComparing(Path::toString));
    List<Zone> zones = new ArrayList<>();
    for (Path folder : folders) {
      long lap = Zone.number(folder.resolve("max_energy_range_uj"));
      if (lap == 0) {
        throw new MeterException(
            "holds 0", folder.resolve("max_energy_range_uj").toString(), "see the kernel's log");
      }
      zones.add(new Zone(folder, Zone.text(folder.resolve("name")), lap));
    }
    return zones;
  }

  private static boolean isMmio(Zone zone) {
    return zone.folder().getFileName().toString().startsWith(MMIO);
  }
}
