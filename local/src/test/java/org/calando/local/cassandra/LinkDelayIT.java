package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LinkDelayIT {
  @Test
  void relayKnowsTheSenderOfEveryConnectionOfTheRealEngine() {
    long begin = System.nanoTime();
    try (LocalCassandra cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.42")
                .jmxPort(7842)
                .linkDelay(Duration.ofMillis(20))
                .build())) {
      System.out.println("up in " + (System.nanoTime() - begin) / 1000000 + " ms");
      var counters = cluster.linkCounters().orElseThrow();
      for (int s = 0; s < 3; s++) {
        for (int r = 0; r < 3; r++) {
          System.out.println(
              s + "->" + r + " " + counters.bytes(s, r) + " bytes " + counters.connections(s, r));
        }
      }
      System.out.println("strangers " + counters.strangers());
      assertThat(counters.strangers()).isZero();
    }
  }
}
