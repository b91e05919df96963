package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.Test;

class LocalHdfsIT extends LeftRunning {
  LocalHdfsIT() {
    super("hdfs");
  }

  @Test
  void anHdfsOutlivesTheCommandUntilItIsStopped() throws IOException {
    CommandProcess start = startCluster("nodes=1");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    assertThat(start.stdout()).contains("uri: hdfs://127.0.0.1:", "in service", "hosts-file: ");
    CommandAnswer again = command("local", "start", "hdfs");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("calando local stop hdfs");

    CommandAnswer status = command("local", "status", "hdfs", "--json");
    assertThat(status.exitCode()).as(status.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(status.stdout());
    assertThat(answer.at("/name_node/state").asText()).isEqualTo("up");
    assertThat(answer.at("/nodes/0/state").asText()).isEqualTo("up");
    assertThat(Path.of(answer.at("/hosts_file").asText())).isNotEmptyFile();
    long pid = answer.at("/nodes/0/pid").asLong();
    assertThat(ProcessIdentity.of(pid)).isPresent();

    CommandAnswer all = command("local", "status", "--json");
    assertThat(all.exitCode()).as(all.stderr()).isZero();
    assertThat(new ObjectMapper().readTree(all.stdout()).at("/clusters/0")).isEqualTo(answer);
    assertThat(command("local", "status").stdout()).startsWith("Local hdfs:\n");

    CommandAnswer stop = command("local", "stop");
    assertThat(stop.exitCode()).as(stop.stderr()).isZero();
    assertThat(ProcessIdentity.of(pid)).isEmpty();
    assertThat(command("local", "status", "hdfs").exitCode()).isEqualTo(2);
    assertThat(state()).doesNotExist();
  }

  @Test
  void aNodeThatWasStartedByHandIsToldOfAndLeft() throws IOException {
    CommandProcess start = startCluster("nodes=1");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    // A DataNode that Calando's list of processes does not have, as if somebody had started it.
    Path processes = state().resolve("state.json");
    byte[] before = Files.readAllBytes(processes);
    LocalHdfs cluster = LocalHdfs.attach(state());
    cluster.kill(1);
    cluster.launch(1);
    cluster.awaitUp();
    LocalHdfsNode node = cluster.nodes().get(0);
    ProcessIdentity stranger = new ProcessIdentity(node.pid(), node.startTicks());
    Files.write(processes, before);
    try {
      CommandAnswer status = command("local", "status", "hdfs", "--json");
      assertThat(status.exitCode()).as(status.stderr()).isEqualTo(1);
      JsonNode answer = new ObjectMapper().readTree(status.stdout());
      assertThat(answer.at("/nodes/0/state").asText()).isEqualTo("foreign");
      String says =
          "pid %d java listens at %s as n1 of hdfs, and Calando did not start it"
              .formatted(node.pid(), node.transferAddress());
      assertThat(answer.at("/findings/0/says").asText()).isEqualTo(says);
      assertThat(answer.at("/findings/0/remedy").asText()).contains("by hand");
      CommandAnswer shown = command("local", "status");
      assertThat(shown.exitCode()).isEqualTo(1);
      assertThat(shown.stdout()).contains(" foreign ", "WRONG   n1: " + says, "remedy: ");

      CommandAnswer stop = command("local", "stop", "hdfs");
      assertThat(stop.exitCode()).as(stop.stderr()).isEqualTo(1);
      assertThat(stop.stdout()).isEqualTo("Stopped hdfs.\n");
      assertThat(stop.stderr()).contains(says, "by hand", "what Calando started has ended");
      assertThat(state()).doesNotExist();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      ProcessIdentity.end(List.of(stranger), 0);
    }
  }
}
