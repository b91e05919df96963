package org.calando.study;

import java.nio.file.Path;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.process.Leftovers;
import org.calando.study.config.LocalSpec;

/** Local clusters that outlive the command that starts them. */
public final class LocalClusters {
  private LocalClusters() {}

  /**
   * Starts a cluster that stays until it is stopped.
   *
   * @param local what it looks like
   * @param stateFolder where it keeps its data and state; empty or not there yet
   * @throws org.calando.core.BadRequestException if there is one already, or the machine lacks
   *     something
   */
  public static LocalCassandra startAndLeave(LocalSpec local, Path stateFolder) {
    Leftovers.sweep();
    return LocalCassandra.start(LocalTarget.config(local).stateFolder(stateFolder).build());
  }

  /** The cluster as an inventory file for studies. */
  public static String inventory(LocalCassandra cluster) {
    StringBuilder yaml = new StringBuilder("# Written by calando local start.\n");
    yaml.append("datacenter: ").append(LocalCassandra.DATA_CENTRE).append("\nnodes:\n");
    for (LocalNode node : cluster.nodes()) {
      yaml.append(
          "  - {name: %s, address: %s, port: %d, rack: %s, pid: %d, jmx: \"127.0.0.1:%d\"}\n"
              .formatted(
                  node.name(),
                  node.address(),
                  node.cqlPort(),
                  node.rack(),
                  node.pid(),
                  node.jmxPort()));
    }
    return yaml.toString();
  }
}
