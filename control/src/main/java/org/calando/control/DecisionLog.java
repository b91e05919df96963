package org.calando.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;

/**
 * Writes decisions.csv: a row a decision, with all that it was made from, before it is acted on.
 * {@link DecisionFile} reads it, and decides again.
 *
 * <p>Each row is handed to the operating system before {@link #decided} returns, so that the end of
 * the process loses none. The first failure ends the writing: it is remembered, told by {@link
 * #close}, and not thrown at the loop. Thread safe.
 */
public final class DecisionLog implements LoopListener, AutoCloseable {
  /** What a supplier of times says that does not know yet. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  private static final String WARM_UP = "warm-up";
  private static final String MEASURED = "measured";

  private final Path file;
  private final FileChannel channel;
  private final DecisionCells cells;
  private final LongSupplier start;
  private final Optional<Supplier<String>> phase;
  private final long maxBytes;
  private long bytes;
  private long rows;
  private OptionalLong toldStart = OptionalLong.empty();
  private OptionalLong firstNanos = OptionalLong.empty();
  private Optional<Exception> failure = Optional.empty();
  private boolean closed;

  private DecisionLog(Builder builder, FileChannel channel) {
    this.file = builder.file;
    this.channel = channel;
    this.cells = new DecisionCells(builder.policy, builder.levels, builder.safe);
    this.start = builder.start;
    this.phase = builder.phase;
    this.maxBytes = builder.maxBytes;
  }

  /**
   * A builder; every default stands at its method.
   *
   * @param file where to; it must not be there yet
   * @param policy whose decisions they are
   * @param levels how replicas map to levels
   * @param safe the table's safe level
   */
  public static Builder builder(Path file, Policy<?> policy, ReadLevels levels, SafeLevel safe) {
    return new Builder(file, policy, levels, safe);
  }

  /**
   * Tells since when seconds count, from now on: when the measured window began, or will begin.
   *
   * @param nanos of the loop's clock
   */
  public synchronized void startsAt(long nanos) {
    toldStart = OptionalLong.of(nanos);
  }

  /** Rows written. */
  public synchronized long rows() {
    return rows;
  }

  /** Why nothing is written any more; empty if all is well. */
  public synchronized Optional<Exception> failure() {
    return failure;
  }

  /** Writes a row; does nothing after a failure, or when closed. */
  @Override
  public synchronized void decided(Decision<?> decision) {
    if (closed || failure.isPresent()) {
      return;
    }
    try {
      write(CsvText.line(cells(decision)));
      rows++;
    } catch (IOException | RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  /**
   * Closes the file. Idempotent.
   *
   * @throws FailedWorkException if not every decision was written
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      failure = failure.or(() -> Optional.of(e));
    }
    if (failure.isPresent()) {
      Exception why = failure.get();
      throw new FailedWorkException(
          "decisions are missing after the first %d: %s".formatted(rows, why.getMessage()),
          file.toString(),
          "see that there is room and the right to write",
          why);
    }
  }

  private List<String> cells(Decision<?> decision) {
    long at = decision.observation().atNanos();
    if (firstNanos.isEmpty()) {
      firstNanos = OptionalLong.of(at);
    }
    long from = toldStart.orElseGet(start);
    if (from == UNKNOWN) {
      return cells.of(decision, at - firstNanos.getAsLong(), WARM_UP);
    }
    long since = at - from;
    return cells.of(
        decision, since, phase.map(Supplier::get).orElse(since < 0 ? WARM_UP : MEASURED));
  }

  private void write(String line) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    if (bytes + buffer.remaining() > maxBytes) {
      throw new IOException("the file may have " + maxBytes + " bytes");
    }
    while (buffer.hasRemaining()) {
      bytes += channel.write(buffer);
    }
  }

  /** Collects the settings; not thread safe. */
  public static final class Builder {
    private static final long MEBIBYTE = 1L << 20;

    private final Path file;
    private final Policy<?> policy;
    private final ReadLevels levels;
    private final SafeLevel safe;
    private LongSupplier start = () -> UNKNOWN;
    private Optional<Supplier<String>> phase = Optional.empty();
    private long maxBytes = 256 * MEBIBYTE;

    private Builder(Path file, Policy<?> policy, ReadLevels levels, SafeLevel safe) {
      this.file = file;
      this.policy = policy;
      this.levels = levels;
      this.safe = safe;
    }

    /**
     * Since when seconds count, asked at each row: nanoseconds of the loop's clock, past or to
     * come, or {@link #UNKNOWN}. Default unknown until {@link DecisionLog#startsAt}. As long as it
     * is unknown the phase is {@code warm-up}, and seconds count from the first decision.
     */
    public Builder start(LongSupplier newStart) {
      start = newStart;
      return this;
    }

    /** The phase now; default {@code warm-up} before the start and {@code measured} after it. */
    public Builder phase(Supplier<String> newPhase) {
      phase = Optional.of(newPhase);
      return this;
    }

    /** Bytes of the file at most; default 256 MiB: days, at a decision a second. */
    public Builder maxBytes(long newMaxBytes) {
      maxBytes = newMaxBytes;
      return this;
    }

    /**
     * Makes the file and writes its header.
     *
     * @throws FailedWorkException if the file is there already, or cannot be made
     */
    public DecisionLog open() {
      try {
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
          DecisionLog log = new DecisionLog(this, channel);
          log.write(CsvText.line(DecisionFile.COLUMNS));
          return log;
        } catch (Throwable e) {
          channel.close();
          throw e;
        }
      } catch (IOException e) {
        throw new FailedWorkException(
            "cannot be made: " + e,
            file.toString(),
            "check that it is not there yet, and that the folder may be written",
            e);
      }
    }
  }
}
