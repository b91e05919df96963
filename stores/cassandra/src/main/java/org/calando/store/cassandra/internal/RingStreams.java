package org.calando.store.cassandra.internal;

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

/** What nodes stream to each other. Only reads; not thread safe. */
public final class RingStreams {
  private static final SimpleStatement STREAMS =
      NodeRows.question(
          "SELECT id, operation, status, bytes_to_receive, bytes_received"
              + " FROM system_views.streaming");
  private static final Set<String> ENDED = Set.of("success", "failure");

  private final CqlSession session;

  /** Looks over a session. */
  public RingStreams(CqlSession session) {
    this.session = session;
  }

  /** See {@link org.calando.store.cassandra.RingView#streams}. */
  public Streams read() {
    Map<UUID, Long> received = new HashMap<>();
    Map<UUID, Long> expected = new HashMap<>();
    Set<UUID> active = new HashSet<>();
    for (List<Row> rows : NodeRows.ask(session, STREAMS).rows().values()) {
      for (Row row : rows) {
        UUID id = Objects.requireNonNull(row.getUuid("id"));
        received.merge(id, row.getLong("bytes_received"), Long::sum);
        expected.merge(id, row.getLong("bytes_to_receive"), Long::sum);
        if (isActive(row)) {
          active.add(id);
        }
      }
    }
    return new Streams(received, expected, active);
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
