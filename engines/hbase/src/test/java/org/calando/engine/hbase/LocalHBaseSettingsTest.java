package org.calando.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.local.hbase.LocalHBaseConfig;
import org.junit.jupiter.api.Test;

class LocalHBaseSettingsTest {
  @Test
  void settingsAreTheClustersOrHBasesOwn() {
    LocalHBaseConfig config =
        LocalHBaseSettings.read(
                List.of(
                    "nodes=3",
                    "data-nodes=2",
                    "port=20000",
                    "heap=512MiB",
                    "session-timeout=5s",
                    "hbase.wal.hsync=true"))
            .build();
    assertThat(config.nodes()).isEqualTo(3);
    assertThat(config.dataNodes()).isEqualTo(2);
    assertThat(config.basePort()).isEqualTo(20_000);
    assertThat(config.nodeHeapMebibytes()).isEqualTo(512);
    assertThat(config.sessionTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.settings()).containsEntry("hbase.wal.hsync", "true");
  }

  @Test
  void everythingThatIsWrongIsTold() {
    assertThatThrownBy(() -> LocalHBaseSettings.read(List.of("nodes=9", "racks=2", "x")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes")
        .hasMessageContaining("racks")
        .hasMessageContaining("x");
    assertThatThrownBy(() -> LocalHBaseSettings.read(List.of("hbase.rootdir=file:///tmp")).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("hbase.rootdir");
  }
}
