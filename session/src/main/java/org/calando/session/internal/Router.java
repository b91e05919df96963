package org.calando.session.internal;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.internal.CqlText.Kind;
import org.calando.session.internal.StatementTables.Found;
import org.jspecify.annotations.Nullable;

/*
 * A read keeps a level of its own: one that was set on it, and whatever an execution profile of its
 * own says, as the driver does not tell whether a profile sets the level or inherits it. All else
 * but plain reads of watched tables is only looked at, to learn which keys are read and written and
 * at which levels, and is passed on unchanged.
 */
/** The request path: gives reads their level. Thread safe; does not block. */
public final class Router {
  /** The entry of a statement's custom payload that tells its own tolerated share; never sent. */
  public static final String TOLERATED = "calando.tolerated";

  private static final String NOT_ONE_PARTITION =
      "it is no plain SELECT of one partition of a table that was named";
  private static final String WRITE = "it writes";
  private static final String OWN_LEVEL = "it has a level or an execution profile of its own";

  private final StatementTables tables;
  private final ConsistencyLevel sessionLevel;
  private final Function<Statement<?>, ConsistencyLevel> profileLevel;
  private final Sampler sampler;

  /** Is told of each read whose level is chosen; does not block. */
  @FunctionalInterface
  interface Sampler {
    void read(Statement<?> statement, Found found, long keyHash);
  }

  /**
   * Routes.
   *
   * @param sessionLevel what statements without a level use
   * @param profileLevel the level that a statement's execution profile says
   */
  Router(
      StatementTables tables,
      ConsistencyLevel sessionLevel,
      Function<Statement<?>, ConsistencyLevel> profileLevel,
      Sampler sampler) {
    this.tables = tables;
    this.sampler = sampler;
    this.sessionLevel = sessionLevel;
    this.profileLevel = profileLevel;
  }

  /**
   * The statement to send instead of a statement: itself, or with a level.
   *
   * @throws BadRequestException if no stale read is tolerated of a statement that keeps its level
   */
  public Statement<?> route(Statement<?> statement) {
    if (statement instanceof BoundStatement bound) {
      Found found = tables.find(bound);
      WatchedTable table = found.table();
      if (table == null) {
        return leftAlone(bound, NOT_ONE_PARTITION);
      }
      boolean write = found.kind() == Kind.WRITE;
      long key = KeyHash.of(bound, found.partitionKey());
      if (key != KeyHash.NONE) {
        table.observed(key, write);
      }
      if (write) {
        table.wroteBytes(bytes(bound));
        noteWrite(table, bound);
        return leftAlone(bound, WRITE);
      }
      return withLevel(bound, table, found, key);
    }
    if (statement instanceof SimpleStatement simple) {
      Found found = tables.find(simple);
      WatchedTable table = found.table();
      if (table == null) {
        return leftAlone(simple, NOT_ONE_PARTITION);
      }
      observe(simple, table, found.kind());
      if (found.kind() == Kind.WRITE) {
        noteWrite(table, simple);
        return leftAlone(simple, WRITE);
      }
      @Nullable ByteBuffer key = simple.getRoutingKey();
      return withLevel(simple, table, found, key == null ? KeyHash.NONE : KeyHash.of(key));
    }
    if (statement instanceof BatchStatement batch) {
      observeBatch(batch);
      return leftAlone(batch, WRITE);
    }
    return statement;
  }

  /**
   * The statement as the application asked for it, to send as well when the level that was chosen
   * gets no answer; empty if no other level was chosen, or freshness comes before availability, or
   * too many reads were retried.
   *
   * @param sent what {@link #route} returned for it
   * @param asksMore whether {@link #asksMore} was true when it was sent: then however many there
   *     are by now
   */
  public Optional<Statement<?>> asAsked(
      Statement<?> statement, Statement<?> sent, boolean asksMore) {
    return retryable(statement, sent)
        .filter(table -> table.retries(asksMore))
        .map(table -> sent.setConsistencyLevel(statement.getConsistencyLevel()));
  }

  /**
   * Whether a statement is sent at a level that asks more replicas than the application's own, and
   * may be sent at that as well.
   *
   * @param sent what {@link #route} returned for it
   */
  public boolean asksMore(Statement<?> statement, Statement<?> sent) {
    var chosen = sent.getConsistencyLevel();
    return chosen != null
        && retryable(statement, sent)
            .filter(table -> asksMore(table, DriverLevels.ofWrite(chosen)))
            .isPresent();
  }

  private boolean asksMore(WatchedTable table, ConsistencyLevel level) {
    ReplicaPlacement placement = table.levels().placement();
    return placement.involved(level) > placement.involved(sessionLevel);
  }

  /** The table of a read whose level was chosen, unless it is to fail rather than be stale. */
  private Optional<WatchedTable> retryable(Statement<?> statement, Statement<?> sent) {
    if (Objects.equals(statement.getConsistencyLevel(), sent.getConsistencyLevel())) {
      return Optional.empty();
    }
    @Nullable WatchedTable table = found(statement).table();
    return Optional.ofNullable(table).filter(each -> !target(statement, each).isFreshFirst());
  }

  private Found found(Statement<?> statement) {
    return statement instanceof BoundStatement bound
        ? tables.find(bound)
        : statement instanceof SimpleStatement simple ? tables.find(simple) : StatementTables.OTHER;
  }

  /** Whether a statement is a read whose level is chosen here. */
  boolean isRead(Statement<?> statement) {
    Found found = found(statement);
    return found.table() != null && found.kind() != Kind.WRITE && !hasOwnLevel(statement);
  }

  private void observeBatch(BatchStatement batch) {
    for (BatchableStatement<?> each : batch) {
      Found found = StatementTables.OTHER;
      if (each instanceof BoundStatement bound) {
        found = tables.find(bound);
        if (found.table() != null) {
          long key = KeyHash.of(bound, found.partitionKey());
          if (key != KeyHash.NONE) {
            found.table().observed(key, true);
          }
          found.table().wroteBytes(bytes(bound));
        }
      } else if (each instanceof SimpleStatement simple) {
        found = tables.find(simple);
        if (found.table() != null) {
          observe(simple, found.table(), Kind.WRITE);
        }
      }
      if (found.table() != null) {
        // The batch's level is that of all writes in it.
        noteWrite(found.table(), batch);
      }
    }
  }

  /** Only a routing key tells a simple statement's key. */
  private static void observe(SimpleStatement statement, WatchedTable table, Kind kind) {
    @Nullable ByteBuffer key = statement.getRoutingKey();
    if (key != null) {
      table.observed(KeyHash.of(key), kind == Kind.WRITE);
    }
  }

  private <T extends Statement<T>> Statement<?> withLevel(
      T statement, WatchedTable table, Found found, long key) {
    if (hasOwnLevel(statement)) {
      return leftAlone(statement, OWN_LEVEL);
    }
    Target target = target(statement, table);
    T plain = withoutTolerated(statement);
    ConsistencyLevel level = target.next();
    if (!table.mayRetry() && !target.isFreshFirst() && asksMore(table, level)) {
      // Nothing could be done for it if it got no answer.
      table.sentAsAsked();
      level = sessionLevel;
    }
    table.read(key != KeyHash.NONE);
    sampler.read(plain, found, key);
    return level == sessionLevel ? plain : plain.setConsistencyLevel(DriverLevels.of(level));
  }

  /** A statement that keeps its level: none that was to be an exact read may do so silently. */
  private static <T extends Statement<T>> T leftAlone(T statement, String why) {
    Map<String, ByteBuffer> payload = statement.getCustomPayload();
    @Nullable ByteBuffer share = payload.isEmpty() ? null : payload.get(TOLERATED);
    if (share != null && share.getDouble(share.position()) == 0) {
      throw new BadRequestException(
          "no stale read is tolerated of a statement whose level is left as it is: " + why,
          "tolerating(statement, 0)",
          "read one partition of a table that tolerate(table, share) names, or set a consistency"
              + " level on the statement and leave tolerating out");
    }
    return withoutTolerated(statement);
  }

  private static Target target(Statement<?> statement, WatchedTable table) {
    Map<String, ByteBuffer> payload = statement.getCustomPayload();
    @Nullable ByteBuffer share = payload.isEmpty() ? null : payload.get(TOLERATED);
    return share == null ? table.main() : table.target(share.getDouble(share.position()));
  }

  private static boolean hasOwnLevel(Statement<?> statement) {
    return statement.getConsistencyLevel() != null || hasOwnProfile(statement);
  }

  private static boolean hasOwnProfile(Statement<?> statement) {
    return statement.getExecutionProfileName() != null || statement.getExecutionProfile() != null;
  }

  private static <T extends Statement<T>> T withoutTolerated(T statement) {
    Map<String, ByteBuffer> payload = statement.getCustomPayload();
    if (payload.isEmpty() || !payload.containsKey(TOLERATED)) {
      return statement;
    }
    Map<String, ByteBuffer> rest = new HashMap<>(payload);
    rest.remove(TOLERATED);
    return statement.setCustomPayload(Map.copyOf(rest));
  }

  private void noteWrite(WatchedTable table, Statement<?> write) {
    com.datastax.oss.driver.api.core.ConsistencyLevel own = write.getConsistencyLevel();
    if (own != null) {
      table.wrote(DriverLevels.ofWrite(own));
    } else if (hasOwnProfile(write)) {
      table.wrote(profileLevel.apply(write));
    } else {
      table.wrote(sessionLevel);
    }
  }

  private static long bytes(BoundStatement statement) {
    long bytes = 0;
    for (int i = 0; i < statement.size(); i++) {
      @Nullable ByteBuffer value = statement.isSet(i) ? statement.getBytesUnsafe(i) : null;
      bytes += value == null ? 0 : value.remaining();
    }
    return bytes;
  }
}
