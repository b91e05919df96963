package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
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

  /** As where a command has a server started again that another process had started. */
  @Test
  void whatOthersStartedAnewIsKnownAndEnded() throws IOException, InterruptedException {
    RunFolder first =
        RunFolder.persistent(base.resolve("x"), "x", new ObjectMapper().createObjectNode());
    ProcessGroup group = new ProcessGroup(first);
    RunFolder second = RunFolder.open(first.path());
    first.record("n1", new ProcessIdentity(0, 1));
    Process anew = new ProcessBuilder("sleep", "600").start();
    try {
      ProcessIdentity identity = ProcessIdentity.of(anew.pid()).orElseThrow();
      second.record("n1", identity);
      first.record("n2", new ProcessIdentity(0, 2));
      assertThat(group.recorded("n1")).hasValue(identity);
      assertThat(second.state().children()).hasSize(2);
      group.discard();
      assertThat(anew.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      anew.destroyForcibly();
    }
  }

  /** As where a command starts a server again while another one ends the cluster. */
  @Test
  void whatCannotBeRecordedDoesNotRun() {
    RunFolder folder =
        RunFolder.persistent(base.resolve("x"), "x", new ObjectMapper().createObjectNode());
    ProcessGroup group = new ProcessGroup(folder);
    assertThatThrownBy(
            () ->
                group.launch(
                    () -> {
                      folder.remove();
                      return new SupervisedProcess.Spec(
                          "n1", List.of("sleep", "604.5"), base, base.resolve("log"), false);
                    }))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("the state of the cluster cannot be written");
    assertThat(ProcessHandle.current().children())
        .noneMatch(
            child ->
                child.info().arguments().filter(all -> List.of(all).contains("604.5")).isPresent());
  }
}
