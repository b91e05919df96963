package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void everyTakenPortIsListedInALineOfItsHolder() throws IOException {
    try (ServerSocket one = listen("127.0.0.1");
        ServerSocket two = listen("0.0.0.0")) {
      List<Ports.Endpoint> endpoints =
          List.of(
              new Ports.Endpoint("127.0.0.1", one.getLocalPort(), "first"),
              new Ports.Endpoint("127.43.0.1", two.getLocalPort(), "second"));
      assertThatThrownBy(() -> Ports.requireFree(endpoints, "some", "choose others"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContainingAll(
              "\n    held by pid "
                  + self()
                  + " java: 127.0.0.1:"
                  + one.getLocalPort()
                  + " (first), ",
              ", 127.43.0.1:" + two.getLocalPort() + " (second)\n",
              "./calando local stop some), or choose others");
    }
  }

  @Test
  void aFreePortPasses() throws IOException {
    int port;
    try (ServerSocket socket = listen("127.43.0.1")) {
      port = socket.getLocalPort();
    }
    assertThatCode(
            () -> Ports.requireFree(List.of(new Ports.Endpoint("127.43.0.1", port, "x")), "", ""))
        .doesNotThrowAnyException();
  }

  @Test
  void whoListensIsToldWithoutTakingThePort() throws IOException {
    Ports.Endpoint port;
    try (ServerSocket socket = listen("127.0.0.1")) {
      port = new Ports.Endpoint("127.0.0.1", socket.getLocalPort(), "n1");
      assertThat(Ports.listener(port)).hasValue("pid " + self() + " java");
    }
    assertThat(Ports.listener(port)).isEmpty();
  }

  @Test
  void shortMemoryIsRefusedWithBothFigures() {
    assertThatThrownBy(() -> Memory.require(3L << 30, OptionalLong.of(1L << 30), "fewer nodes"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll("3072 MiB needed", "1024 MiB available", "fewer nodes");
    assertThat(Memory.parseAvailable("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"))
        .hasValue(2L << 20);
  }

  private static ServerSocket listen(String address) throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByName(address));
  }

  private static long self() {
    return ProcessHandle.current().pid();
  }
}
