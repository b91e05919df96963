package org.calando.governor;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.calando.engine.InventorySpec;
import org.calando.study.ClockBounds;
import org.calando.studyfile.ServiceSpec;

/**
 * Where decisions are noted, and are resumed from. Thread safe.
 *
 * @param knobs the folder of what is decided of a cluster's knobs, by its name in the file
 * @param gears the folder of what is decided of a cluster's gear, by what is shifted: it has one
 *     governor, whatever its file
 */
public record DecisionFolders(Function<String, Path> knobs, Function<String, Path> gears) {
  /**
   * The folder of what is known of the sessions of a cluster's applications. Its name may come to
   * stand for other nodes: what is known of these is elsewhere.
   */
  Path sessions(ServiceSpec.Cluster spec) {
    return sessions(spec.name(), spec.store().inventory());
  }

  /** The folder of what a governor keeps of itself; no cluster's name has a blank. */
  Path governor() {
    return knobs.apply("the governor");
  }

  /** The folder of a cluster's past, minute by minute. */
  Path history(String cluster) {
    return knobs.apply(cluster + " history");
  }

  Path sessions(String cluster, Optional<InventorySpec> inventory) {
    return knobs.apply(
        cluster + " sessions" + inventory.map(ClockBounds::nameOf).map(" of "::concat).orElse(""));
  }
}
