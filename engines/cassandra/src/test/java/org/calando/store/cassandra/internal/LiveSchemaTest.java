package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

class LiveSchemaTest {
  private static final TableName TABLE = new TableName("shop", "carts");

  @Test
  void replicasAreThoseOfAllDataCentres() {
    assertThat(
            LiveSchema.replicas(
                TABLE, Map.of("class", "SimpleStrategy", "replication_factor", "5")))
        .isEqualTo(5);
    assertThat(
            LiveSchema.replicas(
                TABLE, Map.of("class", "NetworkTopologyStrategy", "east", "3", "west", "2")))
        .isEqualTo(5);
  }

  @Test
  void replicasThatCannotBeCountedAreRefused() {
    for (Map<String, String> options :
        List.of(
            Map.<String, String>of(),
            Map.of("class", "LocalStrategy"),
            Map.of("class", "NetworkTopologyStrategy"),
            Map.of("class", "NetworkTopologyStrategy", "east", "3/1"))) {
      assertThatThrownBy(() -> LiveSchema.replicas(TABLE, options))
          .as(options.toString())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("shop.carts");
    }
  }
}
