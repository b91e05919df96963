package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What a reader of a study must know of the machine that it ran on; says "unknown" for what it
 * cannot find.
 */
final class HostEnvironment {
  private static final String UNKNOWN = "unknown";
  private static final int GIT_SECONDS = 10;

  private HostEnvironment() {}

  static ObjectNode host() {
    ObjectNode host = StudyFolder.object();
    host.put("cpu", valueOf(Path.of("/proc/cpuinfo"), "model name"));
    host.put("cores", Runtime.getRuntime().availableProcessors());
    host.put("memory_bytes", memoryBytes());
    host.put("os", valueOf(Path.of("/etc/os-release"), "PRETTY_NAME").replace("\"", ""));
    host.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    host.put("java", Runtime.version().toString());
    return host;
  }

  /** Threads that ran or waited for a core, in the mean of the last minute; below 0 if unknown. */
  static double loadAverage() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  static ObjectNode calando() {
    ObjectNode calando = StudyFolder.object();
    String version = HostEnvironment.class.getPackage().getImplementationVersion();
    calando.put("version", version == null ? "development" : version);
    calando.put("commit", commit());
    return calando;
  }

  private static long memoryBytes() {
    String total = valueOf(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "");
    return total.isEmpty() ? 0 : Long.parseLong(total) * 1024;
  }

  private static String valueOf(Path file, String key) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(key)) {
          return line.substring(key.length()).replaceFirst("^[\\s:=]+", "").trim();
        }
      }
    } catch (IOException e) {
      // Not a Linux machine, or not readable: unknown.
    }
    return UNKNOWN;
  }

  private static String commit() {
    String home = System.getProperty("calando.home", "");
    if (home.isEmpty() || !Files.exists(Path.of(home, ".git"))) {
      return UNKNOWN;
    }
    try {
      Process git =
          new ProcessBuilder("git", "-C", home, "describe", "--always", "--dirty", "--abbrev=12")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return answer(git);
      } finally {
        git.destroyForcibly();
      }
    } catch (IOException e) {
      // No git on this machine.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return UNKNOWN;
  }

  /** Its one line; it fits into the pipe, so that waiting comes first and has a bound. */
  private static String answer(Process git) throws IOException, InterruptedException {
    if (!git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) || git.exitValue() != 0) {
      return UNKNOWN;
    }
    String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    return text.isEmpty() ? UNKNOWN : text;
  }
}
