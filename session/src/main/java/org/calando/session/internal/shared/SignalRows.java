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
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.session.internal.CostMeter;
import org.calando.session.internal.MarkedTable;
import org.calando.session.internal.Requests;
import org.jspecify.annotations.Nullable;

/*
 * A group's bids for the lease and its publications are one partition, so that one small read tells both. Each time of
 * leading has a row of its own there, which its instance alone writes, in an order of its own: a former leader whose clock
 * is ahead cannot hide what the next one writes, and who bids at the same time as others does not contend with them. The
 * group's members are another partition. All rows end by themselves.
 *
 *   take    looks whether somebody else has bid; bids; looks whose the lease is
 *   renew   bids again; looks whose the lease is
 *   lost    withdraws the bid
 *
 * The lease is that of the first of the bids that stand, those before others whose publications stand too. Two who bid at
 * the same time may each find their own bid alone, or first; and as publications are written to one replica, and a quorum
 * may not have that one yet, both may find so once more when they renew. All but one find out as soon as replicas have got
 * what was published, within seconds. Conditional writes would exclude that, and are not
 * used: a node that cannot finish one in time says so in protocol 5 with two bytes more than the driver reads, which then
 * takes them for another answer and closes the application's connection.
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
          " AND gc_grace_seconds = 86400",
          600);

  /**
   * What there is to follow.
   *
   * @param owner whom the lease names; empty if nobody has it
   * @param published by that one; empty if nothing was
   */
  record Published(Optional<UUID> owner, Optional<ByteBuffer> published) {}

  private static final String MEMBERS = " members";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int PAGE = 5000;

  private final CqlSession session;
  private final CostMeter cost;
  private final ConsistencyLevel one;
  private final ConsistencyLevel quorum;
  private final long firstStamp = System.currentTimeMillis() * 1000;
  private final AtomicLong bids = new AtomicLong(firstStamp);

  private final PreparedStatement read;
  private final PreparedStatement bid;
  private final PreparedStatement withdraw;
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
    read = session.prepare("SELECT name, owner, body FROM " + table + " WHERE part = ?");
    bid =
        session.prepare(
            "INSERT INTO %s (part, name, owner) VALUES (?, ?, ?) USING TTL %d"
                .formatted(table, TimeUnit.NANOSECONDS.toSeconds(leaseNanos)));
    withdraw = session.prepare("DELETE owner FROM " + table + " WHERE part = ? AND name = ?");
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
    return read(group, one);
  }

  private CompletionStage<Published> read(String group, ConsistencyLevel level) {
    return send(read.bind(group).setConsistencyLevel(level))
        .thenApply(
            rows -> {
              Map<UUID, Boolean> standing = new HashMap<>();
              Map<String, ByteBuffer> bodies = new HashMap<>();
              for (Row row : rows.currentPage()) {
                String name = Objects.requireNonNullElse(row.getString(0), "");
                @Nullable UUID term = row.getUuid(1);
                @Nullable ByteBuffer body = row.getByteBuffer(2);
                if (term != null) {
                  standing.put(term, body != null);
                }
                if (body != null) {
                  bodies.put(name, body);
                }
              }
              Optional<UUID> owner = owner(standing);
              return new Published(
                  owner, owner.flatMap(term -> Optional.ofNullable(bodies.get(term.toString()))));
            });
  }

  /**
   * Whose the lease is: one that publishes already has led before a bid that came since.
   *
   * @param standing the terms whose bids stand, and whether something was published in them
   */
  static Optional<UUID> owner(Map<UUID, Boolean> standing) {
    return standing.keySet().stream()
        .min(
            Comparator.<UUID, Boolean>comparing(term -> !standing.getOrDefault(term, false))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Takes the lease if nobody has it; whether it is then that of the term. */
  CompletionStage<Boolean> take(String group, UUID term) {
    return read(group, quorum)
        .thenCompose(
            seen ->
                seen.owner().isPresent() && !seen.owner().get().equals(term)
                    ? CompletableFuture.completedStage(false)
                    : renew(group, term));
  }

  /** Renews the lease; whether it is still that of the term. */
  CompletionStage<Boolean> renew(String group, UUID term) {
    return change(bid.bind(group, term.toString(), term))
        .thenCompose(done -> read(group, quorum))
        .thenCompose(
            seen ->
                seen.owner().equals(Optional.of(term))
                    ? CompletableFuture.completedStage(true)
                    : release(group, term).handle((done, failed) -> false));
  }

  /** Ends the lease if it is that of the term. */
  CompletionStage<?> release(String group, UUID term) {
    return change(withdraw.bind(group, term.toString()));
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

  /** Of what one instance writes the last is what counts, whatever comes late. */
  private CompletionStage<AsyncResultSet> change(BoundStatement statement) {
    return send(statement.setConsistencyLevel(quorum).setQueryTimestamp(bids.incrementAndGet()));
  }

  private CompletionStage<AsyncResultSet> send(BoundStatement statement) {
    cost.request();
    return Requests.send(session, statement.setIdempotent(false).setTimeout(TIMEOUT));
  }
}
