package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.Test;

class LocalHdfsIT extends LeftRunning {
  LocalHdfsIT() {
    super("hdfs");
  }

  @Test
  void anHdfsOutlivesTheCommandUntilItIsStopped() throws IOException {
    CommandProcess start = command("local", "start", "hdfs", "--set", "nodes=1");
    assertThat(start.exitCode()).as(start.stderr()).isZero();
    assertThat(start.stdout()).contains("uri: hdfs://127.0.0.1:", "in service", "hosts-file: ");
    CommandProcess again = command("local", "start", "hdfs");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("calando local stop hdfs");

    CommandProcess status = command("local", "status", "hdfs", "--json");
    assertThat(status.exitCode()).as(status.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(status.stdout());
    assertThat(answer.at("/name_node/state").asText()).isEqualTo("up");
    assertThat(answer.at("/nodes/0/state").asText()).isEqualTo("up");
    assertThat(Path.of(answer.at("/hosts_file").asText())).isNotEmptyFile();
    long pid = answer.at("/nodes/0/pid").asLong();
    assertThat(ProcessIdentity.of(pid)).isPresent();

    CommandProcess all = command("local", "status", "--json");
    assertThat(all.exitCode()).as(all.stderr()).isZero();
    assertThat(new ObjectMapper().readTree(all.stdout()).at("/clusters/0")).isEqualTo(answer);
    assertThat(command("local", "status").stdout()).startsWith("Local hdfs:\n");

    CommandProcess stop = command("local", "stop");
    assertThat(stop.exitCode()).as(stop.stderr()).isZero();
    assertThat(ProcessIdentity.of(pid)).isEmpty();
    assertThat(command("local", "status", "hdfs").exitCode()).isEqualTo(2);
    assertThat(state()).doesNotExist();
  }
}
