package org.calando.governor;

import java.nio.file.Path;
import java.util.function.Function;

/**
 * Where decisions are noted, and are resumed from. Thread safe.
 *
 * @param knobs the folder of what is decided of a cluster's knobs, by its name in the file
 * @param gears the folder of what is decided of a cluster's gear, by what is shifted: it has one
 *     governor, whatever its file
 */
public record DecisionFolders(Function<String, Path> knobs, Function<String, Path> gears) {
  /** The folder of what is known of the sessions of a cluster's applications. */
  Path sessions(String cluster) {
    return knobs.apply(cluster + " sessions");
  }
}
