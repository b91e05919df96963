package org.calando.local.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.redis.LocalRedis.NodeStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRedisIT {
  @TempDir Path folder;

  @Test
  void aMasterAndTwoReplicasStartAndLeaveNothingBehind() {
    List<ProcessIdentity> processes;
    Path run;
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().auth(true).build())) {
      run = cluster.folder();
      List<NodeStatus> status = cluster.status();
      assertThat(status).extracting(NodeStatus::role).containsExactly("master", "slave", "slave");
      assertThat(status).allMatch(NodeStatus::up).allMatch(NodeStatus::linkUp);
      assertThat(cluster.passwordFile()).isPresent();
      processes =
          cluster.nodes().stream()
              .map(node -> new ProcessIdentity(node.pid(), node.startTicks()))
              .toList();
      assertThat(processes).allMatch(ProcessIdentity::isAlive);
    }
    assertThat(processes).noneMatch(ProcessIdentity::isAlive);
    assertThat(run).doesNotExist();
  }

  @Test
  void aKilledReplicaIsToldAndComesBackWithItsCopy() {
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(2).build())) {
      List<ProcessGroup.Exit> exits = new CopyOnWriteArrayList<>();
      cluster.onUnexpectedExit(exits::add);
      cluster.kill(2);
      assertThat(cluster.isUp(2)).isFalse();
      cluster.launch(2);
      assertThatThrownBy(() -> cluster.launch(2)).isInstanceOf(BadRequestException.class);
      cluster.awaitAllUp();
      assertThat(exits).isEmpty();
      ProcessHandle.of(cluster.nodes().get(1).pid()).orElseThrow().destroyForcibly();
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> exits.size() == 1);
      assertThat(exits.get(0).name()).isEqualTo("n2");
    }
  }

  @Test
  void sentinelsKnowEachOther() {
    LocalRedisConfig config = LocalRedisConfig.builder().nodes(2).sentinels(3).auth(true).build();
    try (LocalRedis cluster = LocalRedis.start(config)) {
      assertThat(cluster.sentinels()).hasSize(3).allMatch(each -> each.pid() > 0);
    }
  }

  @Test
  void mastersOfARedisClusterServeAllSlotsAndHaveReplicas() {
    LocalRedisConfig config = LocalRedisConfig.builder().nodes(6).shards(3).auth(true).build();
    try (LocalRedis cluster = LocalRedis.start(config)) {
      assertThat(cluster.status())
          .extracting(NodeStatus::role)
          .containsExactly("master", "master", "master", "slave", "slave", "slave");
      assertThat(cluster.status()).allMatch(NodeStatus::linkUp);
    }
    assertThatThrownBy(() -> LocalRedisConfig.builder().nodes(5).shards(3).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("multiple");
  }

  @Test
  void aKeptClusterIsFoundAgain() {
    Path state = folder.resolve("redis");
    LocalRedisConfig config = LocalRedisConfig.builder().nodes(1).stateFolder(state).build();
    try (LocalRedis cluster = LocalRedis.start(config)) {
      cluster.keep();
    }
    LocalRedis found = LocalRedis.attach(state);
    try {
      assertThat(found.status()).allMatch(NodeStatus::up);
      assertThatThrownBy(() -> LocalRedis.start(config)).isInstanceOf(BadRequestException.class);
    } finally {
      found.shutdown();
    }
    assertThat(state).doesNotExist();
    assertThatThrownBy(() -> LocalRedis.attach(state)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aServerThatRefusesItsSettingsFailsWithItsLog() {
    LocalRedisConfig config =
        LocalRedisConfig.builder().nodes(1).setting("no-such-setting", "1").build();
    assertThatThrownBy(() -> LocalRedis.start(config))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("no-such-setting");
    assertThat(Files.exists(folder.resolve("redis"))).isFalse();
  }
}
