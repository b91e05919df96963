package org.calando.studyfile.profile;

import java.util.List;
import java.util.Optional;
import org.calando.core.workload.RequestDistribution;

/**
 * What a profile was fitted on; a prediction beyond it extrapolates. Immutable.
 *
 * @param readShare share of reads
 * @param threads of closed loops; 0 to 0 if there were none
 * @param perSecond rates of open loops; 0 to 0 if there were none
 * @param readReplicas share of the replicas that reads waited for
 * @param writeReplicas share of the replicas that writes waited for
 * @param records of tables
 * @param delayMillis longest configured delays between nodes
 * @param popularities of keys, as {@link #popularity} has them in words; one or more
 */
public record FittedRange(
    Bounds readShare,
    Bounds threads,
    Bounds perSecond,
    Bounds readReplicas,
    Bounds writeReplicas,
    Bounds records,
    Bounds delayMillis,
    List<String> popularities) {
  private static final String UNIFORM = "uniform";
  private static final String ZIPF = "zipf:";

  /** Copies the list. */
  public FittedRange {
    popularities = List.copyOf(popularities);
  }

  /**
   * How a distribution spreads requests over keys, in words: {@code uniform}, {@code zipf:0.99},
   * the name of another with its parameters. Where popular keys stand does not matter.
   */
  public static String popularity(RequestDistribution requests) {
    if (requests instanceof RequestDistribution.Zipfian zipfian) {
      return ZIPF + zipfian.constant();
    }
    if (requests instanceof RequestDistribution.ScrambledZipfian zipfian) {
      return ZIPF + zipfian.constant();
    }
    if (requests instanceof RequestDistribution.Hotspot hotspot) {
      return requests.name() + ":" + hotspot.dataFraction() + ":" + hotspot.operationFraction();
    }
    if (requests instanceof RequestDistribution.Exponential by) {
      return requests.name() + ":" + by.percentile() + ":" + by.fraction();
    }
    return requests.name();
  }

  /** The first fitted popularity, if it is one that predictions can be asked for in words. */
  public Optional<RequestDistribution> usual() {
    String first = popularities.get(0);
    if (first.equals(UNIFORM)) {
      return Optional.of(new RequestDistribution.Uniform());
    }
    return first.startsWith(ZIPF)
        ? Optional.of(
            new RequestDistribution.Zipfian(Double.parseDouble(first.substring(ZIPF.length()))))
        : Optional.empty();
  }

  /** From and to, both included. */
  public record Bounds(double from, double to) {
    /** Files hold six digits. */
    private static final double ROUNDING = 1e-5;

    /** Those of what there was none of. */
    public static final Bounds NONE = new Bounds(0, 0);

    /** Whether a value is between them. */
    public boolean hold(double value) {
      return value >= from - ROUNDING * from && value <= to + ROUNDING * to;
    }
  }
}
