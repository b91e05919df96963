package org.calando.control;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions.csv: a row a decision of any controller, with all that it was made from and a
 * checksum. {@link DecisionFile} reads it, and decides again.
 *
 * <p>Each row is handed to the operating system before {@link #decided} returns, so that the end of
 * the process loses none. The first failure ends the writing: it is remembered, reported by {@link
 * #close}, and not thrown at the loop. Thread safe.
 */
public final class DecisionLog implements LoopListener, AutoCloseable {
  /** The phase of decisions that are no run's. */
  static final String GOVERNED = "governed";

  private static final long MOST_BYTES = 256L << 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int LONG_STATE = 1000;
  private static final int ROWS_CHAINED = 100;

  private final Path file;
  private final OutputStream out;
  private final long maxBytes;
  private final Supplier<String> time;
  private final SignalText signals = new SignalText();
  private final Map<String, Left> left = new HashMap<>();
  private String phase = "warm-up";
  private OptionalLong start = OptionalLong.empty();
  private OptionalLong firstNanos = OptionalLong.empty();
  private long bytes;
  private long rows;
  private long missing;
  private Optional<Exception> failure = Optional.empty();
  private boolean closed;

  /** The state that a decision left, whether its text is long, and rows since that was written. */
  private record Left(Object state, boolean isLong, int rows) {}

  private DecisionLog(Path file, OutputStream out, long maxBytes, Supplier<String> time) {
    this.file = file;
    this.out = out;
    this.maxBytes = maxBytes;
    this.time = time;
  }

  /**
   * Makes a file of at most 256 MiB, and writes its header.
   *
   * @param file where to; it must not be there yet
   * @throws FailedWorkException if the file is there already, or cannot be made
   */
  public static DecisionLog open(Path file) {
    return open(file, MOST_BYTES, () -> "");
  }

  /** The same, of other bytes at most, with the time of day of each row. */
  static DecisionLog open(Path file, long maxBytes, Supplier<String> time) {
    try {
      Files.createFile(file);
      // Not by a channel, which an interrupt would close.
      OutputStream out = new FileOutputStream(file.toFile());
      try {
        DecisionLog log = new DecisionLog(file, out, maxBytes, time);
        log.write(CsvText.line(DecisionFile.COLUMNS));
        return log;
      } catch (Throwable e) {
        out.close();
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

  /**
   * Seconds count from now on from this time, and the phase is {@code measured}. Before, the phase
   * is {@code warm-up} and seconds count from the first decision.
   *
   * @param nanos of the loop's clock
   */
  public synchronized void measurementBegan(long nanos) {
    start = OptionalLong.of(nanos);
    phase = "measured";
  }

  /** The phase is {@code drain} from now on. */
  public synchronized void measurementEnded() {
    phase = "drain";
  }

  /** The phase is {@code governed} from now on. */
  synchronized void governed() {
    phase = GOVERNED;
  }

  /** Bytes written. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Rows written. */
  public synchronized long rows() {
    return rows;
  }

  /** Decisions that are not in the file because it is full. */
  public synchronized long missing() {
    return missing;
  }

  /** Why nothing is written any more; empty if all is well. */
  public synchronized Optional<Exception> failure() {
    return failure;
  }

  /**
   * Writes the decisions on a table's reads, with figures of what each model says.
   *
   * @param policy whose decisions they are
   * @param levels how replicas map to levels
   * @param safe the table's safe level
   */
  public LoopListener ofTable(Policy<?> policy, ReadLevels levels, SafeLevel safe) {
    LevelCells cells = new LevelCells(policy, levels, safe);
    return (decision, inForce) -> decided(decision, inForce, cells::of);
  }

  /** Writes a row; does nothing after a failure, or when closed. */
  public void decided(Decision<?> decision) {
    decided(decision, "");
  }

  /**
   * Writes a row.
   *
   * @param inForce what is in force, in words
   */
  @Override
  public void decided(Decision<?> decision, String inForce) {
    decided(decision, inForce, unused -> Map.of());
  }

  private synchronized void decided(
      Decision<?> decision, String inForce, Function<Decision<?>, Map<String, String>> figures) {
    if (closed || failure.isPresent()) {
      return;
    }
    try {
      String row = checked(cells(decision, inForce, figures.apply(decision)));
      if (missing > 0 || bytes + row.length() > maxBytes) {
        missing++;
      } else {
        write(row);
        rows++;
      }
    } catch (IOException | RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  /**
   * Closes the file. Idempotent.
   *
   * @throws FailedWorkException if a decision could not be written; that the file is full is none
   *     of that
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

  private List<String> cells(Decision<?> decision, String inForce, Map<String, String> figures) {
    long at = decision.signals().atNanos();
    if (firstNanos.isEmpty()) {
      firstNanos = OptionalLong.of(at);
    }
    Map<String, String> cells = new HashMap<>(figures);
    cells.put("second", second(at - start.orElse(firstNanos.getAsLong())));
    cells.put("phase", phase);
    cells.put("knobs", DecisionFile.knobs(decision.controller()));
    cells.put("policy", decision.controller().name());
    cells.put("target", decision.signals().target());
    cells.put("settings", SignalText.settings(decision.step().settings()));
    cells.put("in_force", inForce);
    cells.put("changed", String.valueOf(decision.changed()));
    cells.put("reasons", String.join("; ", decision.step().reasons()));
    cells.put("state_before", state(decision));
    cells.put("observation", signals.write(decision.signals()));
    cells.put("time", time.get());
    return DecisionFile.COLUMNS.stream().map(column -> cells.getOrDefault(column, "")).toList();
  }

  /**
   * A state that is long, such as weeks of a load, is written anew every so many rows only, if it
   * is the one that the decision before left.
   */
  private String state(Decision<?> decision) {
    String part = DecisionFile.knobs(decision.controller()) + ' ' + decision.signals().target();
    @Nullable Left last = left.get(part);
    int since = 0;
    String text;
    if (last != null
        && last.isLong
        && last.rows < ROWS_CHAINED
        && last.state.equals(decision.before())) {
      text = DecisionFile.CHAINED;
      since = last.rows + 1;
    } else {
      text = decision.stateBefore();
    }
    boolean isLong = since > 0 || text.length() > LONG_STATE;
    left.put(part, new Left(Objects.requireNonNull(decision.step().state()), isLong, since));
    return text;
  }

  /** A line whose last cell, which is empty, is the checksum of those before. */
  private static String checked(List<String> cells) {
    List<String> all = new ArrayList<>(cells.subList(0, cells.size() - 1));
    all.add(DecisionFile.checksum(all));
    return CsvText.line(all);
  }

  private static String second(long nanos) {
    return BigDecimal.valueOf(Math.round(nanos / NANOS_PER_MILLI), 3).toPlainString();
  }

  private void write(String line) throws IOException {
    byte[] encoded = line.getBytes(StandardCharsets.UTF_8);
    out.write(encoded);
    bytes += encoded.length;
  }
}
