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
 * none. Not thread safe.
 */
final class RackTraffic {
  private static final int KEYS = 25;
  private static final int STATES = 5;
  private static final Duration TTL = Duration.ofSeconds(20);

  private final CqlSession client;
  private final PreparedStatement count;
  private final PreparedStatement compareAndSet;
  private final PreparedStatement left;
  private final PreparedStatement right;
  private final PreparedStatement order;
  private final PreparedStatement keep;
  private final PreparedStatement delete;
  private final PreparedStatement brief;
  private final Map<Integer, Integer> counted = new HashMap<>();
  private final Map<Integer, Integer> slots = new HashMap<>();
  private final Map<Integer, Integer> pairs = new HashMap<>();
  private final Map<Integer, Integer> orders = new HashMap<>();
  private final Set<Integer> kept = new TreeSet<>();
  private int turn;
  private int failed;

  /** Makes the tables in a keyspace that is there, and has materialized views. */
  RackTraffic(CqlSession client) {
    this.client = client;
    client.execute("CREATE TABLE shop.hits (id int PRIMARY KEY, n counter)");
    client.execute("CREATE TABLE shop.slots (id int PRIMARY KEY, n int)");
    client.execute("CREATE TABLE shop.lefts (id int PRIMARY KEY, n int)");
    client.execute("CREATE TABLE shop.rights (id int PRIMARY KEY, n int)");
    client.execute("CREATE TABLE shop.orders (id int PRIMARY KEY, state int)");
    client.execute(
        "CREATE MATERIALIZED VIEW shop.by_state AS SELECT state, id FROM shop.orders"
            + " WHERE state IS NOT NULL AND id IS NOT NULL PRIMARY KEY (state, id)");
    client.execute("CREATE TABLE shop.kept (id int PRIMARY KEY, n int)");
    client.execute("CREATE TABLE shop.briefs (id int PRIMARY KEY, n int)");
    for (int id = 0; id < KEYS; id++) {
      client.execute("INSERT INTO shop.slots (id, n) VALUES (" + id + ", 0) IF NOT EXISTS");
      slots.put(id, 0);
    }
    count = client.prepare("UPDATE shop.hits SET n = n + 1 WHERE id = ?");
    compareAndSet = client.prepare("UPDATE shop.slots SET n = ? WHERE id = ? IF n = ?");
    left = client.prepare("INSERT INTO shop.lefts (id, n) VALUES (?, ?)");
    right = client.prepare("INSERT INTO shop.rights (id, n) VALUES (?, ?)");
    order = client.prepare("INSERT INTO shop.orders (id, state) VALUES (?, ?)");
    keep = client.prepare("INSERT INTO shop.kept (id, n) VALUES (?, 1)");
    delete = client.prepare("DELETE FROM shop.kept WHERE id = ?");
    brief =
        client.prepare(
            "INSERT INTO shop.briefs (id, n) VALUES (?, 1) USING TTL " + TTL.toSeconds());
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
        BatchStatement.newInstance(BatchType.LOGGED, left.bind(id, turn), right.bind(id, turn)))) {
      pairs.put(id, turn);
    }
    if (isAcknowledged(order.bind(id, turn % STATES))) {
      orders.put(id, turn % STATES);
    }
    boolean isThere = kept.contains(id);
    if (isAcknowledged(isThere ? delete.bind(id) : keep.bind(id))) {
      if (!kept.remove(id)) {
        kept.add(id);
      }
    }
    isAcknowledged(brief.bind(id));
  }

  private boolean isAcknowledged(Statement<?> write) {
    try {
      if (client.execute(write).wasApplied()) {
        return true;
      }
    } catch (DriverException e) {
      System.out.println("a write failed: " + e);
    }
    failed++;
    return false;
  }

  /** How many writes failed, or were not applied. */
  int failed() {
    return failed;
  }

  /** Each copy has what was acknowledged, and nothing that was deleted or has ended. */
  void require(CqlSession reader, ConsistencyLevel level) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(rows(reader, level, "briefs", "n")).isEmpty());
    assertThat(rows(reader, level, "hits", "n")).as("counters").isEqualTo(counted);
    assertThat(rows(reader, level, "slots", "n")).as("compare and set").isEqualTo(slots);
    assertThat(rows(reader, level, "lefts", "n")).as("batches").isEqualTo(pairs);
    assertThat(rows(reader, level, "rights", "n")).as("batches").isEqualTo(pairs);
    assertThat(rows(reader, level, "orders", "state")).as("orders").isEqualTo(orders);
    assertThat(rows(reader, level, "kept", "n").keySet()).as("deletions").isEqualTo(kept);
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
      CqlSession reader, ConsistencyLevel level, String table, String column) {
    Map<Integer, Integer> rows = new HashMap<>();
    for (int id = 0; id < KEYS; id++) {
      Row row = reader.execute(select(table + " WHERE id = " + id, column, level)).one();
      if (row != null && !row.isNull(0)) {
        Number value = (Number) row.getObject(0);
        rows.put(id, value == null ? 0 : value.intValue());
      }
    }
    return rows;
  }
}
