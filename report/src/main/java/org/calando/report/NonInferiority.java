package org.calando.report;

import java.util.OptionalInt;
import org.apache.commons.math3.distribution.TDistribution;
import org.calando.report.Statistics.Ratio;

/*
 * "No worse" cannot be shown by a test that finds no difference: few and scattered runs find none either. So it is
 * claimed only where the whole interval of the ratio is above a margin, and the interval is narrow; it is denied only
 * where the whole interval is below the margin. Everything else is undecided, with the number of blocks after which
 * it would be decided if later blocks had the same mean and scatter.
 */
/**
 * Whether something is no worse than something else, by a ratio of which more is better. Immutable
 * and thread safe.
 *
 * @param ratio over paired blocks
 * @param verdict what can be said
 * @param blocks that it takes in all, where it is undecided and can be told
 */
public record NonInferiority(Ratio ratio, Verdict verdict, OptionalInt blocks) {
  /** The least ratio that counts as no worse. */
  public static final double MARGIN = 0.97;

  /** The widest half of an interval with which it can be claimed, as a share of the ratio. */
  public static final double PRECISION = 0.02;

  /** Beyond this many blocks, it is not told how many. */
  private static final int MOST_BLOCKS = 10_000;

  /** What can be said. */
  public enum Verdict {
    /** The whole interval is at or above the margin, and it is narrow. */
    NON_INFERIOR("non-inferior"),
    /** The whole interval is below the margin. */
    INFERIOR("inferior"),
    /** Neither. */
    UNDECIDED("undecided");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    /** The verdict as reports write it. */
    public String words() {
      return words;
    }
  }

  /**
   * Judges figures of which more is better, such as throughput.
   *
   * @param figures of what is judged, by block
   * @param baseline of what it is compared with, by block
   */
  public static NonInferiority ofMore(double[] figures, double[] baseline) {
    return of(Statistics.ratio(figures, baseline));
  }

  /**
   * Judges figures of which less is better, such as CPU time. The ratio is the baseline over the
   * figures, so that 0.97 is 3 % more of them.
   */
  public static NonInferiority ofLess(double[] figures, double[] baseline) {
    return of(Statistics.ratio(baseline, figures));
  }

  private static NonInferiority of(Ratio ratio) {
    if (!ratio.hasInterval()) {
      return new NonInferiority(ratio, Verdict.UNDECIDED, OptionalInt.empty());
    }
    double mean = Math.log(ratio.ratio());
    double half = (Math.log(ratio.high()) - Math.log(ratio.low())) / 2;
    Verdict verdict = verdict(mean, half);
    return new NonInferiority(
        ratio,
        verdict,
        verdict == Verdict.UNDECIDED ? needed(ratio.blocks(), mean, half) : OptionalInt.empty());
  }

  private static Verdict verdict(double mean, double half) {
    if (mean + half < Math.log(MARGIN)) {
      return Verdict.INFERIOR;
    }
    return mean - half >= Math.log(MARGIN) && half <= Math.log1p(PRECISION)
        ? Verdict.NON_INFERIOR
        : Verdict.UNDECIDED;
  }

  private static OptionalInt needed(int blocks, double mean, double half) {
    double deviation = half * Math.sqrt(blocks) / quantile(blocks);
    for (int n = blocks + 1; n <= MOST_BLOCKS; n++) {
      double then = quantile(n) * deviation / Math.sqrt(n);
      if (verdict(mean, then) != Verdict.UNDECIDED) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  private static double quantile(int blocks) {
    return new TDistribution(null, blocks - 1)
        .inverseCumulativeProbability(0.5 + Statistics.CONFIDENCE / 2);
  }
}
