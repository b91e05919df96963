package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  @Test
  void aClusterThatTakesNoOlderVersionsOfTheProtocolIsToldByTheSettingThatSaysSo() {
    CassandraStoreConfig config =
        CassandraStoreConfig.builder().contactPoint("127.0.0.1", 1).build();
    RuntimeException refused =
        new IllegalStateException(
            new IllegalArgumentException(
                "unexpected server error [PROTOCOL_ERROR] Rejecting Protocol Version 4/v4 < 5/v5."));
    assertThat(Refusals.explain(config, Optional.empty(), refused))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("native_transport_allow_older_protocols")
        .hasMessageContaining("127.0.0.1");
  }
}
