package org.calando.session;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.awaitility.Awaitility;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Missed;
import org.calando.local.cassandra.LocalNode;

/**
 * A session that reads as node 3 is away and comes back, and rows that others write meanwhile, of
 * which no hints are kept and which no read repairs: node 3 never gets them.
 */
final class Returning implements AutoCloseable {
  static final String TABLE = "app.returned";
  private static final int ROWS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final LiveCluster cluster;
  private final AtomicReference<Optional<Observation>> decided =
      new AtomicReference<>(Optional.empty());
  private final AdaptiveSession session;
  private final PreparedStatement select;

  Returning(LiveCluster cluster) {
    this.cluster = cluster;
    this.session =
        AdaptiveSession.wrap(cluster.connect("cassandra", "cassandra"))
            .tolerate(TABLE, 0.05)
            .monitorDeadline(Duration.ofSeconds(20))
            .listener((table, share, decision) -> decided.set(Optional.of(decision.observation())))
            .build();
    this.select = session.prepare("SELECT v FROM " + TABLE + " WHERE id = ?");
  }

  /** Writes all rows while node 3 is away. */
  void writeWithoutHints() throws IOException, JMException {
    for (int node = 1; node <= 2; node++) {
      hints(cluster.node(node), false);
    }
    for (long id = 0; id < ROWS; id++) {
      cluster
          .admin()
          .execute(
              SimpleStatement.newInstance("INSERT INTO " + TABLE + " (id, v) VALUES (?, 1)", id)
                  .setConsistencyLevel(DefaultConsistencyLevel.TWO));
    }
    for (int node = 1; node <= 2; node++) {
      hints(cluster.node(node), true);
    }
  }

  @SuppressWarnings("BanJNDI") // a node of the test's own
  private static void hints(LocalNode node, boolean kept) throws IOException, JMException {
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + node.jmxPort() + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      connector
          .getMBeanServerConnection()
          .setAttribute(
              new ObjectName("org.apache.cassandra.db:type=StorageProxy"),
              new Attribute("HintedHandoffEnabled", kept));
    }
  }

  /** Reads until the session knows that a node is away. */
  void awaitAway() {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> read().filter(o -> o.awayReplicas() > 0).isPresent());
  }

  /**
   * Reads until enough is known of what reads miss. Where a busy machine had a node fall silent
   * after the return, or took too long, node 3 is sent away once more.
   */
  Missed awaitMissed(Predicate<Missed> enough) {
    for (int times = 0; times < 4; times++) {
      Optional<Missed> found = whileLate(enough);
      if (found.isPresent()) {
        return found.get();
      }
      cluster.local().kill(3);
      awaitAway();
      cluster.local().restart(3);
    }
    throw new AssertionError("not enough was sampled while node 3 counted as late");
  }

  private Optional<Missed> whileLate(Predicate<Missed> enough) {
    boolean answered = false;
    // It counts as late for a minute, and is decided on once a second.
    for (int decisions = 0; decisions < 75; decisions++) {
      Observation o = awaitDecision();
      Optional<Missed> missed = o.missed().filter(enough);
      if (missed.isPresent() || (answered && o.awayReplicas() > 0)) {
        return missed;
      }
      answered |= o.awayReplicas() == 0;
    }
    return Optional.empty();
  }

  private Observation awaitDecision() {
    Optional<Observation> before = decided.get();
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(this::read, now -> now.isPresent() && !now.equals(before))
        .orElseThrow();
  }

  private Optional<Observation> read() {
    for (long id = 0; id < ROWS; id++) {
      session.execute(select.bind(id));
    }
    return decided.get();
  }

  @Override
  public void close() {
    session.close();
  }
}
