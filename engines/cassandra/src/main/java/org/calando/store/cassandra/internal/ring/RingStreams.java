package org.calando.store.cassandra.internal.ring;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.calando.store.cassandra.RingView.Streams;

/*
 * All that one node sends another receives, but not every node of a stream tells its side of it: of
 * both sums the larger one is what has been streamed.
 */
/** What nodes stream to each other. Only reads; not thread safe. */
public final class RingStreams {
  private static final SimpleStatement STREAMS =
      NodeRows.question(
          "SELECT id, operation, status, bytes_to_receive, bytes_received, bytes_to_send,"
              + " bytes_sent FROM system_views.streaming");
  private static final String MOVE = "Relocation";
  private static final Set<String> ENDED = Set.of("success", "failure");

  private final CqlSession session;

  /** Looks over a session. */
  public RingStreams(CqlSession session) {
    this.session = session;
  }

  /** See {@link org.calando.store.cassandra.RingView#streams}. */
  public Streams read() {
    Map<UUID, Long> received = new HashMap<>();
    Map<UUID, Long> sent = new HashMap<>();
    Map<UUID, Long> toReceive = new HashMap<>();
    Map<UUID, Long> toSend = new HashMap<>();
    Set<UUID> active = new HashSet<>();
    for (List<Row> rows : NodeRows.ask(session, STREAMS).rows().values()) {
      for (Row row : rows) {
        if (!MOVE.equalsIgnoreCase(row.getString("operation"))) {
          continue;
        }
        UUID id = Objects.requireNonNull(row.getUuid("id"));
        received.merge(id, row.getLong("bytes_received"), Long::sum);
        sent.merge(id, row.getLong("bytes_sent"), Long::sum);
        toReceive.merge(id, row.getLong("bytes_to_receive"), Long::sum);
        toSend.merge(id, row.getLong("bytes_to_send"), Long::sum);
        if (isActive(row)) {
          active.add(id);
        }
      }
    }
    return new Streams(larger(received, sent), larger(toReceive, toSend), active);
  }

  private static Map<UUID, Long> larger(Map<UUID, Long> one, Map<UUID, Long> other) {
    Map<UUID, Long> larger = new HashMap<>(one);
    other.forEach((id, bytes) -> larger.merge(id, bytes, Math::max));
    return larger;
  }

  /** A stream that has not ended, in words. */
  public Optional<String> underWay() {
    for (List<Row> rows : NodeRows.ask(session, STREAMS).rows().values()) {
      for (Row row : rows) {
        if (isActive(row)) {
          return Optional.of(
              "nodes are streaming (" + row.getString("operation") + " " + row.getUuid("id") + ")");
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isActive(Row row) {
    String status = Objects.requireNonNullElse(row.getString("status"), "");
    return !ENDED.contains(status.toLowerCase(Locale.ROOT));
  }
}
