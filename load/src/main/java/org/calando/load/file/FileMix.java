package org.calando.load.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.load.Loop;

/**
 * What load to put on a store of files. Immutable.
 *
 * <p>An operation counts if it was to start in the measured window, which begins after the warm-up
 * and includes its begin but not its end. Bytes count if their operation ended in it, so that
 * operations longer than the window do not add to a throughput what was moved outside of it.
 *
 * @param reads reads of pieces, all pieces being equally likely; empty for none
 * @param writes new files; empty for none. Those that are complete are read too from then on
 * @param warmupNanos time before the measured window, 0 or more
 * @param durationNanos length of the measured window, more than 0
 * @param drainNanos how long operations under way may take after it
 * @param giveUpNanos ends the load when nothing has succeeded for so long
 * @param seed of places and arrivals
 */
public record FileMix(
    Optional<Loop> reads,
    Optional<FileStreams> writes,
    long warmupNanos,
    long durationNanos,
    long drainNanos,
    long giveUpNanos,
    long seed) {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int MOST_SLOTS = 256;

  /**
   * Checks everything.
   *
   * @throws BadRequestException with all that is wrong
   */
  public FileMix {
    List<String> wrong = new ArrayList<>();
    if (reads.isEmpty() && writes.isEmpty()) {
      wrong.add("neither reads nor writes");
    }
    if (reads.isPresent() && reads.get().slots() > MOST_SLOTS) {
      wrong.add(reads.get().slots() + " reads at once are more than " + MOST_SLOTS);
    }
    if (warmupNanos < 0 || drainNanos < 0) {
      wrong.add("a negative warm-up or drain");
    }
    if (durationNanos <= 0 || giveUpNanos <= 0) {
      wrong.add("duration and give-up time are to be positive");
    }
    if (!wrong.isEmpty()) {
      throw new BadRequestException(String.join("; ", wrong), "file load", "");
    }
  }

  /** Reads only: a warm-up of a second, 30 s to drain, and 30 s until it gives up. */
  public static FileMix reading(Loop loop, long durationNanos, long seed) {
    return of(Optional.of(loop), Optional.empty(), durationNanos, seed);
  }

  /** Both, with the same times. */
  public static FileMix both(Loop loop, FileStreams streams, long durationNanos, long seed) {
    return of(Optional.of(loop), Optional.of(streams), durationNanos, seed);
  }

  private static FileMix of(
      Optional<Loop> reads, Optional<FileStreams> writes, long durationNanos, long seed) {
    return new FileMix(
        reads, writes, SECOND_NANOS, durationNanos, 30 * SECOND_NANOS, 30 * SECOND_NANOS, seed);
  }

  /** Calls that can be under way at once, and therefore slots that the session must have. */
  public int slots() {
    return reads.map(Loop::slots).orElse(0) + writes.map(FileStreams::streams).orElse(0);
  }
}
