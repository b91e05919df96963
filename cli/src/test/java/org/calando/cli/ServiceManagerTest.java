package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager hears on a real socket of datagrams. */
class ServiceManagerTest {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int MSG_DONTWAIT = 0x40;
  private static final LibC LIBC = Native.load("c", LibC.class);

  @TempDir Path folder;

  /** The manager's half. */
  interface LibC extends Library {
    /** Opens a socket. */
    int socket(int domain, int type, int protocol) throws LastErrorException;

    /** Gives it a name. */
    int bind(int socket, byte[] address, int length) throws LastErrorException;

    /** Receives a datagram. */
    long recv(int socket, byte[] into, long length, int flags) throws LastErrorException;

    /** Closes it. */
    int close(int socket) throws LastErrorException;
  }

  @Test
  void itHearsThatTheServiceIsReadyReadsItsFileAgainAndEnds() {
    hears(folder.resolve("notify").toString());
    hears("@calando-test-" + ProcessHandle.current().pid());
  }

  private static void hears(String name) {
    byte[] address = ServiceManager.address(name).orElseThrow();
    int socket = LIBC.socket(AF_UNIX, SOCK_DGRAM, 0);
    try {
      assertThat(LIBC.bind(socket, address, address.length)).isZero();
      ServiceManager manager = new ServiceManager(name);
      manager.ready("clusters: shop");
      assertThat(heard(socket)).isEqualTo("READY=1\nSTATUS=clusters: shop");
      manager.reloading();
      assertThat(heard(socket)).matches("RELOADING=1\nMONOTONIC_USEC=\\d+");
      manager.stopping();
      assertThat(heard(socket)).isEqualTo("STOPPING=1");
    } finally {
      assertThat(LIBC.close(socket)).isZero();
    }
  }

  /** What has been sent already: to send a datagram is to have it in the other's queue. */
  private static String heard(int socket) {
    byte[] text = new byte[1024];
    int length = (int) LIBC.recv(socket, text, text.length, MSG_DONTWAIT);
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  @Test
  void withoutAManagerOrWithOneThatIsGoneNothingHappens() {
    new ServiceManager(null).ready("");
    new ServiceManager(folder.resolve("gone").toString()).stopping();
    assertThat(ServiceManager.address("vsock:2:1")).isEmpty();
    assertThat(ServiceManager.address("/" + "x".repeat(200))).isEmpty();
  }
}
