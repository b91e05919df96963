package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHBaseIT {
  @TempDir Path folder;

  private final List<CommandProcess> started = new ArrayList<>();

  @AfterEach
  void endWhatATestLeft() {
    if (Files.exists(folder.resolve("state/local/hbase"))) {
      command("local", "stop", "hbase");
    }
    started.forEach(CommandProcess::close);
  }

  private CommandProcess command(String... arguments) {
    Map<String, String> environment = Map.of("CALANDO_STATE", folder.resolve("state").toString());
    CommandProcess command = CommandProcess.run(folder, environment, arguments);
    started.add(command);
    return command;
  }

  @Test
  void anHBaseOutlivesTheCommandUntilItIsStopped() throws IOException {
    CommandProcess start =
        command("local", "start", "hbase", "--set", "nodes=1", "--set", "heap=256MiB");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    assertThat(start.stdout()).contains("zookeeper", "master", "n1", "quorum: \"127.0.0.1:");
    CommandProcess again = command("local", "start", "hbase");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("calando local stop hbase");

    CommandProcess status = command("local", "status", "hbase", "--json");
    assertThat(status.exitCode()).as(status.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(status.stdout());
    assertThat(answer.at("/hdfs_state").asText()).isEqualTo("up");
    assertThat(answer.at("/nodes")).hasSize(3);
    List<Long> processes = new ArrayList<>();
    for (JsonNode node : answer.at("/nodes")) {
      assertThat(node.path("state").asText()).as(node.toString()).isEqualTo("up");
      processes.add(node.path("pid").asLong());
    }
    assertThat(processes).allMatch(pid -> ProcessIdentity.of(pid).isPresent());

    CommandProcess stop = command("local", "stop", "hbase");
    assertThat(stop.exitCode()).as(stop.stderr()).isZero();
    assertThat(processes).allMatch(pid -> ProcessIdentity.of(pid).isEmpty());
    assertThat(command("local", "status", "hbase").exitCode()).isEqualTo(2);
    assertThat(folder.resolve("state/local/hbase")).doesNotExist();
  }
}
