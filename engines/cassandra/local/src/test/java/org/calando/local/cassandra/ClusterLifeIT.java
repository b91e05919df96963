package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.EngineLibs;
import org.calando.local.process.Ports;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that die with their owner, and clusters that outlive it. */
class ClusterLifeIT {
  @TempDir Path folder;

  @Test
  void killOfTheOwnerLeavesNoProcessPortOrFolder() throws Exception {
    Path temporary = folder.resolve("tmp");
    Files.createDirectory(temporary);
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-D" + EngineLibs.PROPERTY + "=" + System.getProperty(EngineLibs.PROPERTY),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<ProcessIdentity> children = new ArrayList<>();
    try {
      String told = owner.inputReader().readLine();
      assertThat(told).as("the owner's list of processes").isNotNull();
      for (String pid : told.split(" ", -1)) {
        children.add(ProcessIdentity.of(Long.parseLong(pid)).orElseThrow());
      }
    } finally {
      owner.destroyForcibly().waitFor();
    }
    assertThat(children).hasSize(2);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(children).noneMatch(ProcessIdentity::isAlive);
              assertThat(temporary).isEmptyDirectory();
            });
    Ports.requireFree(Preflight.endpoints(delayedPair()), "", "");
  }

  /** Starts two nodes with a relay, tells their processes, and waits to be killed. */
  public static final class Owner {
    private Owner() {}

    public static void main(String[] args) throws InterruptedException {
      LocalCassandra cluster = LocalCassandra.start(delayedPair());
      System.out.println(
          String.join(
              " ", cluster.nodes().stream().map(node -> Long.toString(node.pid())).toList()));
      new CountDownLatch(1).await();
    }
  }

  private static LocalCassandraConfig delayedPair() {
    return LocalCassandraIT.config()
        .nodes(2)
        .linkDelays(LinkDelays.uniform(2, Duration.ofMillis(1)))
        .build();
  }

  @Test
  void aClusterWithAStateFolderEndsWithItsOwnerUntilItIsKept() {
    Path state = folder.resolve("state");
    LocalCassandraConfig config = LocalCassandraIT.config().nodes(1).stateFolder(state).build();
    LocalCassandra cluster = LocalCassandra.start(config);
    cluster.close();
    assertThat(state).doesNotExist();
    Ports.requireFree(Preflight.endpoints(config), "", "");
    assertThatThrownBy(cluster::keep)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has been closed");
  }

  @Test
  void aKeptClusterIsFoundAgainAndStopped() {
    Path state = folder.resolve("state");
    LocalCassandraConfig config = LocalCassandraIT.config().nodes(1).stateFolder(state).build();
    try (LocalCassandra cluster = LocalCassandra.start(config)) {
      assertThat(cluster.folder()).isEqualTo(state);
      cluster.keep();
    }
    LocalCassandra found = LocalCassandra.attach(state);
    try {
      assertThat(found.status()).singleElement().matches(LocalCassandra.NodeStatus::up);
      assertThatThrownBy(() -> LocalCassandra.start(config))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("holds a local cluster already");
    } finally {
      found.shutdown();
    }
    assertThat(state).doesNotExist();
    assertThatThrownBy(() -> LocalCassandra.attach(state))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("there is no local cluster");
  }
}
