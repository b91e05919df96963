package org.calando.study;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One real cluster for all classes that use it, as the cluster of a user's own: three nodes in
 * three racks, the third one 15 ms away. Started for the first class, stopped after the last.
 */
final class SharedCluster implements BeforeAllCallback {
  private static final Duration FAR = Duration.ofMillis(15);

  @Override
  public void beforeAll(ExtensionContext context) {
    running(context);
  }

  private static Running running(ExtensionContext context) {
    Running running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
            .getOrComputeIfAbsent(Running.class, key -> new Running(), Running.class);
    current = running;
    return running;
  }

  private static volatile Running current;

  /** The cluster's inventory, process ids included. */
  static String inventory() {
    return LocalClusters.inventory(current.cluster);
  }

  /** The same for a cluster whose processes nobody here can see. */
  static String inventoryWithoutPids() {
    return inventory().replaceAll(", pid: \\d+", "");
  }

  /** Says CQL at ALL, with nothing of ours between. */
  static CqlSession cql() {
    return current.cql;
  }

  private static final class Running implements AutoCloseable {
    private final LocalCassandra cluster;
    private final CqlSession cql;

    Running() {
      Duration none = Duration.ZERO;
      cluster =
          LocalCassandra.start(
              LocalCassandraConfig.builder()
                  .nodes(3)
                  .racks(3)
                  .block("127.43")
                  .jmxPort(7500)
                  .startTimeout(Duration.ofMinutes(5))
                  .linkDelays(
                      LinkDelays.matrix(
                          List.of(
                              List.of(none, none, FAR),
                              List.of(none, none, FAR),
                              List.of(FAR, FAR, none))))
                  .build());
      LocalNode node = cluster.nodes().get(0);
      cql =
          CqlSession.builder()
              .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
              .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "ALL")
                      .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                      .build())
              .build();
    }

    @Override
    public void close() {
      cql.close();
      cluster.close();
    }
  }
}
