package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.session.internal.CqlText.Kind;
import org.calando.session.internal.CqlText.Parsed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CqlTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM shop.orders WHERE id = 1",
        "select * from Shop.Orders",
        "SELECT count(*) FROM shop . orders LIMIT 1",
        "  -- newest first\n SELECT /* all */ * FROM \"shop\".\"orders\" ORDER BY v;",
        "SELECT JSON v FROM shop.orders",
        "SELECT DISTINCT id, 'from x.y', $$ from $$ FROM shop.orders;",
        "SELECT \"from\" FROM shop.orders PER PARTITION LIMIT 2",
        "SELECT CAST(v AS text), (int) 3 FROM shop.orders ALLOW FILTERING // end"
      })
  void plainReadsAreReads(String query) {
    Parsed parsed = CqlText.parse(query);
    assertThat(parsed.kind()).isEqualTo(Kind.READ);
    assertThat(parsed.keyspace() + "." + parsed.table()).isEqualTo("shop.orders");
    assertThat(query).endsWith(parsed.rest());
    assertThat(parsed.rest()).doesNotContainIgnoringCase("orders");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO shop.orders (id) VALUES (1) IF NOT EXISTS",
        "UPDATE shop.orders USING TTL 3 SET v = 1 WHERE id = 1",
        "DELETE v['from'], w FROM shop.orders WHERE id = 1",
        "insert into shop.orders JSON '{}'"
      })
  void writesAreWrites(String query) {
    assertThat(CqlText.parse(query)).isEqualTo(new Parsed(Kind.WRITE, "shop", "orders"));
  }

  @Test
  void aNameMayLackItsKeyspaceAndKeepsItsCaseInQuotes() {
    Parsed parsed = CqlText.parse("SELECT * FROM \"Or\"\"ders\" WHERE id = 1");
    assertThat(parsed.keyspace()).isEmpty();
    assertThat(parsed.table()).isEqualTo("Or\"ders");
  }

  @Test
  void ofAReadItIsToldWhatItAsksForAndComparesWithOneValue() {
    Parsed parsed =
        CqlText.parse(
            "SELECT v, \"W\" FROM t WHERE id = ? AND \"Part\"=3 AND a >= 1 AND b IN (1, 2)"
                + " AND token(c) = 4 AND m['k'] = 1 AND e <= 2 LIMIT 3");
    assertThat(parsed.columns()).containsExactly("v", "W");
    assertThat(parsed.equal()).containsExactlyInAnyOrder("id", "Part");
    for (String other :
        new String[] {"*", "count(*)", "DISTINCT id", "JSON v", "v AS w", "CAST(v AS text)", "?"}) {
      Parsed all = CqlText.parse("SELECT " + other + " FROM t WHERE id IN (1, 2)");
      assertThat(all.columns()).as(other).isEmpty();
      assertThat(all.equal()).as(other).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "SELECT",
        "SELECT 'from' ",
        "SELECT * FROM",
        "SELECT * FROM shop.",
        "SELECT * FROM a, b",
        "SELECT * FROM a JOIN b",
        "SELECT * FROM 'a'",
        "BEGIN BATCH INSERT INTO a (id) VALUES (1) APPLY BATCH",
        "CREATE TABLE a (id int PRIMARY KEY)",
        "TRUNCATE a",
        "USE shop",
        "/* SELECT * FROM a",
        "\"select\" * FROM a",
        "SELECT 'unended FROM a"
      })
  void anythingElseIsLetThrough(String query) {
    assertThat(CqlText.parse(query).kind()).isEqualTo(Kind.OTHER);
  }
}
