package org.calando.store.cassandra.gear;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnRepairsTest {
  @Test
  void typesThatAreEnabledAreRead() {
    String configuration =
        """
        repair scheduler configuration:
        \trepair_check_interval: 5m
        configuration for repair_type: full
        \tenabled: true
        \tmin_repair_interval: 24h
        configuration for repair_type: incremental
        \tenabled: false
        """;
    assertThat(OwnRepairs.enabled(configuration)).containsExactly("full");
    assertThat(OwnRepairs.enabled(configuration.replace("true", "false"))).isEmpty();
    assertThat(OwnRepairs.enabled("")).as("unknown is not none").contains("full", "incremental");
  }
}
