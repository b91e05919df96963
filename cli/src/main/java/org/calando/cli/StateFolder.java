package org.calando.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.clock.LeaseFolders;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.kept.KeptCluster;

/** Where the command keeps what outlives it. Stateless. */
public final class StateFolder {
  private static final int MOST_NAME = 80;

  private StateFolder() {}

  /** {@code CALANDO_STATE}, or {@code .calando} in the user's home. */
  static Path base() {
    String given = System.getenv("CALANDO_STATE");
    Path base =
        given == null || given.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".calando")
            : Path.of(given);
    return base.toAbsolutePath();
  }

  /** The local cluster of an engine. */
  public static Path local(String engine) {
    return base().resolve("local").resolve(engine);
  }

  /**
   * The engine whose local cluster has a file for its inventory, as {@code local start} wrote it.
   *
   * @return empty if it is none's
   */
  static Optional<Engine> localEngine(Path inventory) {
    return Engines.all().stream()
        .filter(engine -> isSame(inventory, local(engine.id()).resolve(KeptCluster.INVENTORY)))
        .findFirst();
  }

  private static boolean isSame(Path file, Path other) {
    try {
      return Files.isSameFile(file, other);
    } catch (IOException e) {
      // One of both is not there.
      return false;
    }
  }

  /**
   * Removes what a local cluster that was stopped leaves empty; a folder that {@code CALANDO_STATE}
   * names stays.
   */
  public static void removeEmptyLocal() {
    Path local = base().resolve("local");
    String given = System.getenv("CALANDO_STATE");
    removeEmpty(given == null || given.isEmpty() ? List.of(local, base()) : List.of(local));
  }

  /**
   * Removes folders in this order, up to the first that is not empty or cannot be removed. A link
   * to a folder stays: it is removed whatever the folder holds.
   */
  static void removeEmpty(List<Path> folders) {
    try {
      for (Path folder : folders) {
        if (Files.isSymbolicLink(folder)) {
          return;
        }
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // Something else is in it, or it may not be removed: an empty folder harms nobody.
    }
  }

  /** Journals of what was done to clusters. */
  public static Path journals() {
    return base().resolve("journals");
  }

  /**
   * Where it is noted what goes back when a command ends, and who of all on this machine has it;
   * {@code CALANDO_RUN} is for tests, of processors that are files.
   */
  public static LeaseFolders leases() {
    String given = System.getenv("CALANDO_RUN");
    Path run = given == null || given.isEmpty() ? LeaseFolders.RUN : Path.of(given);
    return new LeaseFolders(journals(), run.toAbsolutePath());
  }

  /**
   * The decisions of a governor.
   *
   * @param knob which knob
   * @param what it governs; any name
   */
  static Path decisions(String knob, String what) {
    String plain = what.replaceAll("[^A-Za-z0-9._-]", "_");
    String name =
        plain.equals(what) && plain.length() <= MOST_NAME
            ? plain
            : plain.substring(0, Math.min(plain.length(), MOST_NAME))
                + "~"
                + Integer.toHexString(what.hashCode());
    return base().resolve("decisions").resolve(knob + "-" + name);
  }

  /** Where plans of durable knobs are noted that may be unfinished. */
  static Path plans() {
    return base().resolve(UnfinishedPlans.NOTES);
  }

  /** Who has which durable knob. */
  public static Path owners() {
    return base().resolve("owners");
  }
}
