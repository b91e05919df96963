package org.calando.kept;

import java.util.List;
import java.util.Map;

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
}
