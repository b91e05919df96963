package org.calando.study;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.policy.buffer.BufferLoop;
import org.calando.core.policy.buffer.BufferObservation;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code buffers.csv}: a row for each decision of a policy of write buffers, with all that
 * it was made from, so that it can be decided again. Keeps account of the decisions of the measured
 * window. Thread safe. A file that cannot be written does not disturb the run; {@link #close} tells
 * of it.
 */
final class BufferLog implements RunEdges, AutoCloseable {
  /** The file's name in the run's folder. */
  static final String FILE = "buffers.csv";

  /** Its columns; times are nanoseconds, and empty is not known. */
  static final String COLUMNS =
      "second,phase,at_ns,writes_per_s,write_bytes,request_writes,request_p99_ns,request_p50_ns,"
          + "tail_requests,tail_most_ns,tail_least_ns,fresh_writes,fresh_p99_ns,at_risk,"
          + "state_before,decided,set,changed,reason";

  private enum Phase {
    WARMUP,
    MEASURED,
    DRAIN
  }

  private final Path file;
  private final BufferedWriter out;
  private @Nullable IOException failure;
  private Phase phase = Phase.WARMUP;
  private long beganNanos = Long.MIN_VALUE;
  private int decisions;
  private int changes;
  private int beyond;
  private String lastBeyond = "";
  private boolean closed;

  private BufferLog(Path file, BufferedWriter out) {
    this.file = file;
    this.out = out;
  }

  /** Begins the file in a run's folder. */
  static BufferLog open(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      BufferedWriter out = Files.newBufferedWriter(file);
      out.write(COLUMNS + "\n");
      return new BufferLog(file, out);
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(file, e);
    }
  }

  /** Notes a decision. */
  synchronized void decided(BufferLoop.Decided decided) {
    if (closed) {
      return;
    }
    if (phase == Phase.MEASURED) {
      decisions++;
      changes += decided.changed() ? 1 : 0;
      decided
          .notToBeHad()
          .ifPresent(
              words -> {
                beyond++;
                lastBeyond = words;
              });
    }
    BufferObservation seen = decided.observation();
    if (beganNanos == Long.MIN_VALUE) {
      beganNanos = seen.atNanos();
    }
    write(
        String.join(
            ",",
            String.format(Locale.ROOT, "%.3f", (seen.atNanos() - beganNanos) / 1e9),
            phase.name().toLowerCase(Locale.ROOT),
            String.valueOf(seen.atNanos()),
            cell(seen.writes().map(BufferObservation.Writes::perSecond)),
            cell(seen.writes().map(BufferObservation.Writes::bytes)),
            cell(seen.requests().map(BufferObservation.Requests::writesEach)),
            cell(seen.requests().map(BufferObservation.Requests::p99Nanos)),
            cell(seen.requests().map(BufferObservation.Requests::medianNanos)),
            cell(seen.tail().map(BufferObservation.Tail::observations)),
            cell(seen.tail().map(BufferObservation.Tail::atMostNanos)),
            cell(seen.tail().map(BufferObservation.Tail::atLeastNanos)),
            cell(seen.freshness().map(BufferObservation.Freshness::count)),
            cell(seen.freshness().map(BufferObservation.Freshness::p99Nanos)),
            String.valueOf(seen.atRisk()),
            decided.before().text(),
            BufferLoop.settingOf(decided.step()).map(setting -> setting.words()).orElse(""),
            decided.set().words(),
            decided.changed() ? "1" : "0",
            ResultRow.quote(String.join("; ", decided.step().reasons()))));
  }

  private static String cell(Optional<?> value) {
    return value.map(String::valueOf).orElse("");
  }

  private void write(String line) {
    if (failure != null) {
      return;
    }
    try {
      out.write(line);
      out.write('\n');
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    phase = Phase.MEASURED;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    phase = Phase.DRAIN;
  }

  /** Decisions in the measured window. */
  synchronized int decisions() {
    return decisions;
  }

  /** Those of them that set something else than before. */
  synchronized int changes() {
    return changes;
  }

  /** That the promise was not to be had, in words with figures; empty if it never was so. */
  synchronized Optional<String> notToBeHad() {
    return beyond == 0
        ? Optional.empty()
        : Optional.of("%s: in %d of %d decisions".formatted(lastBeyond, beyond, decisions));
  }

  /**
   * Ends the file.
   *
   * @throws org.calando.core.FailedWorkException if not all of it was written
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    IOException first = failure;
    if (first != null) {
      throw AtomicFiles.cannotWrite(file, first);
    }
  }
}
