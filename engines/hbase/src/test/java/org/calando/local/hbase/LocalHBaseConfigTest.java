package org.calando.local.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.ConfigJson;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHBaseConfigTest {
  @Test
  void thereAreAsManyDataNodesAsRegionServersUnlessToldOtherwise() {
    assertThat(LocalHBaseConfig.builder().nodes(3).build().dataNodes()).isEqualTo(3);
    assertThat(LocalHBaseConfig.builder().nodes(3).dataNodes(1).build().dataNodes()).isEqualTo(1);
  }

  @Test
  void everythingThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                LocalHBaseConfig.builder()
                    .nodes(4)
                    .dataNodes(9)
                    .basePort(80)
                    .nodeHeapMebibytes(100)
                    .sessionTimeout(Duration.ofSeconds(1))
                    .setting("hbase.unsafe.stream.capability.enforce", "false")
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes 4")
        .hasMessageContaining("data-nodes 9")
        .hasMessageContaining("port 80")
        .hasMessageContaining("heap")
        .hasMessageContaining("session timeout")
        .hasMessageContaining("hbase.unsafe.stream.capability.enforce");
  }

  @Test
  void aStateFileGivesTheConfigurationBack() {
    LocalHBaseConfig config =
        LocalHBaseConfig.builder()
            .nodes(2)
            .dataNodes(3)
            .nodeHeapMebibytes(512)
            .sessionTimeout(Duration.ofSeconds(7))
            .setting("hbase.wal.hsync", "true")
            .build();
    List<Integer> ports = List.of(20_000, 20_001, 20_002, 20_003, 20_004);
    var written = ConfigJson.write(config, ports);
    LocalHBaseConfig read =
        ConfigJson.read(written, Optional.of(Path.of("/state")), LocalHBaseConfig.builder())
            .build();
    assertThat(ConfigJson.write(read, ConfigJson.ports(written))).isEqualTo(written);
    assertThat(read.stateFolder()).contains(Path.of("/state"));
  }

  @Test
  void aClusterThatIsThereIsRefusedWithWhatKeepsItsDataAndWhatRemovesIt(@TempDir Path folder) {
    Path state = folder.resolve("hbase");
    LocalHBaseConfig config = LocalHBaseConfig.builder().stateFolder(state).build();
    HBasePreflight.requireUnused(config);
    ObjectNode none = new ObjectMapper().createObjectNode();
    ProcessIdentity running = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
    ProcessIdentity ended = new ProcessIdentity(running.pid(), running.startTicks() + 1);
    RunFolder.persistent(state, "hbase", none).record("n1", running);
    RunFolder hdfs = RunFolder.persistent(state.resolve("hdfs"), "hdfs", none);
    hdfs.record("n1", running);
    assertThatThrownBy(() -> HBasePreflight.requireUnused(config))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("./calando local stop hbase stops that one and removes its data")
        .hasMessageNotContaining("idle up");
    hdfs.record("n1", ended);
    assertThatThrownBy(() -> HBasePreflight.requireUnused(config))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("./calando idle up --local resumes its servers")
        .hasMessageContaining("removes its data");
    hdfs.record("n1", running);
    RunFolder.persistent(state, "hbase", none).record("n2", ended);
    assertThatThrownBy(() -> HBasePreflight.requireUnused(config))
        .hasMessageContaining("./calando idle up --local resumes its servers");
  }
}
