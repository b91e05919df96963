package org.calando.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;

/** A small real cluster of one test class, and others' clients of it. Stateless. */
final class OwnCassandra {
  private OwnCassandra() {}

  /**
   * What its start needs, with a replica on each node.
   *
   * @param block addresses of this class alone
   */
  static LocalCassandraConfig.Builder config(int nodes, String block) {
    return LocalCassandraConfig.builder()
        .nodes(nodes)
        .replicationFactor(nodes)
        .heapMebibytes(192)
        .block(block)
        .startTimeout(Duration.ofMinutes(6));
  }

  /** A client on the plain driver. */
  static CqlSession session(LocalCassandra cluster, Duration timeout) {
    return CqlSession.builder()
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
                // Else a close waits for two seconds.
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build())
        .addContactPoints(
            cluster.nodes().stream()
                .map(node -> new InetSocketAddress(node.address(), node.cqlPort()))
                .toList())
        .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
        .build();
  }
}
