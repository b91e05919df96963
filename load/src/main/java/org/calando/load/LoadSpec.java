package org.calando.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Workload;
import org.jspecify.annotations.Nullable;

/**
 * What load to put on a store. Immutable, except for the objects it names.
 *
 * <p>Which operations count: those that <em>started</em> in the measured window, which begins when
 * both {@code warmupNanos} have passed and {@code warmupOperations} have started, and includes its
 * begin but not its end. The start is the intended one in the open loop. With {@code operations},
 * exactly so many count and the window ends with the last of them; with {@code durationNanos} it
 * ends after that time; with both, at the earlier one. An operation that started in the window
 * counts even if it ends after it; one that started in the warm-up never counts.
 *
 * @param workload operations to perform
 * @param inserts keys of new records, shared with other runs on the same table
 * @param loop closed or open
 * @param operations operations to measure, 0 for no limit
 * @param durationNanos length of the measured window, 0 for no limit
 * @param warmupOperations operations before the measured window, 0 or more
 * @param warmupNanos time before the measured window, 0 or more
 * @param beginsWhenTold whether the measured window begins when {@link LoadRun#measure} says so,
 *     instead of after operations or time
 * @param levels read before each operation; to return an immutable snapshot at once
 * @param dualRead compares each read with a second one at ALL, or null for single reads
 * @param seed of operations, arrivals and clients
 * @param drainNanos how long operations under way may take after the last one has started; those
 *     then unanswered count as {@link org.calando.core.store.Outcome#INDETERMINATE}
 * @param giveUpNanos ends the run when operations were under way or failed, but none succeeded, for
 *     so long
 */
public record LoadSpec(
    Workload workload,
    InsertSequence inserts,
    Loop loop,
    long operations,
    long durationNanos,
    long warmupOperations,
    long warmupNanos,
    boolean beginsWhenTold,
    Supplier<Levels> levels,
    @Nullable DualRead dualRead,
    long seed,
    long drainNanos,
    long giveUpNanos) {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /**
   * Checks the values.
   *
   * @throws BadRequestException naming all values that are out of range
   */
  public LoadSpec {
    List<String> problems = new ArrayList<>();
    notNegative(problems, "operations", operations);
    notNegative(problems, "duration", durationNanos);
    notNegative(problems, "warm-up operations", warmupOperations);
    notNegative(problems, "warm-up", warmupNanos);
    notNegative(problems, "drain", drainNanos);
    if (operations <= 0 && durationNanos <= 0) {
      problems.add("neither operations nor duration are given");
    }
    if (giveUpNanos <= 0) {
      problems.add("give-up time " + giveUpNanos + " ns is not positive");
    }
    if (!problems.isEmpty()) {
      throw new BadRequestException(String.join("; ", problems), "load", "");
    }
  }

  private static void notNegative(List<String> problems, String name, long value) {
    if (value < 0) {
      problems.add(name + " " + value + " is negative");
    }
  }

  /**
   * Begins a description.
   *
   * @param workload operations to perform
   * @param loop closed or open
   * @param levels read before each operation
   */
  public static Builder builder(Workload workload, Loop loop, Supplier<Levels> levels) {
    return new Builder(workload, loop, levels);
  }

  /**
   * Begins a description of the load phase: a closed loop that inserts the workload's records, each
   * once. Inserts that fail are not repeated.
   *
   * @param workload whose records to write
   * @param threads clients
   * @param level of the writes
   */
  public static Builder loading(Workload workload, int threads, ConsistencyLevel level) {
    Workload inserting = workload.toBuilder().mix(new Mix(0, 0, 1, 0, 0)).build();
    Levels levels = Levels.both(level);
    return builder(inserting, new Loop.Closed(threads), () -> levels)
        .inserts(new InsertSequence(workload.insertStart()))
        .operations(workload.insertCount());
  }

  /** Collects the values of a {@link LoadSpec}; not thread safe. */
  public static final class Builder {
    private final Workload workload;
    private final Loop loop;
    private final Supplier<Levels> levels;
    private @Nullable InsertSequence inserts;
    private @Nullable DualRead dualRead;
    private long operations;
    private long durationNanos;
    private long warmupOperations;
    private long warmupNanos;
    private boolean beginsWhenTold;
    private long seed;
    private long drainNanos = 10 * SECOND_NANOS;
    private long giveUpNanos = 10 * SECOND_NANOS;

    private Builder(Workload workload, Loop loop, Supplier<Levels> levels) {
      this.workload = workload;
      this.loop = loop;
      this.levels = levels;
    }

    /** Keys of new records; default: a sequence of this run that begins after the records. */
    public Builder inserts(InsertSequence sequence) {
      inserts = sequence;
      return this;
    }

    /** Operations to measure; default 0, no limit. */
    public Builder operations(long count) {
      operations = count;
      return this;
    }

    /** Length of the measured window; default 0, no limit. */
    public Builder durationNanos(long nanos) {
      durationNanos = nanos;
      return this;
    }

    /** Operations before the measured window; default 0. */
    public Builder warmupOperations(long count) {
      warmupOperations = count;
      return this;
    }

    /** Time before the measured window; default 0. */
    public Builder warmupNanos(long nanos) {
      warmupNanos = nanos;
      return this;
    }

    /** Has the warm-up last until {@link LoadRun#measure}; default: no. */
    public Builder beginsWhenTold() {
      beginsWhenTold = true;
      return this;
    }

    /** Follows each read by a second one at ALL; default: no. */
    public Builder dualRead(DualRead comparison) {
      dualRead = comparison;
      return this;
    }

    /** Seed of operations, arrivals and clients; default 0. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Time for operations under way at the end; default 10 s. */
    public Builder drainNanos(long nanos) {
      drainNanos = nanos;
      return this;
    }

    /** Time without a success after which the run ends; default 10 s. */
    public Builder giveUpNanos(long nanos) {
      giveUpNanos = nanos;
      return this;
    }

    /**
     * The description.
     *
     * @throws BadRequestException naming all values that are out of range
     */
    public LoadSpec build() {
      return new LoadSpec(
          workload,
          inserts == null ? InsertSequence.of(workload) : inserts,
          loop,
          operations,
          durationNanos,
          warmupOperations,
          warmupNanos,
          beginsWhenTold,
          levels,
          dualRead,
          seed,
          drainNanos,
          giveUpNanos);
    }
  }
}
