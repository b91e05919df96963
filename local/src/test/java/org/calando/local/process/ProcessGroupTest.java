package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {
  @TempDir Path base;

  @Test
  void aProcessThatListensAndIsNotRecordedIsAStranger() throws IOException {
    RunFolder folder =
        RunFolder.persistent(base.resolve("x"), "x", new ObjectMapper().createObjectNode());
    ProcessGroup group = new ProcessGroup(folder);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Ports.Endpoint> ports =
          List.of(new Ports.Endpoint("127.0.0.1", socket.getLocalPort(), "n1"));
      long self = ProcessHandle.current().pid();
      assertThat(group.strangers(ports))
          .containsExactly(
              new ProcessGroup.Stranger(
                  "n1",
                  "pid %d java listens at 127.0.0.1:%d as n1 of x, and Calando did not start it"
                      .formatted(self, socket.getLocalPort())));
      // The same process, noted as ours.
      folder.record("n1", ProcessIdentity.self());
      assertThat(group.strangers(ports)).isEmpty();
    }
  }
}
