package org.calando.sim.away;

import org.calando.core.BadRequestException;

/**
 * What it costs nodes to be switched off and on, beyond the boot of their machines, of which power
 * profiles tell. All work is core time of a node at its fastest clock. Immutable and thread safe.
 *
 * @param cold how much longer work takes on a node whose process has just started: 1.5 is two and a
 *     half times as long; 0 or more
 * @param coldOperations requests, reads and writes of a node after which {@code cold} is a share of
 *     1 / e of what it was, above 0
 * @param startNanos from when its machine has booted until other nodes use it, 0 or more
 * @param startWorkNanos its work meanwhile, 0 or more
 * @param proveNanos from the last hint that came until clients may use it, 0 or more
 * @param noticeNanos from the order of a shift down until it is taken out of service, 0 or more; it
 *     serves meanwhile
 * @param stopNanos from then until it is off, 0 or more
 * @param stopWorkNanos its work meanwhile, 0 or more
 * @param hintWriteNanos work of a coordinator that keeps a hint, 0 or more
 * @param hintSendNanos work of a coordinator that sends one, 0 or more; the receiver has a write's
 */
public record ShiftCosts(
    double cold,
    double coldOperations,
    long startNanos,
    long startWorkNanos,
    long proveNanos,
    long noticeNanos,
    long stopNanos,
    long stopWorkNanos,
    long hintWriteNanos,
    long hintSendNanos) {
  private static final long SECOND = 1_000_000_000L;
  private static final long MOST_NANOS = Long.MAX_VALUE / 4;
  private static final double MOST_COLD = 1e4;

  /** A node that is on serves at once and as fast as ever; one that goes is off a second later. */
  public static final ShiftCosts NONE = new ShiftCosts(0, 1, 0, 0, 0, 0, SECOND, 0, 0, 0);

  /** As measured on Cassandra 5.0 on two cores; see docs/simulator.md. */
  public static final ShiftCosts CASSANDRA =
      new ShiftCosts(
          2,
          150,
          22 * SECOND,
          5 * SECOND,
          20 * SECOND,
          10 * SECOND,
          4 * SECOND,
          2 * SECOND / 5,
          120_000,
          40_000);

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public ShiftCosts {
    if (!(cold >= 0 && cold <= MOST_COLD) || !(coldOperations > 0)) {
      throw new BadRequestException(
          "work that takes %s times longer at first, for %s operations"
              .formatted(cold, coldOperations),
          "costs of shifts",
          "write 0 to 10000, and operations above 0");
    }
    long[] all = {
      startNanos,
      startWorkNanos,
      proveNanos,
      noticeNanos,
      stopNanos,
      stopWorkNanos,
      hintWriteNanos,
      hintSendNanos
    };
    for (long nanos : all) {
      if (nanos < 0 || nanos > MOST_NANOS) {
        throw new BadRequestException(
            "a time of " + nanos + " ns", "costs of shifts", "write 0 or more");
      }
    }
  }

  /** The same on cores that are busy for longer than the CPU time of which these are. */
  public ShiftCosts onCores(double cpuShare) {
    return new ShiftCosts(
        cold,
        coldOperations,
        startNanos,
        StrictMath.round(startWorkNanos / cpuShare),
        proveNanos,
        noticeNanos,
        stopNanos,
        StrictMath.round(stopWorkNanos / cpuShare),
        StrictMath.round(hintWriteNanos / cpuShare),
        StrictMath.round(hintSendNanos / cpuShare));
  }

  /** Whether a node that has booted is not as it was before. */
  public boolean delaysReturn() {
    return cold > 0 || startNanos > 0 || startWorkNanos > 0 || proveNanos > 0;
  }
}
