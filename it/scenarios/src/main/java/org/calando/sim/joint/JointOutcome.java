package org.calando.sim.joint;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.sim.scenario.BlockRatio;

/**
 * What a run came to. Immutable and thread safe.
 *
 * @param promise what was to be kept
 * @param seconds of the measured window
 * @param joules of all nodes in it
 * @param shifts of gears that were ordered in it and before
 * @param unsafe settings that were decided and are never to be, in words; the first few
 */
public record JointOutcome(
    Promise promise, List<Second> seconds, double joules, int shifts, List<String> unsafe) {
  /** Reads that may be slower than what is promised of 99 %. */
  private static final double SLOWEST = 0.01;

  /** A part is kept again once it has been for so long. */
  private static final int KEPT_SECONDS = 10;

  /** Keeps copies of the lists. */
  public JointOutcome {
    seconds = List.copyOf(seconds);
    unsafe = List.copyOf(unsafe);
  }

  /**
   * What ended in a second.
   *
   * @param reads that were answered
   * @param stale of these
   * @param slow of these: slower than what is promised of 99 %
   * @param errors operations that failed
   */
  public record Second(long reads, long stale, long slow, long errors) {
    private Second plus(Second other) {
      return new Second(
          reads + other.reads, stale + other.stale, slow + other.slow, errors + other.errors);
    }
  }

  /** The share of what breaks a part that may, by itself; a part that is not promised has all. */
  public double allowed(Promised part) {
    if (promise.limit(part).isEmpty()) {
      return 1;
    }
    return part == Promised.STALE ? promise.limit(part).getAsDouble() : SLOWEST;
  }

  /**
   * The share of reads that were stale, or that were slow or failed.
   *
   * @param part of what is promised of reads
   */
  public BlockRatio share(Promised part, int blockSeconds) {
    boolean isStale = part == Promised.STALE;
    return BlockRatio.of(
        longs(isStale ? Second::stale : each -> each.slow() + each.errors()),
        longs(isStale ? Second::reads : each -> each.reads() + each.errors()),
        blockSeconds);
  }

  private long[] longs(ToLongFunction<Second> of) {
    return seconds.stream().mapToLong(of).toArray();
  }

  /** Whether a part was broken as a whole. */
  public boolean breaks(Promised part) {
    return breaks(part, sum(0, seconds.size()));
  }

  private boolean breaks(Promised part, Second of) {
    double bad = part == Promised.STALE ? of.stale() : of.slow() + of.errors();
    double all = part == Promised.STALE ? of.reads() : of.reads() + of.errors();
    return all > 0 && bad > allowed(part) * all;
  }

  private Second sum(int from, int to) {
    return seconds.subList(from, to).stream().reduce(new Second(0, 0, 0, 0), Second::plus);
  }

  /**
   * The share of windows in which a part was broken.
   *
   * @param windowSeconds length, 1 or more
   */
  public double brokenShare(int windowSeconds) {
    int windows = seconds.size() / windowSeconds;
    int broken = 0;
    for (int window = 0; window < windows; window++) {
      Second of = sum(window * windowSeconds, (window + 1) * windowSeconds);
      broken += breaks(Promised.STALE, of) || breaks(Promised.READ_P99, of) ? 1 : 0;
    }
    return (double) broken / windows;
  }

  /**
   * Seconds from a time on until all parts were kept for ten seconds in a row: 0 if they were all
   * along.
   *
   * @return empty if they never were again
   */
  public OptionalInt keptAgainAfter(int second) {
    int since = second;
    for (int at = second; at < seconds.size(); at++) {
      Second of = seconds.get(at);
      if (breaks(Promised.STALE, of) || breaks(Promised.READ_P99, of)) {
        since = at + 1;
      } else if (at + 1 - since >= KEPT_SECONDS) {
        return OptionalInt.of(since - second);
      }
    }
    return OptionalInt.empty();
  }
}
