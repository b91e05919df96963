package org.calando.engine.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.junit.jupiter.api.Test;

class LocalHdfsSettingsTest {
  @Test
  void settingsAreCalandosOrHdfssOwn() {
    LocalHdfsConfig config =
        LocalHdfsSettings.read(
                List.of("nodes=7", "data-dir=/tmp/x", "dead-after=15s", "dfs.note=a=b"))
            .builder()
            .build();
    assertThat(config.nodes()).isEqualTo(7);
    assertThat(config.dataFolder()).contains(Path.of("/tmp/x"));
    assertThat(config.deadAfter()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.settings()).containsEntry("dfs.note", "a=b");
  }

  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(
            () -> LocalHdfsSettings.read(List.of("nodes=10", "dead-after=1s", "racks=2", "port")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes")
        .hasMessageContaining("dead-after")
        .hasMessageContaining("racks")
        .hasMessageContaining("port");
  }

  @Test
  void gearsTellNodesAndLayout() {
    LocalHdfsSettings read =
        LocalHdfsSettings.read(
            List.of("gears=[3, 7]", "gear-layout=paraid", "gear-order=per-file"));
    assertThat(read.builder().build().nodes()).isEqualTo(7);
    assertThat(read.gears().orElseThrow().gears()).containsExactly(3, 7);
    assertThat(read.gears().orElseThrow().layout()).isEqualTo("paraid");
    assertThat(LocalHdfsSettings.read(List.of("nodes=2")).gears()).isEmpty();
    assertThatThrownBy(() -> LocalHdfsSettings.read(List.of("gears=7,3")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("gears");
    assertThatThrownBy(() -> LocalHdfsSettings.read(List.of("nodes=5", "gears=3,7")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("needs nodes=7");
    assertThatThrownBy(() -> LocalHdfsSettings.read(List.of("gear-layout=rabbit")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("only with gears");
    assertThatThrownBy(() -> LocalHdfsSettings.read(List.of("gears=3,7", "offload=none")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> LocalHdfsSettings.read(List.of("gears=7,3", "gear-layout=rabit")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("3 nodes do not follow 7")
        .hasMessageContaining("rabit");
  }
}
