package org.calando.session.internal.shared;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.calando.session.internal.CostMeter;
import org.calando.session.internal.MarkedTable;
import org.calando.session.internal.Requests;
import org.jspecify.annotations.Nullable;

/*
 * A group's lease and publications are one partition, so that one small read tells both. Each time of
 * leading has a row of its own there: a former leader whose clock is ahead cannot hide what the next one
 * writes. Its members are another partition. All rows end by themselves.
 */
/**
 * The rows by which instances agree who measures for all of them, and tell each other what was
 * measured: in a table of the keyspace. Thread safe; stages end on the driver's threads.
 */
public final class SignalRows {
  static final String TABLE = "calando_signals";

  public static final MarkedTable MARKED =
      new MarkedTable(
          TABLE,
          "the table of signals",
          "part text, name text, owner uuid, body blob, tables frozen<set<text>>,"
              + " PRIMARY KEY (part, name)",
          // What ends here is written by one client at a time, and ends at the same moment
          // anywhere.
          " AND gc_grace_seconds = 3600",
          600);

  /**
   * What there is to follow.
   *
   * @param owner whom the lease names; empty if nobody has it
   * @param published by that one; empty if nothing was
   */
  record Published(Optional<UUID> owner, Optional<ByteBuffer> published) {}

  private static final String LEASE = "lease";
  private static final String MEMBERS = " members";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int PAGE = 5000;

  private final CqlSession session;
  private final CostMeter cost;
  private final ConsistencyLevel one;
  private final ConsistencyLevel quorum;
  private final ConsistencyLevel serial;
  private final long firstStamp = System.currentTimeMillis() * 1000;

  private final PreparedStatement read;
  private final PreparedStatement take;
  private final PreparedStatement renew;
  private final PreparedStatement release;
  private final PreparedStatement publish;
  private final PreparedStatement register;
  private final PreparedStatement unregister;
  private final PreparedStatement members;

  private SignalRows(
      CqlSession session, String table, boolean local, long leaseNanos, CostMeter cost) {
    this.session = session;
    this.cost = cost;
    this.one = local ? DefaultConsistencyLevel.LOCAL_ONE : DefaultConsistencyLevel.ONE;
    this.quorum = local ? DefaultConsistencyLevel.LOCAL_QUORUM : DefaultConsistencyLevel.QUORUM;
    this.serial = local ? DefaultConsistencyLevel.LOCAL_SERIAL : DefaultConsistencyLevel.SERIAL;
    read = session.prepare("SELECT name, owner, body FROM " + table + " WHERE part = ?");
    long seconds = TimeUnit.NANOSECONDS.toSeconds(leaseNanos);
    String leased = " WHERE part = ? AND name = '" + LEASE + "' IF owner = ?";
    take =
        session.prepare(
            "INSERT INTO %s (part, name, owner) VALUES (?, '%s', ?) IF NOT EXISTS USING TTL %d"
                .formatted(table, LEASE, seconds));
    renew =
        session.prepare("UPDATE " + table + " USING TTL " + seconds + " SET owner = ?" + leased);
    release = session.prepare("DELETE FROM " + table + leased);
    publish =
        session.prepare(
            "INSERT INTO " + table + " (part, name, body) VALUES (?, ?, ?) USING TTL 30");
    register =
        session.prepare(
            "INSERT INTO " + table + " (part, name, tables) VALUES (?, ?, ?) USING TTL 150");
    unregister = session.prepare("DELETE FROM " + table + " WHERE part = ? AND name = ?");
    members = session.prepare("SELECT name, tables FROM " + table + " WHERE part = ?");
  }

  /**
   * Makes sure that the table is there; see {@link MarkedTable#open}.
   *
   * @param local whether the instances are those of one data centre
   * @param leaseNanos for how long this instance takes the lease; whole seconds
   */
  static SignalRows open(
      CqlSession session, String keyspace, boolean local, long leaseNanos, CostMeter cost) {
    return MARKED.open(
        session, keyspace, table -> new SignalRows(session, table, local, leaseNanos, cost));
  }

  /** The lease, and what its owner publishes. */
  CompletionStage<Published> read(String group) {
    return send(read.bind(group).setConsistencyLevel(one))
        .thenApply(
            rows -> {
              @Nullable UUID owner = null;
              Map<String, ByteBuffer> bodies = new HashMap<>();
              for (Row row : rows.currentPage()) {
                String name = Objects.requireNonNullElse(row.getString(0), "");
                @Nullable ByteBuffer body = row.getByteBuffer(2);
                if (name.equals(LEASE)) {
                  owner = row.getUuid(1);
                } else if (body != null) {
                  bodies.put(name, body);
                }
              }
              return new Published(
                  Optional.ofNullable(owner),
                  Optional.ofNullable(bodies.get(String.valueOf(owner))));
            });
  }

  /** Takes the lease if nobody has it; whether it is then that of the term. */
  CompletionStage<Boolean> take(String group, UUID term) {
    return conditional(take.bind(group, term))
        .thenCompose(
            answer -> {
              boolean taken = answer.wasApplied();
              Row row = answer.one();
              if (taken || row == null || !term.equals(row.getUuid("owner"))) {
                return CompletableFuture.completedFuture(taken);
              }
              // It was taken by a request whose answer was lost, and may end soon.
              return renew(group, term);
            });
  }

  /** Renews the lease; whether it is still that of the term. */
  CompletionStage<Boolean> renew(String group, UUID term) {
    return conditional(renew.bind(term, group, term)).thenApply(AsyncResultSet::wasApplied);
  }

  /** Ends the lease if it is that of the term. */
  CompletionStage<?> release(String group, UUID term) {
    return conditional(release.bind(group, term));
  }

  /** Replaces what was published in the term by what has a higher sequence. */
  CompletionStage<?> publish(String group, UUID term, long sequence, ByteBuffer body) {
    return send(
        publish
            .bind(group, term.toString(), body)
            .setConsistencyLevel(one)
            // The sequence orders what is published, whatever this machine's clock does meanwhile.
            .setQueryTimestamp(firstStamp + sequence));
  }

  /** Tells for some time that an instance is there, and which tables it watches. */
  CompletionStage<?> register(String group, UUID instance, Set<String> tables) {
    return send(
        register.bind(group + MEMBERS, instance.toString(), tables).setConsistencyLevel(one));
  }

  /** Tells that an instance is gone. */
  CompletionStage<?> unregister(String group, UUID instance) {
    return send(unregister.bind(group + MEMBERS, instance.toString()).setConsistencyLevel(one));
  }

  /** The instances that are there, with the tables that each watches. */
  CompletionStage<Map<UUID, Set<String>>> members(String group) {
    return send(members.bind(group + MEMBERS).setConsistencyLevel(one).setPageSize(PAGE))
        .thenApply(
            rows -> {
              Map<UUID, Set<String>> members = new HashMap<>();
              for (Row row : rows.currentPage()) {
                @Nullable Set<String> tables = row.getSet(1, String.class);
                if (tables != null) {
                  members.put(UUID.fromString(row.getString(0)), tables);
                }
              }
              return members;
            });
  }

  private CompletionStage<AsyncResultSet> conditional(BoundStatement statement) {
    return send(statement.setConsistencyLevel(quorum).setSerialConsistencyLevel(serial));
  }

  private CompletionStage<AsyncResultSet> send(BoundStatement statement) {
    cost.request();
    return Requests.send(session, statement.setIdempotent(false).setTimeout(TIMEOUT));
  }
}
