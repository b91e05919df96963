package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.Test;

class LinkDelayIT {
  /** One way: 5 ms between n1 and n2, 40 ms to and from n3. */
  private static final LinkDelays DELAYS =
      LinkDelays.matrix(
          List.of(
              List.of(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(40)),
              List.of(Duration.ofMillis(5), Duration.ZERO, Duration.ofMillis(40)),
              List.of(Duration.ofMillis(40), Duration.ofMillis(40), Duration.ZERO)));

  @Test
  void anAcknowledgementCostsTheDelayOfItsLinkThereAndBack() throws IOException {
    LocalCassandraConfig config =
        LocalCassandraIT.config().nodes(3).racks(3).linkDelays(DELAYS).build();
    try (LocalCassandra cluster = LocalCassandra.start(config);
        RawCql cql = new RawCql(cluster.nodes().get(0))) {
      cql.createTable("{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      Duration one = shortest(cql, RawCql.ONE);
      Duration quorum = shortest(cql, RawCql.QUORUM);
      Duration all = shortest(cql, RawCql.ALL);
      // Lower bounds and order only: how much slower a busy machine is says nothing of the relay.
      assertThat(one).isLessThan(quorum);
      assertThat(quorum).isGreaterThanOrEqualTo(Duration.ofMillis(10)).isLessThan(all);
      assertThat(all).isGreaterThanOrEqualTo(Duration.ofMillis(80));

      LinkCounters counters = cluster.linkCounters().orElseThrow();
      assertThat(counters.strangers()).isZero();
      for (int sender = 0; sender < 3; sender++) {
        for (int receiver = 0; receiver < 3; receiver++) {
          if (sender != receiver) {
            assertThat(counters.bytes(sender, receiver)).isPositive();
            assertThat(counters.connections(sender, receiver)).isPositive();
          }
        }
      }

      assertThat(cluster.linkDelays()).isEqualTo(DELAYS);
      cluster.linkDelays(LinkDelays.uniform(3, Duration.ofMillis(60)));
      assertThat(shortest(cql, RawCql.QUORUM)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
    }
  }

  private static Duration shortest(RawCql cql, int consistency) throws IOException {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      String insert = "INSERT INTO k.t (id, v) VALUES (" + i + ", 1)";
      shortest = Math.min(shortest, cql.run(insert, consistency));
    }
    return Duration.ofNanos(shortest);
  }
}
