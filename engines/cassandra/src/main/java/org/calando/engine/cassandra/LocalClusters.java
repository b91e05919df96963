package org.calando.engine.cassandra;

import java.nio.file.Path;
import org.calando.engine.LocalSpec;
import org.calando.engine.YamlText;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.process.Leftovers;
import org.calando.store.cassandra.FreshCluster;

/** Local clusters that outlive the command that starts them. */
public final class LocalClusters {
  private LocalClusters() {}

  /**
   * Starts a cluster that stays until it is stopped. If this process ends before the cluster's
   * users are made, so does the cluster: nobody finds one with the passwords that all know.
   *
   * @param local what it looks like
   * @param stateFolder where it keeps its data and state; empty or not there yet
   * @throws org.calando.core.BadRequestException if there is one already, or the machine lacks
   *     something
   */
  public static LocalCassandra startAndLeave(LocalSpec local, Path stateFolder) {
    Leftovers.sweep();
    LocalCassandra cluster =
        LocalCassandra.start(CassandraLocalTarget.config(local).stateFolder(stateFolder).build());
    try {
      LocalAccess.secure(cluster);
      cluster.keep();
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** The cluster as an inventory file for studies. */
  public static String inventory(LocalCassandra cluster) {
    StringBuilder yaml = new StringBuilder("# Written by ./calando local start.\n");
    boolean oneCentre = cluster.config().dataCentres().stream().distinct().count() == 1;
    if (oneCentre) {
      yaml.append("datacenter: ").append(cluster.config().dataCentres().get(0)).append('\n');
    }
    yaml.append("nodes:\n");
    for (LocalNode node : cluster.nodes()) {
      yaml.append(
          "  - {name: %s, address: %s, port: %d, %srack: %s, pid: %d, jmx: \"127.0.0.1:%d\"}\n"
              .formatted(
                  node.name(),
                  node.address(),
                  node.cqlPort(),
                  oneCentre ? "" : "datacenter: " + node.dataCentre() + ", ",
                  node.rack(),
                  node.pid(),
                  node.jmxPort()));
    }
    return yaml.toString();
  }

  /**
   * What a study's file says to use the cluster, user and CA included; holds paths, no secrets.
   *
   * @param inventory where the inventory has been written
   */
  public static String store(LocalCassandra cluster, Path inventory) {
    StringBuilder yaml = new StringBuilder("store:\n  engine: cassandra\n");
    line(yaml, "inventory", YamlText.quote(inventory));
    line(yaml, "rf", Integer.toString(cluster.config().replicationFactor()));
    cluster
        .passwordFile()
        .ifPresent(
            file -> {
              line(yaml, "user", FreshCluster.USER);
              line(yaml, "password-file", YamlText.quote(file));
            });
    cluster.caFile().ifPresent(ca -> line(yaml, "tls", "{ca: " + YamlText.quote(ca) + "}"));
    return yaml.toString();
  }

  private static void line(StringBuilder yaml, String key, String value) {
    yaml.append("  ").append(key).append(": ").append(value).append('\n');
  }
}
