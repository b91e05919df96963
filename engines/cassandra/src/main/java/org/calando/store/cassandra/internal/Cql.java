package org.calando.store.cassandra.internal;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;

/**
 * The CQL text of every statement that Calando sends. Names are checked before they come here.
 *
 * <p>The row's {@code version} column is written with each write and carries its timestamp, so the
 * version read is that of the newest write applied to any field, as last-write-wins resolves it.
 */
final class Cql {
  /** Comment of the tables that Calando created: the mark of ownership, kept in the schema. */
  static final String MARK = "created by Calando";

  /** The table whose presence, with the mark, says that Calando created the keyspace. */
  static final String KEYSPACE_MARKER = "calando_owned";

  /** The table of who uses which table now; see {@link TableClaim}. */
  static final String CLAIMS = "calando_claims";

  /** The table of how knobs were before a governor set them; see {@link NotedKnobs}. */
  static final String KNOBS = "calando_knobs";

  private Cql() {}

  static String createKeyspace(String keyspace, Map<String, String> replication) {
    return "CREATE KEYSPACE " + keyspace + " WITH replication = " + literal(replication);
  }

  static String alterKeyspace(String keyspace, Map<String, String> replication) {
    return "ALTER KEYSPACE " + keyspace + " WITH replication = " + literal(replication);
  }

  static String createKeyspaceMarker(String keyspace) {
    return "CREATE TABLE IF NOT EXISTS "
        + keyspace
        + "."
        + KEYSPACE_MARKER
        + " (id int PRIMARY KEY) WITH comment = '"
        + MARK
        + "'";
  }

  static String createClaims(String keyspace) {
    return "CREATE TABLE IF NOT EXISTS "
        + keyspace
        + "."
        + CLAIMS
        + " (table_name text PRIMARY KEY, owner text, process text, since timestamp)"
        + " WITH comment = '"
        + MARK
        + "'";
  }

  static String createKnobs(String keyspace) {
    return "CREATE TABLE IF NOT EXISTS "
        + keyspace
        + "."
        + KNOBS
        + " (cluster text, knob text, target text, process text, before text, value text,"
        + " former text, PRIMARY KEY (cluster, knob, target)) WITH comment = '"
        + MARK
        + "'";
  }

  /** Variables: cluster, knob, target, process, before, value, former. */
  static String noteKnob(String keyspace) {
    return "INSERT INTO "
        + keyspace
        + "."
        + KNOBS
        + " (cluster, knob, target, process, before, value, former)"
        + " VALUES (?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS";
  }

  /** Variables: before, value, former, cluster, knob, target, process. */
  static String renoteKnob(String keyspace) {
    return "UPDATE "
        + keyspace
        + "."
        + KNOBS
        + " SET before = ?, value = ?, former = ?"
        + " WHERE cluster = ? AND knob = ? AND target = ? IF process = ?";
  }

  /** Variables: cluster, knob, target, process. */
  static String forgetKnob(String keyspace) {
    return "DELETE FROM "
        + keyspace
        + "."
        + KNOBS
        + " WHERE cluster = ? AND knob = ? AND target = ? IF process = ?";
  }

  /** Variable: cluster. */
  static String readKnobs(String keyspace) {
    return "SELECT knob, target, process, before, value, former FROM "
        + keyspace
        + "."
        + KNOBS
        + " WHERE cluster = ?";
  }

  /** Variables: table, owner, process, since, seconds. */
  static String claim(String keyspace) {
    return "INSERT INTO "
        + keyspace
        + "."
        + CLAIMS
        + " (table_name, owner, process, since) VALUES (?, ?, ?, ?) IF NOT EXISTS USING TTL ?";
  }

  /** Variables: seconds, owner, process, since, table, process so far. */
  static String renewClaim(String keyspace) {
    return "UPDATE "
        + keyspace
        + "."
        + CLAIMS
        + " USING TTL ? SET owner = ?, process = ?, since = ? WHERE table_name = ? IF process = ?";
  }

  /** Variables: table, process. */
  static String releaseClaim(String keyspace) {
    return "DELETE FROM " + keyspace + "." + CLAIMS + " WHERE table_name = ? IF process = ?";
  }

  /** Variable: table. */
  static String readClaim(String keyspace) {
    return "SELECT owner, process, since FROM " + keyspace + "." + CLAIMS + " WHERE table_name = ?";
  }

  /** Variable: table. Seconds until the claim ends by itself. */
  static String readClaimsEnd(String keyspace) {
    return "SELECT TTL(owner) FROM " + keyspace + "." + CLAIMS + " WHERE table_name = ?";
  }

  /** No variables. Not in the order of anything. */
  static String readClaims(String keyspace) {
    return "SELECT table_name, owner, process, since FROM " + keyspace + "." + CLAIMS;
  }

  /*
   * Read repair, speculative retries and extra write copies are off: each would send requests that
   * the level did not ask for, which hides staleness and spends energy nobody ordered. Compaction,
   * compression and gc_grace_seconds stay the engine's: what is measured is what users run, and a
   * gc_grace_seconds of 0 would turn hints off.
   */
  static String createTable(String keyspace, TableSpec table) {
    String columns =
        IntStream.range(0, table.fields())
            .mapToObj(i -> ", " + table.fieldPrefix() + i + " blob")
            .collect(Collectors.joining());
    return "CREATE TABLE "
        + keyspace
        + "."
        + table.name()
        + " (key bigint PRIMARY KEY, version bigint"
        + columns
        + ") WITH comment = '"
        + MARK
        + "' AND read_repair = 'NONE' AND speculative_retry = 'NEVER'"
        + " AND additional_write_policy = 'NEVER'";
  }

  static String truncate(String keyspace, String table) {
    return "TRUNCATE " + keyspace + "." + table;
  }

  static String drop(String keyspace, String table) {
    return "DROP TABLE " + keyspace + "." + table;
  }

  /** Variables: key. Columns: version, then the field or fields. */
  static String read(String keyspace, TableSpec table, int field) {
    return select(keyspace, table, field) + " WHERE key = ?";
  }

  /** Variables: key, limit. Columns as {@link #read}. Order: that of the keys' tokens. */
  static String scan(String keyspace, TableSpec table, int field) {
    return select(keyspace, table, field) + " WHERE token(key) >= token(?) LIMIT ?";
  }

  /** Variables: version, the field or fields, key. The timestamp goes with the request. */
  static String write(String keyspace, TableSpec table, int field) {
    String assignments =
        fields(table, field)
            .mapToObj(i -> ", " + table.fieldPrefix() + i + " = ?")
            .collect(Collectors.joining());
    return "UPDATE "
        + keyspace
        + "."
        + table.name()
        + " SET version = ?"
        + assignments
        + " WHERE key = ?";
  }

  private static String select(String keyspace, TableSpec table, int field) {
    String columns =
        fields(table, field)
            .mapToObj(i -> ", " + table.fieldPrefix() + i)
            .collect(Collectors.joining());
    return "SELECT version" + columns + " FROM " + keyspace + "." + table.name();
  }

  private static IntStream fields(TableSpec table, int field) {
    return field == Session.ALL_FIELDS ? IntStream.range(0, table.fields()) : IntStream.of(field);
  }

  private static String literal(Map<String, String> options) {
    return new TreeMap<>(options)
        .entrySet().stream()
            .map(e -> quote(e.getKey()) + ": " + quote(e.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
