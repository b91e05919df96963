package org.calando.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a command may have left behind: processes of its own, ports, temporary folders. */
final class Traces {
  private Traces() {}

  /** Everything that is still there of a temporary cluster on a block of loopback addresses. */
  static List<String> of(String block, Path temporary, int nodes, int jmxPort) {
    List<String> left = processes(temporary);
    for (int node = 1; node <= nodes; node++) {
      addIfTaken(left, block + ".0." + node, 9042);
      addIfTaken(left, block + ".0." + node, 7000);
      addIfTaken(left, block + ".1." + node, 7000);
      addIfTaken(left, "127.0.0.1", jmxPort + node);
    }
    left.addAll(runFolders(temporary));
    return left;
  }

  /** The processes of clusters whose folders are below a folder for temporary files. */
  static List<String> processes(Path temporary) {
    List<String> running = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      String command = commandLine(process.pid());
      if (command.contains(temporary.toString()) && command.contains("calando-")) {
        running.add("process " + process.pid() + ": " + command);
      }
    }
    return running;
  }

  /** The run folders below a folder for temporary files. */
  static List<String> runFolders(Path temporary) {
    List<String> folders = new ArrayList<>();
    try (Stream<Path> users = Files.list(temporary)) {
      for (Path user :
          users.filter(p -> p.getFileName().toString().startsWith("calando-")).toList()) {
        try (Stream<Path> runs = Files.list(user)) {
          runs.forEach(run -> folders.add(run.toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folders;
  }

  private static void addIfTaken(List<String> left, String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      left.add("port " + address + ":" + port);
    }
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return ""; // ended meanwhile, or not ours to read
    }
  }
}
