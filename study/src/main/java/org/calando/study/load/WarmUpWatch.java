package org.calando.study.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.load.Interval;
import org.calando.load.Phase;

/*
 * Just-in-time compilers, connections and caches make a cold engine and driver faster for a while. The
 * time per operation of spans of five intervals tells when that is over: neither of the last two spans
 * is faster by more than a twentieth than the one before them. So it takes three spans at least, and a
 * single span that something else slowed down does not end it.
 *
 * In a closed loop the time per operation is that between answers. In an open loop that is the rate's
 * own, whatever the store does, and the median latency stands for it.
 */
/** Tells when a warm-up has made throughput steady. For one thread at a time. */
public final class WarmUpWatch {
  /** Ends the warm-up, steady or not. */
  public static final long MOST_NANOS = 60_000_000_000L;

  private static final int SPAN_INTERVALS = 5;
  private static final double STEADY = 1.05;

  private final boolean open;
  private final List<Double> spans = new ArrayList<>();
  private double time;
  private double count;
  private int intervals;
  private long nanos;
  private boolean over;

  /**
   * A watch over one warm-up.
   *
   * @param open whether the loop is open
   */
  public WarmUpWatch(boolean open) {
    this.open = open;
  }

  /** Takes an interval; whether the warm-up has just ended, which is so once. */
  public boolean ends(Interval interval) {
    if (over || interval.phase() != Phase.WARMUP) {
      return false;
    }
    nanos += interval.endNanos() - interval.startNanos();
    add(interval);
    if (++intervals % SPAN_INTERVALS == 0) {
      spans.add(count > 0 ? time / count : Double.NaN);
      time = 0;
      count = 0;
    }
    over = isSteady() || nanos >= MOST_NANOS;
    return over;
  }

  private void add(Interval interval) {
    if (!open) {
      time += interval.endNanos() - interval.startNanos();
      count += interval.operations() - interval.errors();
      return;
    }
    time += (double) interval.reads() * Math.max(0, interval.readP50Nanos());
    time += (double) interval.writes() * Math.max(0, interval.writeP50Nanos());
    count += interval.reads() + interval.writes();
  }

  private boolean isSteady() {
    return gain() <= STEADY;
  }

  /** How many times as fast the better of the last two spans is as the one before; or NaN. */
  private double gain() {
    int last = spans.size() - 1;
    return last < 2
        ? Double.NaN
        : spans.get(last - 2) / Math.min(spans.get(last - 1), spans.get(last));
  }

  /** Time that the warm-up took, or has taken so far, in seconds. */
  public double seconds() {
    return nanos / 1e9;
  }

  /** What a reader should know of it; empty if it made throughput steady. */
  public Optional<String> note() {
    return over && !isSteady()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the warm-up ended after %.0f s, and throughput was not steady yet: give"
                    + " workload.warm-up a longer time",
                seconds()))
        : Optional.empty();
  }
}
