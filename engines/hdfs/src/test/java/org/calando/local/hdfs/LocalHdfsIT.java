package org.calando.local.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.local.hdfs.LocalHdfs.NodeStatus;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHdfsIT {
  private static final Duration LONG = Duration.ofSeconds(90);

  @TempDir Path folder;

  @Test
  void serversStartEndAndComeBackAndLeaveNothing() {
    LocalHdfsConfig config =
        LocalHdfsConfig.builder().nodes(2).dataFolder(folder.resolve("disks")).build();
    List<ProcessIdentity> processes;
    Path run;
    try (LocalHdfs cluster = LocalHdfs.start(config)) {
      run = cluster.folder();
      assertThat(cluster.status()).hasSize(2).allMatch(NodeStatus::up);
      assertThat(cluster.status()).extracting(NodeStatus::adminState).containsOnly("In Service");
      assertThat(folder.resolve("disks/n2/current")).isDirectory();
      List<ProcessGroup.Exit> exits = new CopyOnWriteArrayList<>();
      cluster.onUnexpectedExit(exits::add);

      cluster.kill(LocalHdfs.NAME_NODE);
      assertThat(cluster.isNameNodeUp()).isFalse();
      cluster.stop(1);
      assertThat(cluster.isRunning(1)).isFalse();
      assertThatThrownBy(() -> cluster.launch(2)).isInstanceOf(BadRequestException.class);
      cluster.launch(LocalHdfs.NAME_NODE);
      cluster.launch(1);
      cluster.awaitUp();
      assertThat(cluster.status()).allMatch(NodeStatus::up);

      assertThat(exits).isEmpty();
      ProcessHandle.of(cluster.nodes().get(1).pid()).orElseThrow().destroyForcibly();
      Awaitility.await().atMost(LONG).until(() -> exits.size() == 1);
      assertThat(exits.get(0).name()).isEqualTo("n2");
      processes =
          cluster.nodes().stream()
              .map(node -> new ProcessIdentity(node.pid(), node.startTicks()))
              .toList();
    }
    assertThat(processes).noneMatch(ProcessIdentity::isAlive);
    assertThat(run).doesNotExist();
    assertThat(Files.exists(folder.resolve("disks/n1"))).isFalse();
  }

  @Test
  void aKeptClusterIsFoundAgain() {
    Path state = folder.resolve("hdfs");
    LocalHdfsConfig config = LocalHdfsConfig.builder().nodes(1).stateFolder(state).build();
    try (LocalHdfs cluster = LocalHdfs.start(config)) {
      cluster.keep();
    }
    LocalHdfs found = LocalHdfs.attach(state);
    try {
      assertThat(found.isNameNodeUp()).isTrue();
      assertThat(found.status()).allMatch(NodeStatus::up);
      assertThatThrownBy(() -> LocalHdfs.start(config)).isInstanceOf(BadRequestException.class);
    } finally {
      found.shutdown();
    }
    assertThat(state).doesNotExist();
    assertThatThrownBy(() -> LocalHdfs.attach(state)).isInstanceOf(BadRequestException.class);
  }
}
