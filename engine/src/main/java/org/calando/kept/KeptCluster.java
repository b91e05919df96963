package org.calando.kept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.core.FailedWorkException;

/** A cluster on this machine that outlives the command that started it. Not thread safe. */
public interface KeptCluster {
  /** The file that lists its nodes for studies. */
  String INVENTORY = "inventory.yaml";

  /** The file with what a study's file says to use it. */
  String STORE = "store.yaml";

  /** The remedy of a process that serves in its place. */
  String END_BY_HAND = "end that process by hand (kill PID)";

  /** How it is now; asks its servers. */
  ClusterStatus status();

  /** What stands beside its state for people and studies: texts by the names of their files. */
  Map<String, String> files();

  /** Ends every process that was started for it, and removes its folder. */
  void shutdown();

  /** Processes that serve in its place and that Calando did not start, in words. */
  default List<String> strangers() {
    return List.of();
  }

  /**
   * Writes the inventory of a cluster anew, whose nodes have other processes now; nothing where
   * there is none.
   *
   * @param folder of the cluster
   * @param text what the inventory says
   * @throws FailedWorkException if it cannot be written
   */
  static void noteAgain(Path folder, String text) {
    Path inventory = folder.resolve(INVENTORY);
    if (!Files.exists(inventory)) {
      return;
    }
    try {
      Files.writeString(inventory, text);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be written (" + e.getMessage() + ")",
          inventory.toString(),
          "make room there; the servers are as they were ordered to be",
          e);
    }
  }
}
