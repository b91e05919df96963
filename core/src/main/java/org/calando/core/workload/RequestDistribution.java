package org.calando.core.workload;

import java.util.List;
import java.util.Optional;

/**
 * How requests are spread over the keys.
 *
 * <p>Immutable and thread safe; parameters are checked by {@link Workload#validate()}. Names are
 * Calando's own: YCSB's property {@code requestdistribution=zipfian} means {@link ScrambledZipfian}
 * here.
 */
public sealed interface RequestDistribution {
  /** The constant that YCSB uses for its zipfian distributions. */
  double YCSB_ZIPFIAN_CONSTANT = 0.99;

  /** Every loaded record equally often. */
  record Uniform() implements RequestDistribution {}

  /**
   * Zipfian over the loaded records, popular keys side by side: the first key is the most popular.
   *
   * @param constant the exponent, greater than 0 and less than 1
   */
  record Zipfian(double constant) implements RequestDistribution {}

  /**
   * Zipfian, popular keys scattered over the key space by a hash.
   *
   * @param constant the exponent, greater than 0 and less than 1
   */
  record ScrambledZipfian(double constant) implements RequestDistribution {}

  /** Zipfian by age: the newest acknowledged insert is the most popular. */
  record Latest() implements RequestDistribution {}

  /**
   * A share of the operations goes to a share of the keys, uniformly in either part.
   *
   * @param dataFraction share of the loaded records that is hot, 0 .. 1; the first keys are hot
   * @param operationFraction share of the operations that goes to hot keys, 0 .. 1
   */
  record Hotspot(double dataFraction, double operationFraction) implements RequestDistribution {}

  /**
   * The loaded records in order, again and again. Each operation stream walks on its own from its
   * own start (stream 0 from the first key), so that a stream is reproducible; YCSB's threads share
   * one walk.
   */
  record Sequential() implements RequestDistribution {}

  /**
   * Exponential by age: {@code percentile} percent of the requests go to the newest {@code
   * fraction} of the records.
   *
   * @param percentile greater than 0 and less than 100
   * @param fraction share of the record count, greater than 0
   */
  record Exponential(double percentile, double fraction) implements RequestDistribution {}

  /** The name by which {@link #byName} finds the distribution. */
  default String name() {
    // An if chain: switching on patterns needs a newer Java than 17.
    if (this instanceof Uniform) {
      return "uniform";
    } else if (this instanceof Zipfian) {
      return "zipfian";
    } else if (this instanceof ScrambledZipfian) {
      return "scrambled-zipfian";
    } else if (this instanceof Latest) {
      return "latest";
    } else if (this instanceof Hotspot) {
      return "hotspot";
    } else if (this instanceof Sequential) {
      return "sequential";
    }
    return "exponential";
  }

  /** All names. */
  static List<String> names() {
    return List.of(
        "uniform",
        "zipfian",
        "scrambled-zipfian",
        "latest",
        "hotspot",
        "sequential",
        "exponential");
  }

  /**
   * The distribution of a name with YCSB's default parameters: constant 0.99, 80% of the operations
   * on 20% of the data, 95% of the requests to the newest 0.8571428571 of the data.
   */
  static Optional<RequestDistribution> byName(String name) {
    return switch (name) {
      case "uniform" -> Optional.of(new Uniform());
      case "zipfian" -> Optional.of(new Zipfian(YCSB_ZIPFIAN_CONSTANT));
      case "scrambled-zipfian" -> Optional.of(new ScrambledZipfian(YCSB_ZIPFIAN_CONSTANT));
      case "latest" -> Optional.of(new Latest());
      case "hotspot" -> Optional.of(new Hotspot(0.2, 0.8));
      case "sequential" -> Optional.of(new Sequential());
      case "exponential" -> Optional.of(new Exponential(95, 0.8571428571));
      default -> Optional.empty();
    };
  }
}
