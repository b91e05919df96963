package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.Replication;
import org.junit.jupiter.api.Test;

class CqlTest {
  private static final TableSpec TABLE = new TableSpec("usertable", 2, "field");

  @Test
  void theTableCarriesTheMarkAndSendsNoRequestsOfItsOwn() {
    assertThat(Cql.createTable("calando", TABLE))
        .isEqualTo(
            "CREATE TABLE calando.usertable (key bigint PRIMARY KEY, version bigint, field0 blob,"
                + " field1 blob) WITH comment = 'created by Calando' AND read_repair = 'NONE' AND"
                + " speculative_retry = 'NEVER' AND additional_write_policy = 'NEVER'");
  }

  @Test
  void everyWriteSetsTheVersion() {
    assertThat(Cql.write("calando", TABLE, 1))
        .isEqualTo("UPDATE calando.usertable SET version = ?, field1 = ? WHERE key = ?");
    assertThat(Cql.write("calando", TABLE, Session.ALL_FIELDS))
        .isEqualTo(
            "UPDATE calando.usertable SET version = ?, field0 = ?, field1 = ? WHERE key = ?");
  }

  @Test
  void everyReadReturnsTheVersionFirst() {
    assertThat(Cql.read("calando", TABLE, 0))
        .isEqualTo("SELECT version, field0 FROM calando.usertable WHERE key = ?");
    assertThat(Cql.scan("calando", TABLE, Session.ALL_FIELDS))
        .isEqualTo(
            "SELECT version, field0, field1 FROM calando.usertable"
                + " WHERE token(key) >= token(?) LIMIT ?");
  }

  @Test
  void replicationIsWrittenAsCqlStoresIt() {
    assertThat(Cql.createKeyspace("calando", new Replication.Simple(3).options()))
        .isEqualTo(
            "CREATE KEYSPACE calando WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': '3'}");
    assertThat(
            Cql.alterKeyspace(
                "calando", new Replication.NetworkTopology(Map.of("dc2", 2, "o'dc", 3)).options()))
        .isEqualTo(
            "ALTER KEYSPACE calando WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'dc2': '2', 'o''dc': '3'}");
  }
}
