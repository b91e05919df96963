package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All kinds of writes that clients of a Cassandra have, one at a time, with books of what was
 * acknowledged: counters, compare-and-set, logged batches, rows of a materialized view, rows that
 * are deleted, and rows that end by themselves. None is declared idempotent, so the driver repeats
 * none; what a node has turned away unexecuted is sent again here, as an application has to. Not
 * thread safe.
 */
final class RackTraffic {
  private static final int KEYS = 25;
  private static final int STATES = 5;
  private static final int TRIES = 20;
  private static final int FOR_GOOD = 0;
  private static final int SECONDS = 20;

  private final CqlSession client;
  private final PreparedStatement count;
  private final PreparedStatement compareAndSet;
  private final PreparedStatement insert;
  private final PreparedStatement order;
  private final PreparedStatement delete;
  private final Map<Integer, Integer> counted = new HashMap<>();
  private final Map<Integer, Integer> slots = new HashMap<>();
  private final Map<Integer, Integer> pairs = new HashMap<>();
  private final Map<Integer, Integer> orders = new HashMap<>();
  private final Set<Integer> kept = new TreeSet<>();
  private int turn;
  private int failed;
  private int turnedAway;

  /** Makes the tables in a keyspace that is there, and has materialized views. */
  RackTraffic(CqlSession client) {
    this.client = client;
    client.execute("CREATE TABLE shop.hits (id int PRIMARY KEY, n counter)");
    client.execute("CREATE TABLE shop.rows (kind text, id int, n int, PRIMARY KEY ((kind, id)))");
    client.execute("CREATE TABLE shop.orders (id int PRIMARY KEY, state int)");
    client.execute(
        "CREATE MATERIALIZED VIEW shop.by_state AS SELECT state, id FROM shop.orders"
            + " WHERE state IS NOT NULL AND id IS NOT NULL PRIMARY KEY (state, id)");
    await().atMost(Duration.ofMinutes(2)).until(client::checkSchemaAgreement);
    for (int id = 0; id < KEYS; id++) {
      client.execute(
          "INSERT INTO shop.rows (kind, id, n) VALUES ('slots', " + id + ", 0) IF NOT EXISTS");
      slots.put(id, 0);
    }
    count = client.prepare("UPDATE shop.hits SET n = n + 1 WHERE id = ?");
    compareAndSet =
        client.prepare("UPDATE shop.rows SET n = ? WHERE kind = 'slots' AND id = ? IF n = ?");
    insert = client.prepare("INSERT INTO shop.rows (kind, id, n) VALUES (?, ?, ?) USING TTL ?");
    order = client.prepare("INSERT INTO shop.orders (id, state) VALUES (?, ?)");
    delete = client.prepare("DELETE FROM shop.rows WHERE kind = 'kept' AND id = ?");
  }

  /** One write of each kind; each key in turn. */
  void step() {
    turn++;
    int id = turn % KEYS;
    if (isAcknowledged(count.bind(id))) {
      counted.merge(id, 1, Integer::sum);
    }
    int slot = slots.getOrDefault(id, 0);
    if (isAcknowledged(compareAndSet.bind(slot + 1, id, slot))) {
      slots.put(id, slot + 1);
    }
    if (isAcknowledged(
        BatchStatement.newInstance(
            BatchType.LOGGED,
            insert.bind("left", id, turn, FOR_GOOD),
            insert.bind("right", id, turn, FOR_GOOD)))) {
      pairs.put(id, turn);
    }
    if (isAcknowledged(order.bind(id, turn % STATES))) {
      orders.put(id, turn % STATES);
    }
    boolean isThere = kept.contains(id);
    if (isAcknowledged(isThere ? delete.bind(id) : insert.bind("kept", id, 1, FOR_GOOD))) {
      if (!kept.remove(id)) {
        kept.add(id);
      }
    }
    isAcknowledged(insert.bind("brief", id, 1, SECONDS));
  }

  private boolean isAcknowledged(Statement<?> write) {
    for (int tries = 0; tries < TRIES; tries++) {
      try {
        if (client.execute(write).wasApplied()) {
          return true;
        }
        break;
      } catch (OverloadedException e) {
        // A node that leaves its clients executes nothing any more, and says so.
        turnedAway++;
      } catch (DriverException e) {
        // The log of a batch went to a node that was being drained. What is sent again is newer
        // than
        // any replay of it.
        boolean isLog =
            e instanceof WriteTimeoutException late
                && late.getWriteType() == DefaultWriteType.BATCH_LOG;
        System.out.println((isLog ? "a batch was not logged: " : "a write failed: ") + e);
        if (!isLog) {
          break;
        }
        turnedAway++;
      }
    }
    failed++;
    return false;
  }

  /** How often a node turned a write away, which was then sent again. */
  int turnedAway() {
    return turnedAway;
  }

  /** How many writes failed, or were not applied. */
  int failed() {
    return failed;
  }

  /** Each copy has what was acknowledged, and nothing that was deleted or has ended. */
  void require(CqlSession reader, ConsistencyLevel level) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(rows(reader, level, "rows WHERE kind = 'brief' AND", "n")).isEmpty());
    assertThat(rows(reader, level, "hits WHERE", "n")).as("counters").isEqualTo(counted);
    assertThat(rows(reader, level, "rows WHERE kind = 'slots' AND", "n"))
        .as("compare and set")
        .isEqualTo(slots);
    assertThat(rows(reader, level, "rows WHERE kind = 'left' AND", "n"))
        .as("batches")
        .isEqualTo(pairs);
    assertThat(rows(reader, level, "rows WHERE kind = 'right' AND", "n"))
        .as("batches")
        .isEqualTo(pairs);
    assertThat(rows(reader, level, "orders WHERE", "state")).as("orders").isEqualTo(orders);
    assertThat(rows(reader, level, "rows WHERE kind = 'kept' AND", "n").keySet())
        .as("deletions")
        .isEqualTo(kept);
    // A view is written after its row.
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(view(reader, level)).isEqualTo(byState()));
  }

  private Map<Integer, Set<Integer>> byState() {
    Map<Integer, Set<Integer>> ids = new HashMap<>();
    orders.forEach((id, state) -> ids.computeIfAbsent(state, any -> new HashSet<>()).add(id));
    return ids;
  }

  private static Map<Integer, Set<Integer>> view(CqlSession reader, ConsistencyLevel level) {
    Map<Integer, Set<Integer>> ids = new HashMap<>();
    for (int state = 0; state < STATES; state++) {
      Statement<?> rows = select("by_state WHERE state = " + state, "id", level);
      for (Row row : reader.execute(rows)) {
        ids.computeIfAbsent(state, any -> new HashSet<>()).add(row.getInt("id"));
      }
    }
    return ids;
  }

  private static Statement<?> select(String from, String column, ConsistencyLevel level) {
    return SimpleStatement.newInstance("SELECT " + column + " FROM shop." + from)
        .setConsistencyLevel(level);
  }

  private static Map<Integer, Integer> rows(
      CqlSession reader, ConsistencyLevel level, String where, String column) {
    Map<Integer, Integer> rows = new HashMap<>();
    for (int id = 0; id < KEYS; id++) {
      Row row = reader.execute(select(where + " id = " + id, column, level)).one();
      if (row != null && !row.isNull(0)) {
        Number value = (Number) row.getObject(0);
        rows.put(id, value == null ? 0 : value.intValue());
      }
    }
    return rows;
  }
}
