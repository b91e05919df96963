package org.calando.power.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.internal.SystemConstants;

/**
 * This machine as a whole, from {@code /proc} (see proc(5)). Inside a container the CPU, memory and
 * disk figures are still the machine's, the network's the container's.
 */
public record LocalHost() implements HostSource {
  private static final Path PROC = Path.of("/proc");

  @Override
  public String describe() {
    return "this machine";
  }

  @Override
  public HostProbe open(Ticker ticker) {
    return probe(PROC, SystemConstants.get().ticksPerSecond(), ticker);
  }

  /** Reads a copy of {@code /proc}. */
  static HostProbe probe(Path proc, long ticksPerSecond, Ticker ticker) {
    return new Probe(proc, ticksPerSecond, ticker);
  }

  private static final class Probe implements HostProbe {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final long SECTOR_BYTES = 512;

    private final Path proc;
    private final long ticksPerSecond;
    private final Ticker ticker;

    Probe(Path proc, long ticksPerSecond, Ticker ticker) {
      this.proc = proc;
      this.ticksPerSecond = ticksPerSecond;
      this.ticker = ticker;
    }

    @Override
    public NodeUsage sample(long deadlineNanos) throws MeterException {
      long atNanos = ticker.nanos();
      Path file = proc.resolve("stat");
      List<String[]> stat = lines(file);
      long[] disk = {-1, -1};
      add(disk, columns("diskstats"), 2, Devices::isDisk, new int[] {5, 9}, SECTOR_BYTES);
      long[] net = {-1, -1};
      add(net, networks(), 0, Devices::isNetwork, new int[] {1, 9}, 1);
      return new NodeUsage(
          atNanos,
          0,
          busyTicks(stat, file) * (1_000_000_000L / ticksPerSecond),
          (int) stat.stream().filter(line -> line[0].matches("cpu\\d+")).count(),
          NodeUsage.UNKNOWN,
          memory(),
          disk[0],
          disk[1],
          net[0],
          net[1]);
    }

    /** User, nice, system, irq and softirq; a guest's time is in user and nice. */
    private static long busyTicks(List<String[]> stat, Path file) throws MeterException {
      for (String[] line : stat) {
        if (line[0].equals("cpu") && line.length >= 8) {
          return number(line[1])
              + number(line[2])
              + number(line[3])
              + number(line[6])
              + number(line[7]);
        }
      }
      throw new MeterException("has no line 'cpu'", file.toString(), "check that /proc is mounted");
    }

    private long memory() {
      long total = -1;
      long available = -1;
      for (String[] line : columns("meminfo")) {
        if (line.length >= 2 && line[0].equals("MemTotal:")) {
          total = number(line[1]);
        } else if (line.length >= 2 && line[0].equals("MemAvailable:")) {
          available = number(line[1]);
        }
      }
      return total >= 0 && available >= 0 ? (total - available) * 1024 : -1;
    }

    private List<String[]> networks() {
      // An address may follow the colon without a blank.
      return columns("net/dev").stream()
          .map(line -> BLANKS.split(String.join(" ", line).replaceFirst(":", " ").strip(), -1))
          .toList();
    }

    private static void add(
        long[] sums,
        List<String[]> lines,
        int device,
        Predicate<String> counts,
        int[] fields,
        long bytesPerUnit) {
      for (String[] line : lines) {
        if (line.length <= fields[1] || !counts.test(line[device])) {
          continue;
        }
        for (int i = 0; i < sums.length; i++) {
          long value = number(line[fields[i]]);
          if (value >= 0) {
            sums[i] = Math.max(0, sums[i]) + value * bytesPerUnit;
          }
        }
      }
    }

    private List<String[]> columns(String name) {
      try {
        return lines(proc.resolve(name));
      } catch (MeterException e) {
        // A blank, not a failure: CPU time is the figure that must be there.
        return List.of();
      }
    }

    private static List<String[]> lines(Path file) throws MeterException {
      // A stream, not a channel: an interrupt of the reading thread must not close it.
      try (FileInputStream in = new FileInputStream(file.toFile())) {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
            .lines()
            .map(line -> BLANKS.split(line.strip(), -1))
            .toList();
      } catch (IOException e) {
        throw new MeterException(
            "cannot be read: " + e.getMessage(),
            file.toString(),
            "check that /proc is mounted and that this user may read it",
            e);
      }
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        return -1;
      }
    }

    @Override
    public void close() {
      // Nothing is held between readings.
    }
  }
}
