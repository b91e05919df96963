package org.calando.core.policy.clock;

import org.calando.core.policy.clock.ClockObservation.Work;

/*
 * Work that keeps a core busy takes longer by the ratio of clocks, k = measured clock / clock: of
 * a thread that is busy for the share b at the measured clock,
 *
 *   busy(k) = k b                                    utilisation, at 1 and above it falls behind
 *   wait(k) = k^2 (w cw^2 + r cr^2) / (1 - k b)      M/G/1 (Pollaczek-Khinchine), services of each
 *                                                    kind exponential: w, r rates, cw, cr CPU times
 *   read(k) = wait(k) + k cr                         time of a read within the server
 *   lag(k)  = lag now * stay(k) / stay(1)            stay(k) = wait(k) + k cw: by Little's law what a
 *                                                    replica has yet to apply goes with how long a
 *                                                    write stays with it
 *
 * Memory does not slow with the core, so work in fact takes less than k times as long: Lee and Lee
 * measured 2.03 where k is 2.2. The forecast errs to the safe side.
 */
/**
 * What a node's main thread would be like at another clock. Immutable and thread safe.
 *
 * @param slowdown the clock at which the work was measured over this one, above 0
 * @param busyShare share of the time that it would be busy; 1 and above means that it falls behind
 * @param waitNanos mean time that a request would wait for those before it; infinite from a busy
 *     share of 1
 * @param readNanos mean time of a read within the server, likewise
 * @param lagFactor the lag over the one at the measured clock; infinite from a busy share of 1,
 *     above 0
 */
public record ClockForecast(
    double slowdown, double busyShare, double waitNanos, double readNanos, double lagFactor) {

  /**
   * Predicts.
   *
   * @param work what was measured; {@link #isSound}
   * @param clockKHz the clock to predict for, above 0
   */
  public static ClockForecast of(Work work, long clockKHz) {
    double slowdown = (double) work.clockKHz() / clockKHz;
    double busy = slowdown * work.busyShare();
    double wait = waitNanos(work, slowdown);
    double stay = wait + slowdown * writeNanos(work);
    double measured = waitNanos(work, 1) + writeNanos(work);
    double lagFactor = measured > 0 ? stay / measured : busy < 1 ? 1 : Double.POSITIVE_INFINITY;
    return new ClockForecast(slowdown, busy, wait, wait + slowdown * readNanos(work), lagFactor);
  }

  /** Whether figures can be predicted from. */
  public static boolean isSound(Work work) {
    return work.clockKHz() > 0
        && work.busyShare() >= 0
        && work.busyShare() < 1
        && isAmount(work.writesPerSecond())
        && isAmount(work.readsPerSecond())
        && isAmount(writeNanos(work))
        && isAmount(readNanos(work));
  }

  private static double waitNanos(Work work, double slowdown) {
    double busy = slowdown * work.busyShare();
    if (busy >= 1) {
      return Double.POSITIVE_INFINITY;
    }
    double write = slowdown * writeNanos(work);
    double read = slowdown * readNanos(work);
    return (work.writesPerSecond() * write * write + work.readsPerSecond() * read * read)
        / 1e9
        / (1 - busy);
  }

  private static double writeNanos(Work work) {
    return work.writesPerSecond() == 0 ? 0 : work.nanosPerWrite();
  }

  private static double readNanos(Work work) {
    return work.readsPerSecond() == 0 ? 0 : work.nanosPerRead();
  }

  private static boolean isAmount(double value) {
    return value >= 0 && value < Double.POSITIVE_INFINITY;
  }
}
