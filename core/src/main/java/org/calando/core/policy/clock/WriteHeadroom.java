package org.calando.core.policy.clock;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.ServerUse;

/*
 * Lee and Lee 2021, figure 3: a replica at a low clock does not fall behind as long as it is done
 * with a write before the next one arrives. They measured an arrival each 77.69 us, and 10.98 us of
 * processing at 2.2 GHz and 22.28 us at 1.0 GHz. Two things are added: whatever else keeps the thread
 * busy, reads above all, is counted; and it is to be done well before, for arrivals come in bunches.
 */
/**
 * Whether a replica would keep up with its master at a clock. Immutable and thread safe.
 *
 * @param ghz the clock
 * @param arrivalNanos mean time between two writes that arrive; infinite without any
 * @param processingNanos CPU time of a write at this clock; NaN if unknown
 * @param busyShare busy share of the main thread at this clock, reads included; NaN if unknown
 * @param lagFactor the lag over the one at the measured clock, as predicted; NaN if unknown
 * @param verdict what that comes to
 */
public record WriteHeadroom(
    double ghz,
    double arrivalNanos,
    double processingNanos,
    double busyShare,
    double lagFactor,
    Verdict verdict) {
  /** Whether it would keep up. */
  public enum Verdict {
    /** It is idle for more than the limit's rest of the time. */
    KEEPS_UP,
    /** It would keep up, with less time to spare than it should have. */
    TIGHT,
    /** It would never catch up with this load. */
    FALLS_BEHIND,
    /** Its CPU time or its writes are not known. */
    UNKNOWN
  }

  /**
   * For each clock, the fastest first.
   *
   * @param use what the replica did
   * @param clocks those of its cores
   * @param measuredGhz the clock at which it did, one of {@code clocks}
   * @param busyLimit busy share up to which it keeps up with ease, above 0, below 1
   * @throws BadRequestException if the measured clock is none of them
   */
  public static List<WriteHeadroom> of(
      ServerUse use, PStates clocks, double measuredGhz, double busyLimit) {
    if (clocks.states().stream().noneMatch(state -> state.ghz() == measuredGhz)) {
      throw new BadRequestException(
          "there is no P-state of " + measuredGhz + " GHz",
          "clock",
          "choose one of " + clocks.describe());
    }
    Work work = work(use, measuredGhz);
    return clocks.states().stream()
        .map(state -> of(use, work, state.ghz(), measuredGhz, busyLimit))
        .toList();
  }

  private static WriteHeadroom of(
      ServerUse use, Work work, double ghz, double measuredGhz, double busyLimit) {
    double slowdown = measuredGhz / ghz;
    double busy = use.busyShare() * slowdown;
    boolean sound = ClockForecast.isSound(work) && use.writesPerSecond() > 0;
    double lagFactor = sound ? ClockForecast.of(work, kHz(ghz)).lagFactor() : Double.NaN;
    return new WriteHeadroom(
        ghz,
        1e9 / use.writesPerSecond(),
        use.writeNanos() * slowdown,
        busy,
        lagFactor,
        verdict(busy, sound || busy >= 1, busyLimit));
  }

  private static Verdict verdict(double busy, boolean known, double limit) {
    if (!known || Double.isNaN(busy)) {
      return Verdict.UNKNOWN;
    }
    if (busy >= 1) {
      return Verdict.FALLS_BEHIND;
    }
    return busy <= limit ? Verdict.KEEPS_UP : Verdict.TIGHT;
  }

  /** What a policy observes of the same use. */
  private static Work work(ServerUse use, double ghz) {
    return new Work(
        0,
        kHz(ghz),
        use.busyShare(),
        use.writesPerSecond(),
        use.writeNanos(),
        use.readsPerSecond(),
        use.readNanos());
  }

  private static long kHz(double ghz) {
    return Math.round(ghz * 1e6);
  }

  /**
   * Share of the time between two writes that is left after one; below 0 if it is too short, NaN if
   * it is not known what a write takes, as without any.
   */
  public double headroom() {
    return 1 - processingNanos / arrivalNanos;
  }
}
