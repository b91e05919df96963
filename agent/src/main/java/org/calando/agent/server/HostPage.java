package org.calando.agent.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.FailedWorkException;

/*
 *   stat       cpu0 user nice system idle iowait irq softirq steal ..   in hundredths of a second
 *              btime SECONDS
 *   meminfo    MemTotal:  KIB kB
 *   diskstats  MAJOR MINOR DEVICE reads merged SECTORS ms writes merged SECTORS ms ..
 *   net/dev    DEVICE: RECEIVED packets errs drop fifo frame compressed multicast SENT ..
 */
/**
 * What this machine has used since its boot, in the names of node_exporter, from the kernel's
 * files. Stateless and thread safe.
 *
 * @param proc mostly {@code /proc}
 */
record HostPage(Path proc) {
  private static final List<String> MODES =
      List.of("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal");
  private static final double TICKS_PER_SECOND = 100;
  private static final long SECTOR_BYTES = 512;
  private static final int READ_SECTORS = 5;
  private static final int WRITTEN_SECTORS = 9;
  private static final int SENT_BYTES = 9;

  /**
   * The page. What the kernel does not tell is left out.
   *
   * @throws FailedWorkException if CPU times cannot be read
   */
  String text() {
    StringBuilder page = new StringBuilder();
    try {
      for (String line : lines("stat")) {
        stat(line.split(" +"), page);
      }
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e.getMessage(), proc.resolve("stat").toString(), "mount it", e);
    }
    each("meminfo", words -> memory(words, page));
    each("diskstats", words -> disk(words, page));
    each("net/dev", words -> network(words, page));
    return page.toString();
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(proc.resolve(file));
  }

  private interface Line {
    void read(String[] words);
  }

  private void each(String file, Line then) {
    try {
      lines(file).forEach(line -> then.read(line.trim().split("[ :]+")));
    } catch (IOException e) {
      // Not of this kernel, or not for this user: unknown.
    }
  }

  private static void stat(String[] words, StringBuilder page) {
    if (words[0].equals("btime")) {
      page.append("node_boot_time_seconds ").append(words[1]).append('\n');
    } else if (words[0].matches("cpu[0-9]+")) {
      for (int mode = 0; mode < MODES.size() && mode + 1 < words.length; mode++) {
        page.append(
            "node_cpu_seconds_total{cpu=\"%s\",mode=\"%s\"} %s\n"
                .formatted(
                    words[0].substring(3),
                    MODES.get(mode),
                    Long.parseLong(words[mode + 1]) / TICKS_PER_SECOND));
      }
    }
  }

  private static void memory(String[] words, StringBuilder page) {
    if (words[0].equals("MemTotal") || words[0].equals("MemAvailable")) {
      page.append("node_memory_%s_bytes %d\n".formatted(words[0], Long.parseLong(words[1]) << 10));
    }
  }

  private static void disk(String[] words, StringBuilder page) {
    if (words.length > WRITTEN_SECTORS) {
      sum("node_disk_read_bytes_total", words[2], sectors(words[READ_SECTORS]), page);
      sum("node_disk_written_bytes_total", words[2], sectors(words[WRITTEN_SECTORS]), page);
    }
  }

  private static long sectors(String count) {
    return Long.parseLong(count) * SECTOR_BYTES;
  }

  private static void network(String[] words, StringBuilder page) {
    if (words.length > SENT_BYTES && words[1].matches("[0-9]+")) {
      sum("node_network_receive_bytes_total", words[0], Long.parseLong(words[1]), page);
      sum("node_network_transmit_bytes_total", words[0], Long.parseLong(words[SENT_BYTES]), page);
    }
  }

  private static void sum(String name, String device, long bytes, StringBuilder page) {
    page.append("%s{device=\"%s\"} %d\n".formatted(name, device, bytes));
  }
}
