package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalCassandraIT {
  @Test
  void threeNodesSeeEachOtherUp() {
    long begin = System.nanoTime();
    try (LocalCassandra cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.42")
                .jmxPort(7842)
                .build())) {
      System.out.println("up in " + (System.nanoTime() - begin) / 1000000 + " ms");
      assertThat(cluster.status()).allMatch(LocalCassandra.NodeStatus::up);
      cluster.kill(2);
      assertThat(cluster.status().get(1).running()).isFalse();
      begin = System.nanoTime();
      cluster.restart(2);
      System.out.println("restart in " + (System.nanoTime() - begin) / 1000000 + " ms");
      assertThat(cluster.status()).allMatch(LocalCassandra.NodeStatus::up);
    }
  }
}
