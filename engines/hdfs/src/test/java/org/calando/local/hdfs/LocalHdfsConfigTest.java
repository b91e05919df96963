package org.calando.local.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.ConfigJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHdfsConfigTest {
  @TempDir Path folder;

  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                LocalHdfsConfig.builder()
                    .nodes(10)
                    .basePort(80)
                    .deadAfter(Duration.ofSeconds(3))
                    .setting("dfs.hosts", "/etc/hosts")
                    .setting("a b", "1")
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes 10")
        .hasMessageContaining("port 80")
        .hasMessageContaining("dead-after 3 s")
        .hasMessageContaining("'dfs.hosts' is set by Calando itself")
        .hasMessageContaining("'a b' is no setting");
  }

  @Test
  void freePortsAreARunBelowThoseOfOutgoingConnections() {
    List<Integer> ports = HdfsPreflight.ports(LocalHdfsConfig.builder().nodes(9).build());
    assertThat(ports).hasSize(29).doesNotHaveDuplicates().allMatch(p -> p > 1024 && p < 32_768);
    assertThat(ports.get(28) - ports.get(0)).isEqualTo(28);
  }

  @Test
  void eachNodeHasPortsOfItsOwn() {
    LocalHdfsConfig config = LocalHdfsConfig.builder().nodes(2).basePort(20_000).build();
    HdfsFiles files = new HdfsFiles(config, HdfsPreflight.ports(config), folder);
    assertThat(
            List.of(
                files.nameNodePort(),
                files.nameNodeHttpPort(),
                files.transferPort(1),
                files.ipcPort(1),
                files.httpPort(1),
                files.transferPort(2),
                files.ipcPort(2),
                files.httpPort(2)))
        .containsExactly(20_000, 20_001, 20_002, 20_003, 20_004, 20_005, 20_006, 20_007);
  }

  @Test
  void aSilentNodeIsDeadAfterTheTimeThatWasAsked() {
    LocalHdfsConfig config = LocalHdfsConfig.builder().deadAfter(Duration.ofSeconds(20)).build();
    HdfsFiles files = new HdfsFiles(config, HdfsPreflight.ports(config), folder);
    Map<String, String> settings = HdfsSettings.nameNode(config, files);
    long checks = 2 * Long.parseLong(settings.get("dfs.namenode.heartbeat.recheck-interval"));
    long beats = 10_000 * Long.parseLong(settings.get("dfs.heartbeat.interval"));
    assertThat(checks + beats).isEqualTo(20_000);
  }

  @Test
  void aSettingWinsOverCalandosAndIsWrittenAsXml() throws IOException {
    LocalHdfsConfig config =
        LocalHdfsConfig.builder()
            .nodes(1)
            .setting("dfs.datanode.balance.bandwidthPerSec", "1m")
            .setting("dfs.note", "a<b & c")
            .dataFolder(folder.resolve("disks"))
            .build();
    HdfsFiles files = new HdfsFiles(config, HdfsPreflight.ports(config), folder);
    files.write("n1");
    assertThat(files.configuration("n1").resolve("hdfs-site.xml"))
        .content()
        .contains("<name>dfs.datanode.balance.bandwidthPerSec</name><value>1m</value>")
        .contains("<value>a&lt;b &amp; c</value>")
        .contains(folder.resolve("disks/n1").toUri().toString());
    assertThat(folder.resolve("disks/n1")).isEmptyDirectory();
  }

  @Test
  void aHostsFileThatIsThereIsLeft() throws IOException {
    LocalHdfsConfig config = LocalHdfsConfig.builder().nodes(2).basePort(20_000).build();
    HdfsFiles files = new HdfsFiles(config, HdfsPreflight.ports(config), folder);
    files.writeHosts();
    assertThat(files.hostsFile()).content().contains("20002", "20005", "NORMAL");
    Files.writeString(files.hostsFile(), "[]");
    files.writeHosts();
    assertThat(files.hostsFile()).hasContent("[]");
  }

  @Test
  void storageOfOthersIsNotTaken() throws IOException {
    LocalHdfsConfig config = LocalHdfsConfig.builder().nodes(2).dataFolder(folder).build();
    HdfsPreflight.requireUnused(config);
    Files.createDirectories(folder.resolve("n2/current"));
    assertThatThrownBy(() -> LocalHdfs.start(config))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("n2");
    assertThat(folder.resolve("n2/current")).isDirectory();
  }

  @Test
  void aJarThatIsNotThereIsABadRequest() {
    LocalHdfsConfig config =
        LocalHdfsConfig.builder().nameNodeJar(folder.resolve("placement.jar")).build();
    assertThatThrownBy(() -> LocalHdfs.check(config))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("placement.jar");
  }

  private ObjectNode write(ObjectNode json) {
    return ConfigJson.write(
        ConfigJson.read(json, Optional.of(folder), LocalHdfsConfig.builder()).build(),
        ConfigJson.ports(json));
  }

  @Test
  void aConfigurationComesBackFromItsStateFile() {
    LocalHdfsConfig config =
        LocalHdfsConfig.builder()
            .nodes(7)
            .deadAfter(Duration.ofSeconds(30))
            .dataFolder(folder.resolve("disks"))
            .nameNodeJar(folder.resolve("placement.jar"))
            .setting("dfs.blocksize", "4194304")
            .build();
    var json = ConfigJson.write(config, List.of(1, 2, 3));
    assertThat(json.toString())
        .contains("\"nodes\":7", "\"startTimeoutNanos\":120000000000", "\"basePort\":0")
        .contains("\"deadAfterNanos\":30000000000", "\"ports\":[1,2,3]")
        .contains("\"settings\":{\"dfs.blocksize\":\"4194304\"}")
        .contains("\"dataFolder\":\"" + folder.resolve("disks") + "\"")
        .contains("\"nameNodeJars\":[\"" + folder.resolve("placement.jar") + "\"]")
        .doesNotContain("stateFolder");
    assertThat(write(json)).isEqualTo(json);
  }
}
