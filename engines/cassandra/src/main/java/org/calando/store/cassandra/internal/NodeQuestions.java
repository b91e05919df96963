package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.NodeReport;

/*
 * The clock of a node: it is asked for its time as the coordinator, a few times, and answers with
 * whole milliseconds. The answer was made somewhere between question and reply, so its offset from
 * the middle is right within half the round trip (Cristian 1989, "Probabilistic clock
 * synchronization"); the shortest round trip gives the narrowest bound.
 */
/** What one node is asked, as the coordinator of its own answers. Stateless. */
final class NodeQuestions {
  private static final int PROBES = 7;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final SimpleStatement QUESTION =
      SimpleStatement.newInstance(
              "SELECT data_center, rack, release_version, toUnixTimestamp(now())"
                  + " FROM system.local")
          .setTimeout(Duration.ofSeconds(5));

  private NodeQuestions() {}

  static NodeReport ask(CqlSession session, Endpoint point, InetSocketAddress address) {
    Optional<Node> node =
        session.getMetadata().getNodes().values().stream()
            .filter(each -> address.equals(each.getEndPoint().resolve()))
            .findFirst();
    if (node.isEmpty()) {
      return new NodeReport(point, "is no node of this cluster", Optional.empty());
    }
    try {
      return new NodeReport(point, "", Optional.of(facts(session, node.get())));
    } catch (DriverException e) {
      return new NodeReport(point, "does not answer: " + Refusals.brief(e), Optional.empty());
    }
  }

  private static NodeReport.Facts facts(CqlSession session, Node node) {
    SimpleStatement question = QUESTION.setNode(node);
    Row row = one(session, question); // warms the path up
    long shortest = Long.MAX_VALUE;
    long offsetNanos = 0;
    for (int probe = 0; probe < PROBES; probe++) {
      long wallBefore = wallNanos();
      long begun = System.nanoTime();
      long nodeMillis = one(session, question).getLong(3);
      long roundTrip = System.nanoTime() - begun;
      if (roundTrip < shortest) {
        shortest = roundTrip;
        // The node cuts to the millisecond: half of one is the fair guess at what it cut off.
        long nodeNanos = nodeMillis * NANOS_PER_MILLI + NANOS_PER_MILLI / 2;
        offsetNanos = nodeNanos - (wallBefore + roundTrip / 2);
      }
    }
    return new NodeReport.Facts(
        text(row, 0),
        text(row, 1),
        text(row, 2),
        offsetNanos,
        shortest / 2 + NANOS_PER_MILLI / 2,
        shortest);
  }

  private static long wallNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  private static Row one(CqlSession session, SimpleStatement statement) {
    return Objects.requireNonNull(session.execute(statement).one());
  }

  private static String text(Row row, int column) {
    return Objects.requireNonNullElse(row.getString(column), "?");
  }
}
