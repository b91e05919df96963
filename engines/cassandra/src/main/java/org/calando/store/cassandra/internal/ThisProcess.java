package org.calando.store.cassandra.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.calando.core.ProcStat;

/**
 * Names of processes that tell, on the machine where they were made, whether the process is still
 * there. Stateless.
 *
 * <p>A name is "MACHINE PID START ID": the machine is the boot of its kernel and the name space of
 * process ids, so that no number is looked up where it means another process.
 */
final class ThisProcess {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path PIDS = Path.of("/proc/self/ns/pid");

  private ThisProcess() {}

  /** A name that no other call returns, here or anywhere. */
  static String name() {
    ProcessHandle process = ProcessHandle.current();
    String start = start(process.pid()).orElse("?");
    return machine() + " " + process.pid() + " " + start + " " + UUID.randomUUID();
  }

  /** The process for people: user, machine and number. */
  static String spoken() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "this machine";
    }
    return System.getProperty("user.name", "?")
        + " on "
        + host
        + ", process "
        + ProcessHandle.current().pid();
  }

  /** Whether a name is one of this process. */
  static boolean isThis(String name) {
    String own = name();
    return name.startsWith(own.substring(0, own.lastIndexOf(' ') + 1));
  }

  /** Whether a name is of a process of this machine, which may have ended. */
  static boolean isHere(String name) {
    return name.startsWith(machine() + " ");
  }

  /** Whether a name is of a process of this machine that has ended; false if that is not known. */
  static boolean hasEnded(String name) {
    String[] parts = name.split(" ", -1);
    if (parts.length != 4 || !parts[0].equals(machine()) || !parts[1].matches("\\d{1,10}")) {
      return false;
    }
    Optional<String> start = start(Long.parseLong(parts[1]));
    if (start.isEmpty()) {
      // Others' processes may be hidden, those that live too.
      return start(1).isPresent();
    }
    // Another version of Calando notes the start as a time, which cannot be compared.
    return parts[2].matches("\\d+") && !start.get().equals(parts[2]);
  }

  /**
   * When a process started, in ticks since the boot: its time of the day moves with the machine's
   * clock.
   */
  private static Optional<String> start(long pid) {
    try {
      byte[] text = Files.readAllBytes(Path.of("/proc/" + pid + "/stat"));
      ProcStat stat = ProcStat.parse(new String(text, StandardCharsets.ISO_8859_1));
      return Optional.of(Long.toString(stat.startTicks()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String machine() {
    try {
      String boot = Files.readString(BOOT).trim();
      return boot + "/" + Files.readSymbolicLink(PIDS).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "?" + UUID.randomUUID(); // equal to no other: nothing is taken for ended
    }
  }
}
