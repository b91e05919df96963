package org.calando.power;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.calando.core.ProcStat;
import org.calando.power.internal.ProcIo;
import org.calando.power.internal.SystemConstants;

/**
 * Reads CPU time and memory of Linux processes from {@code /proc/PID/stat}, and their disk bytes
 * from {@code /proc/PID/io} where this user may. Immutable and thread safe.
 *
 * <p>User and system time are each cut to a clock tick (10 ms nearly everywhere), so the CPU time
 * read is up to two ticks short of the true one; the error does not add up over readings. A running
 * thread's time since the kernel's last timer interrupt (4 ms or less) may be missing too.
 */
public final class ProcessCpu {
  private final Path proc;
  private final SystemConstants constants;
  private final LongSupplier clock;

  private ProcessCpu(Path proc, SystemConstants constants, LongSupplier clock) {
    this.proc = proc;
    this.constants = constants;
    this.clock = clock;
  }

  /** A reader of this machine's processes, without their children. */
  public static ProcessCpu ofThisMachine() {
    return ofThisMachine(System::nanoTime);
  }

  /** The same on another clock, in nanoseconds. */
  static ProcessCpu ofThisMachine(LongSupplier clock) {
    return new ProcessCpu(Path.of("/proc"), SystemConstants.get(), clock);
  }

  /** A reader of a copy of {@code /proc}. */
  static ProcessCpu of(Path proc, long ticksPerSecond, long pageBytes) {
    return new ProcessCpu(proc, new SystemConstants(ticksPerSecond, pageBytes), System::nanoTime);
  }

  /** One clock tick: the resolution of CPU time. */
  public long tickNanos() {
    return 1_000_000_000L / constants.ticksPerSecond();
  }

  /**
   * Tells the process that now has an id from earlier and later ones.
   *
   * @throws MeterException if there is none
   */
  public NodeProcess identify(long pid) throws MeterException {
    return new NodeProcess(pid, live(pid).startTicks());
  }

  /**
   * What the process has used.
   *
   * @throws MeterException if it has ended, another process has its id, or it cannot be read
   */
  public NodeUsage read(NodeProcess process) throws MeterException {
    ProcStat stat = live(process.pid());
    if (stat.startTicks() != process.startTicks()) {
      throw ended(process.pid(), "has ended, and another process has its id now");
    }
    long ticks = stat.userTicks() + stat.systemTicks();
    ProcIo io = ProcIo.read(proc, process.pid());
    return NodeUsage.ofProcess(
            clock.getAsLong(),
            process.startTicks(),
            ticks * tickNanos(),
            stat.rssPages() * constants.pageBytes())
        .withDisk(io.readBytes(), io.writtenBytes());
  }

  private ProcStat live(long pid) throws MeterException {
    Path file = file(pid);
    ProcStat stat;
    // A stream, not a channel: an interrupt of the reading thread must not close it.
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      stat = ProcStat.parse(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
    } catch (FileNotFoundException e) {
      throw ended(pid, "is not running");
    } catch (IOException | IllegalArgumentException e) {
      if (!file.toFile().exists()) {
        throw ended(pid, "is not running");
      }
      throw new MeterException(
          "cannot be read: " + e.getMessage(),
          file.toString(),
          "check that /proc is mounted and that this user may read it",
          e);
    }
    if (stat.ended()) {
      throw ended(pid, "has ended");
    }
    return stat;
  }

  private Path file(long pid) {
    return proc.resolve(Long.toString(pid)).resolve("stat");
  }

  private MeterException ended(long pid, String how) {
    return new MeterException(
        "process " + pid + " " + how, file(pid).toString(), "see the node's log; restart the node");
  }
}
