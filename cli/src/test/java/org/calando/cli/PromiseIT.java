package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promises of a real cluster as the governor reports them, against what another client on the plain
 * driver sees.
 */
class PromiseIT {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final double LIMIT_SECONDS = 0.7;
  private static final Duration SLOW = Duration.ofMillis(400);

  private static LocalCassandra cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            OwnCassandra.config(3, "127.49")
                .jmxPort(7810)
                .linkDelays(LinkDelays.uniform(3, Duration.ofMillis(1)))
                .build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void theyAreKeptUntilLinksAreSlowAndANodeIsDown() throws Exception {
    try (CqlSession others = OwnCassandra.session(cluster, Duration.ofSeconds(20))) {
      others.execute(
          "CREATE KEYSPACE shop WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 3}");
      others.execute("CREATE TABLE shop.carts (id int PRIMARY KEY, items int)");
      await().atMost(LONG).until(others::checkSchemaAgreement);
      PreparedStatement write = others.prepare("INSERT INTO shop.carts (id, items) VALUES (?, ?)");
      for (int i = 0; i < 100; i++) {
        others.execute(write.bind(i, 1).setConsistencyLevel(ConsistencyLevel.ALL));
      }
      PreparedStatement read = others.prepare("SELECT items FROM shop.carts WHERE id = ?");
      try (CommandProcess agent =
              CommandProcess.start(folder, CommandProcess.stateIn(folder), "agent", agent());
          CommandProcess command =
              CommandProcess.start(
                  folder,
                  CommandProcess.stateIn(folder),
                  "govern",
                  govern(GovernorAnswers.of(agent).address()))) {
        GovernorAnswers answers = GovernorAnswers.of(command);
        Client client = new Client(others, write, read);
        awaitPromise(answers, client, "stale", "true");
        awaitPromise(answers, client, "copies", "true");
        awaitPromise(answers, client, "survive", "true");
        awaitPromise(answers, client, "read-p99", "true");
        assertThat(client.median())
            .as("seconds that half of its reads took")
            .isLessThan(LIMIT_SECONDS);

        // Of one through the machine's agent, of the other by the driver's side alone.
        awaitSource(answers, client, "shop", "histograms over JMX");
        awaitSource(answers, client, "weak", "histograms over JMX");
        awaitCanaries(answers, client);

        cluster.linkDelays(LinkDelays.uniform(3, SLOW));
        client.forget();
        awaitPromise(answers, client, "read-p99", "false");
        assertThat(client.median()).isGreaterThan(LIMIT_SECONDS);

        cluster.kill(3);
        awaitPromise(answers, client, "copies", "false");
        awaitPromise(answers, client, "survive", "false");
        await().atMost(LONG).until(() -> client.isAnswered(DefaultConsistencyLevel.QUORUM));
        assertThat(client.isAnswered(DefaultConsistencyLevel.ALL)).isFalse();
        // What is read at the level of a quorum sees what was written at it, whoever is away.
        await()
            .atMost(LONG)
            .untilAsserted(
                () -> {
                  client.work();
                  // Unknown until the driver knows that the node is down.
                  assertThat(promise(answers, "stale").at("/high").asDouble(1)).isZero();
                });
      }
    }
  }

  /** Reads and writes at QUORUM, and knows how long its reads took. */
  private static final class Client {
    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;
    private final List<Double> seconds = Collections.synchronizedList(new ArrayList<>());

    Client(CqlSession session, PreparedStatement write, PreparedStatement read) {
      this.session = session;
      this.write = write;
      this.read = read;
    }

    /** What fails, as where nodes are slow and a machine is busy, has no time. */
    void work() {
      for (int i = 0; i < 5; i++) {
        try {
          session.execute(write.bind(i, i).setConsistencyLevel(ConsistencyLevel.QUORUM));
          long begin = System.nanoTime();
          session.execute(read.bind(i).setConsistencyLevel(ConsistencyLevel.QUORUM));
          seconds.add((System.nanoTime() - begin) / 1e9);
        } catch (DriverException e) {
          assertThat(e).isInstanceOf(QueryExecutionException.class);
        }
      }
    }

    void forget() {
      seconds.clear();
    }

    double median() {
      List<Double> sorted = new ArrayList<>(seconds);
      Collections.sort(sorted);
      return sorted.get(sorted.size() / 2);
    }

    boolean isAnswered(ConsistencyLevel level) {
      try {
        session.execute(read.bind(1).setConsistencyLevel(level));
        return true;
      } catch (DriverException e) {
        return false;
      }
    }
  }

  private static void awaitPromise(
      GovernorAnswers answers, Client client, String promise, String kept) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              client.work();
              JsonNode state = promise(answers, promise);
              assertThat(state.at("/kept").asText()).as(state.toString()).isEqualTo(kept);
            });
  }

  private static void awaitSource(
      GovernorAnswers answers, Client client, String cluster, String source) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              client.work();
              JsonNode state = promise(answers, cluster, "read-p99");
              assertThat(state.at("/source").asText()).contains(source);
              assertThat(state.at("/provenance").asText()).isEqualTo("measured");
              assertThat(state.at("/kept").asText()).isEqualTo("true");
            });
  }

  /** Reads at ONE may miss writes at ONE, reads at ALL do not: by canaries, whatever the keys. */
  private static void awaitCanaries(GovernorAnswers answers, Client client) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              client.work();
              JsonNode promises = promises(answers, "weak");
              JsonNode stale = promises.at("/states/0");
              assertThat(stale.at("/source").asText()).contains("canaries", "keys unknown");
              assertThat(stale.at("/provenance").asText()).isEqualTo("predicted");
              assertThat(stale.at("/low").asDouble(1)).isZero();
              // Of a busy machine no more is known: writes may be as long under way as keys rest.
              assertThat(stale.at("/high").asDouble()).isBetween(1e-9, 1.0);
              assertThat(stale.at("/kept").isNull()).isTrue();
              JsonNode all = promises.at("/reads_at/2");
              assertThat(all.at("/level").asText()).isEqualTo("ALL");
              assertThat(all.at("/kept").asBoolean()).isTrue();
            });
  }

  private static JsonNode promises(GovernorAnswers answers, String name) throws Exception {
    return new ObjectMapper()
        .readTree(answers.get("/api/v1/clusters/" + name).body())
        .at("/promises");
  }

  private static JsonNode promise(GovernorAnswers answers, String promise) throws Exception {
    return promise(answers, "shop", promise);
  }

  private static JsonNode promise(GovernorAnswers answers, String cluster, String promise)
      throws Exception {
    JsonNode states = promises(answers, cluster).at("/states");
    for (JsonNode state : states) {
      if (state.at("/promise").asText().equals(promise)) {
        return state;
      }
    }
    throw new AssertionError(promise + " is not among " + states);
  }

  /** Of the nodes' machine: their JMX by their names. */
  private String agent() throws Exception {
    StringBuilder yaml = new StringBuilder("listen: 127.0.0.1:0\njmx:\n");
    for (LocalNode node : cluster.nodes()) {
      yaml.append("  %s: \"127.0.0.1:%d\"\n".formatted(node.name(), node.jmxPort()));
    }
    return Files.writeString(folder.resolve("agent.yaml"), yaml).toString();
  }

  private String govern(URI agent) throws Exception {
    String plain = LocalClusters.inventory(cluster);
    Files.writeString(folder.resolve("inventory.yaml"), plain);
    Files.writeString(
        folder.resolve("agents.yaml"),
        plain.replaceAll(
            "name: (\\w+),(.*) jmx: \"[0-9.:]+\"",
            "name: $1,$2 jmx: {agent: $1}, agent: \"" + agent + "\""));
    return Files.writeString(
            folder.resolve("govern.yaml"),
            """
            clusters:
              - name: shop
                engine: cassandra
                inventory: agents.yaml
                rf: 3
                period: 2s
                promise: {stale: 0%%, read-p99: %1$sms, copies: 3, survive: 1}
                clients: {reads: QUORUM, writes: QUORUM}
              - name: weak
                engine: cassandra
                inventory: inventory.yaml
                rf: 3
                period: 2s
                promise: {stale: 0%%, read-p99: %1$sms}
                clients: {reads: ONE, writes: ONE, canary: shop}
            listen: 127.0.0.1:0
            """
                .formatted((int) (1000 * LIMIT_SECONDS)))
        .toString();
  }
}
