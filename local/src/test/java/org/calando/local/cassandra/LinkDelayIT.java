package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
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
      List<Duration> shortest = shortest(cql, RawCql.ONE, RawCql.QUORUM, RawCql.ALL);
      Duration one = shortest.get(0);
      Duration quorum = shortest.get(1);
      Duration all = shortest.get(2);
      // Lower bounds and order only: how much slower a busy machine is says nothing of the relay.
      assertThat(one).isLessThan(quorum);
      assertThat(quorum).isGreaterThanOrEqualTo(Duration.ofMillis(10)).isLessThan(all);
      assertThat(all).isGreaterThanOrEqualTo(Duration.ofMillis(80));

      assertThat(cluster.linkCounters().orElseThrow().strangers()).isZero();
      // Two nodes may not have had anything to tell each other yet.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertAllLinksAreUsed(cluster.linkCounters().orElseThrow()));

      assertThat(cluster.linkDelays()).isEqualTo(DELAYS);
      cluster.linkDelays(LinkDelays.uniform(3, Duration.ofMillis(60)));
      assertThat(shortest(cql, RawCql.QUORUM).get(0))
          .isGreaterThanOrEqualTo(Duration.ofMillis(120));
    }
  }

  private static void assertAllLinksAreUsed(LinkCounters counters) {
    for (int sender = 0; sender < 3; sender++) {
      for (int receiver = 0; receiver < 3; receiver++) {
        if (sender != receiver) {
          assertThat(counters.bytes(sender, receiver)).isPositive();
          assertThat(counters.connections(sender, receiver)).isPositive();
        }
      }
    }
  }

  /** Of each level in turn, so that a server that is still slow is so for all of them. */
  private static List<Duration> shortest(RawCql cql, int... levels) throws IOException {
    long[] shortest = new long[levels.length];
    Arrays.fill(shortest, Long.MAX_VALUE);
    for (int i = 0; i < 20; i++) {
      for (int level = 0; level < levels.length; level++) {
        String insert = "INSERT INTO k.t (id, v) VALUES (" + i + ", 1)";
        shortest[level] = Math.min(shortest[level], cql.run(insert, levels[level]));
      }
    }
    return Arrays.stream(shortest).mapToObj(Duration::ofNanos).toList();
  }
}
