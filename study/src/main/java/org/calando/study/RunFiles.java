package org.calando.study;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.calando.control.DecisionLog;
import org.calando.control.file.AtomicFiles;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.power.SampleRow;
import org.calando.report.Csv;
import org.jspecify.annotations.Nullable;

/**
 * The files that a run writes while it goes: {@code nodes.csv}, {@code ops.csv}, {@code
 * latency.hlog}, those of knobs, and {@code decisions.csv} where any policy decides.
 *
 * <p>Thread safe. A file that cannot be written, the disk being full for example, does not disturb
 * the run; {@link #close} tells of it.
 */
final class RunFiles implements RunPart {
  /** Name of the file of decisions. */
  static final String DECISIONS = "decisions.csv";

  private final Path folder;
  private final BufferedWriter nodes;
  private final BufferedWriter operations;
  private final PrintStream latencies;
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
  private final List<BufferedWriter> ofKnobs = new ArrayList<>();
  private @Nullable DecisionLog decisions;
  private boolean closed;

  private RunFiles(
      Path folder, BufferedWriter nodes, BufferedWriter operations, OutputStream latencies) {
    this.folder = folder;
    this.nodes = nodes;
    this.operations = operations;
    // A print stream keeps to itself what went wrong.
    this.latencies = new PrintStream(new Remembering(latencies), false, StandardCharsets.UTF_8);
  }

  /**
   * Begins the files.
   *
   * @param folder the run's folder, which exists
   * @throws org.calando.core.FailedWorkException if one of them cannot be written
   */
  static RunFiles open(Path folder) {
    List<Closeable> opened = new ArrayList<>();
    try {
      BufferedWriter nodes = Files.newBufferedWriter(folder.resolve("nodes.csv"));
      opened.add(nodes);
      BufferedWriter operations = Files.newBufferedWriter(folder.resolve("ops.csv"));
      opened.add(operations);
      nodes.write(
          "second,phase,node,cpu_s,cpu_percent,rss_bytes,power_w,energy_j,gap,memory_bytes,"
              + "disk_read_bytes,disk_write_bytes,net_received_bytes,net_sent_bytes\n");
      operations.write(
          "second,phase,operations,reads,writes,errors,stale_reads,"
              + "read_p50_us,read_p99_us,write_p50_us,write_p99_us\n");
      OutputStream latencies = Files.newOutputStream(folder.resolve("latency.hlog"));
      return new RunFiles(folder, nodes, operations, latencies);
    } catch (IOException e) {
      opened.forEach(RunFiles::closeQuietly);
      throw AtomicFiles.cannotWrite(folder, e);
    }
  }

  /** The run's folder, for files of others. */
  Path folder() {
    return folder;
  }

  /**
   * Where every policy of the run notes its decisions, begun when it is first asked for.
   *
   * @throws org.calando.core.FailedWorkException if it cannot be written
   */
  synchronized DecisionLog decisions() {
    DecisionLog log = decisions;
    if (log == null) {
      Path file = folder.resolve(DECISIONS);
      try {
        // Of a run that failed and is now repeated.
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw AtomicFiles.cannotWrite(file, e);
      }
      log = DecisionLog.open(file);
      decisions = log;
    }
    return log;
  }

  /** What a reader of the files should know. */
  synchronized List<String> notes() {
    long missing = decisions == null ? 0 : decisions.missing();
    return missing == 0
        ? List.of()
        : List.of(DECISIONS + " is full, and " + missing + " decisions are missing in it");
  }

  /** How many decisions are noted; empty if nothing decides. */
  synchronized OptionalLong decided() {
    return decisions == null ? OptionalLong.empty() : OptionalLong.of(decisions.rows());
  }

  /** Where the histogram log goes; it is flushed after each interval. */
  PrintStream latencies() {
    return latencies;
  }

  synchronized void row(SampleRow row) {
    write(
        nodes,
        String.join(
            ",",
            Long.toString(row.second()),
            row.phase(),
            Csv.quote(row.node()),
            figure(row.cpuSeconds()),
            figure(row.cpuPercent()),
            bytes(row.rssBytes()),
            row.gap() ? "" : figure(row.watts()),
            row.gap() ? "" : figure(row.joules()),
            row.gap() ? "1" : "0",
            bytes(row.memoryBytes()),
            bytes(row.diskReadBytes()),
            bytes(row.diskWriteBytes()),
            bytes(row.netReceivedBytes()),
            bytes(row.netSentBytes())));
  }

  @Override
  public synchronized void interval(Interval interval) {
    write(
        operations,
        String.join(
            ",",
            Long.toString(interval.second()),
            interval.phase().label(),
            Long.toString(interval.operations()),
            Long.toString(interval.reads()),
            Long.toString(interval.writes()),
            Long.toString(interval.errors()),
            Long.toString(interval.staleReads()),
            micros(interval.readP50Nanos()),
            micros(interval.readP99Nanos()),
            micros(interval.writeP50Nanos()),
            micros(interval.writeP99Nanos())));
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    if (decisions != null) {
      decisions.measurementBegan(nanos);
    }
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    if (decisions != null) {
      decisions.measurementEnded();
    }
  }

  /**
   * Begins a file of a knob.
   *
   * @return takes its further rows
   */
  synchronized Consumer<String> begin(String name, String header) {
    try {
      BufferedWriter file = Files.newBufferedWriter(folder.resolve(name));
      ofKnobs.add(file);
      write(file, header);
      return row -> write(file, row);
    } catch (IOException e) {
      failure.compareAndSet(null, e);
      return row -> {};
    }
  }

  private synchronized void write(BufferedWriter file, String line) {
    if (failure.get() != null || closed) {
      return;
    }
    try {
      file.write(line);
      file.write('\n');
    } catch (IOException e) {
      failure.compareAndSet(null, e);
    }
  }

  private static String bytes(long value) {
    return value < 0 ? "" : Long.toString(value);
  }

  private static String figure(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "";
  }

  private static String micros(long nanos) {
    return nanos == Interval.NO_LATENCY ? "" : Long.toString(Math.round(nanos / 1e3));
  }

  /**
   * Ends the files.
   *
   * @throws org.calando.core.FailedWorkException if any of them could not be written whole
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeFile(nodes);
    closeFile(operations);
    ofKnobs.forEach(this::closeFile);
    latencies.close();
    if (decisions != null) {
      decisions.close();
    }
    IOException first = failure.get();
    if (first != null) {
      throw AtomicFiles.cannotWrite(folder, first);
    }
  }

  private void closeFile(BufferedWriter file) {
    try {
      file.close();
    } catch (IOException e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void closeQuietly(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      // Another file's error is told already.
    }
  }

  /** Keeps the first error of a stream whose user does not look at errors. */
  private final class Remembering extends FilterOutputStream {
    Remembering(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        failure.compareAndSet(null, e);
        throw e;
      }
    }
  }
}
