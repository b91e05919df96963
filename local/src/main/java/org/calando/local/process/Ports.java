package org.calando.local.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;

/** Probes whether ports are free, and tells who holds those that are not, as far as /proc says. */
public final class Ports {
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final String LISTENING = "0A";

  private Ports() {}

  /**
   * A port that will be needed.
   *
   * @param address an IPv4 address of this machine
   * @param port 1 to 65535
   * @param purpose for messages, for example {@code n1 CQL}
   */
  public record Endpoint(String address, int port, String purpose) {
    @Override
    public String toString() {
      return address + ":" + port + " (" + purpose + ")";
    }
  }

  /**
   * Refuses unless every port can be listened on.
   *
   * @param engine the engine's name
   * @param others how to take other ports, as a request: {@code take another loopback: ...}
   * @throws BadRequestException with all ports that are taken, and by whom
   */
  public static void requireFree(List<Endpoint> endpoints, String engine, String others) {
    Map<String, List<String>> taken = new LinkedHashMap<>();
    for (Endpoint endpoint : endpoints) {
      String reason = reasonNotFree(endpoint);
      if (!reason.isEmpty()) {
        taken.computeIfAbsent(reason, holder -> new ArrayList<>()).add(endpoint.toString());
      }
    }
    if (!taken.isEmpty()) {
      throw new BadRequestException(
          taken.entrySet().stream()
              .map(
                  holder ->
                      "\n    " + holder.getKey() + ": " + String.join(", ", holder.getValue()))
              .collect(Collectors.joining("", "ports cannot be listened on:", "")),
          "",
          "end the programs that hold them (a cluster of Calando's: ./calando local stop "
              + engine
              + "), or "
              + others);
    }
  }

  private static String reasonNotFree(Endpoint endpoint) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(
          new InetSocketAddress(InetAddress.getByName(endpoint.address()), endpoint.port()));
      return "";
    } catch (IOException e) {
      return holder(endpoint).orElse(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> holder(Endpoint endpoint) {
    return process(listeningSockets(endpoint)).map(process -> "held by " + words(process));
  }

  /**
   * Who listens on a port, such as {@code pid 4711 java}; empty if nobody does. Only reads, and
   * takes no port.
   */
  public static Optional<String> listener(Endpoint endpoint) {
    Set<String> sockets = listeningSockets(endpoint);
    return sockets.isEmpty()
        ? Optional.empty()
        : Optional.of(process(sockets).map(Ports::words).orElse("a process of another user"));
  }

  private static String words(Path process) {
    return "pid " + process.getFileName() + " " + program(process);
  }

  private static Set<String> listeningSockets(Endpoint endpoint) {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      addListeningSockets(Path.of(table), endpoint, sockets);
    }
    return sockets;
  }

  private static Optional<Path> process(Set<String> sockets) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (holdsAny(process, sockets)) {
          return Optional.of(process);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // then the holder is not known
    }
    return Optional.empty();
  }

  private static void addListeningSockets(Path table, Endpoint endpoint, Set<String> sockets) {
    Pattern taken = localAddress(endpoint);
    try {
      for (String line : Files.readAllLines(table)) {
        String[] fields = line.trim().split("\\s+", -1);
        if (fields.length > INODE
            && taken.matcher(fields[LOCAL_ADDRESS]).matches()
            && fields[STATE].equals(LISTENING)) {
          sockets.add("socket:[" + fields[INODE] + "]");
        }
      }
    } catch (IOException e) {
      // no such protocol here
    }
  }

  /**
   * How the kernel's tables write the address or the one that stands for all: each 32-bit word in
   * the machine's byte order, and an IPv4 address behind an IPv6 prefix for a socket of both.
   */
  private static Pattern localAddress(Endpoint endpoint) {
    StringBuilder hex = new StringBuilder();
    for (String part : endpoint.address().split("\\.", -1)) {
      String two = String.format(Locale.ROOT, "%02X", Integer.parseInt(part));
      hex.insert(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : hex.length(), two);
    }
    String port = String.format(Locale.ROOT, "%04X", endpoint.port());
    return Pattern.compile("(0+|[0-9A-F]*" + hex + "):" + port);
  }

  private static boolean holdsAny(Path process, Set<String> sockets) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (isAny(file, sockets)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // another user's process, or one that has just ended
    }
    return false;
  }

  private static boolean isAny(Path file, Set<String> sockets) {
    try {
      return sockets.contains(Files.readSymbolicLink(file).toString());
    } catch (IOException e) {
      return false; // closed since it was listed; the process may hold the socket all the same
    }
  }

  /** Its program; arguments of an engine would be lines of text. */
  private static String program(Path process) {
    try {
      String[] words = Files.readString(process.resolve("cmdline")).split("\0", -1);
      return words[0].substring(words[0].lastIndexOf('/') + 1);
    } catch (IOException e) {
      return "";
    }
  }
}
