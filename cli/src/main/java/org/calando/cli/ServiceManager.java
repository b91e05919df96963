package org.calando.cli;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * The JDK has streams over such sockets, and no datagrams.
 */
/**
 * Tells systemd how the command stands, by the protocol of sd_notify, where $NOTIFY_SOCKET names a
 * socket; elsewhere nothing happens. That it is not heard ends nothing. Thread safe.
 */
final class ServiceManager {
  /** The variable that names the socket. */
  static final String VARIABLE = "NOTIFY_SOCKET";

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
  private static final int FAMILY_BYTES = 2;
  private static final int MOST_PATH_BYTES = 107;

  private final Optional<byte[]> address;

  /** The C library's sockets. */
  interface LibC extends Library {
    /** Opens a socket; a negative number is an error. */
    int socket(int domain, int type, int protocol) throws LastErrorException;

    /** Sends a datagram. */
    long sendto(int socket, byte[] text, long length, int flags, byte[] address, int addressLength)
        throws LastErrorException;

    /** Closes a socket. */
    int close(int socket) throws LastErrorException;
  }

  /**
   * A manager.
   *
   * @param socket a path, or a name that begins with @; null without a manager
   */
  ServiceManager(@Nullable String socket) {
    this.address = Optional.ofNullable(socket).flatMap(ServiceManager::address);
  }

  /** The manager that started this process, if one did and wants to hear. */
  static ServiceManager ofProcess() {
    return new ServiceManager(System.getenv(VARIABLE));
  }

  /** A {@code sockaddr_un}; a name without a file begins with a zero byte. */
  static Optional<byte[]> address(String socket) {
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    if (path.length < 2 || path.length > MOST_PATH_BYTES || (path[0] != '/' && path[0] != '@')) {
      return Optional.empty();
    }
    boolean named = path[0] == '@';
    byte[] address = new byte[FAMILY_BYTES + path.length + (named ? 0 : 1)];
    boolean little = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
    address[little ? 0 : 1] = AF_UNIX;
    System.arraycopy(path, 0, address, FAMILY_BYTES, path.length);
    if (named) {
      address[FAMILY_BYTES] = 0;
    }
    return Optional.of(address);
  }

  /** All has begun, or the file has been read again. */
  void ready(String status) {
    tell("READY=1\nSTATUS=" + status);
  }

  /** The file is read again; {@link #ready} follows. */
  void reloading() {
    tell("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / 1000);
  }

  /** It ends. */
  void stopping() {
    tell("STOPPING=1");
  }

  private void tell(String text) {
    address.ifPresent(to -> send(text.getBytes(StandardCharsets.UTF_8), to));
  }

  private static void send(byte[] text, byte[] to) {
    try {
      LibC libC = Native.load("c", LibC.class);
      int socket = libC.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
      try {
        long unused = libC.sendto(socket, text, text.length, 0, to, to.length);
      } finally {
        int unused = libC.close(socket);
      }
    } catch (LastErrorException | UnsatisfiedLinkError e) {
      // Whoever started it waits in vain, and says so.
    }
  }
}
