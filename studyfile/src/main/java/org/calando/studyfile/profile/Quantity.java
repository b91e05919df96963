package org.calando.studyfile.profile;

import java.util.List;
import java.util.stream.Stream;

/** What is measured, fitted and predicted. */
public enum Quantity {
  /** Operations per second. */
  THROUGHPUT("throughput", "ops/s", 0.05),
  /** CPU time of all nodes for an operation. */
  CPU("cpu", "ms/op", 0.05),
  /** CPU time of the load generator for an operation. */
  CLIENT_CPU("client-cpu", "ms/op", 0.2),
  /** Mean latency of reads. */
  READ_LATENCY("read-latency", "ms", 0.3),
  /** Mean latency of writes. */
  WRITE_LATENCY("write-latency", "ms", 0.3),
  /** Share of stale reads. */
  STALE("stale", "share", 0.2),
  /** 99th percentile of reads' latency. */
  READ_P99("read-p99", "ms", 0.3),
  /** 99th percentile of writes' latency. */
  WRITE_P99("write-p99", "ms", 0.3),
  /** Mean time from a write's first replica to its last. */
  LAG("lag", "ms", 0.3),
  /** 99th percentile of the same. */
  LAG_P99("lag-p99", "ms", 0.3),
  /** Power of all nodes. */
  WATTS("watts", "W", 0),
  /** Energy of all nodes for an operation. */
  JOULES("joules", "J/op", 0);

  /** A stale rate that is as good as none: logarithms are taken of rates above it. */
  public static final double STALE_FLOOR = 0.002;

  private static final List<Quantity> FITTED =
      List.of(THROUGHPUT, CPU, CLIENT_CPU, READ_LATENCY, WRITE_LATENCY, STALE);

  private final String key;
  private final String unit;
  private final double modelError;

  Quantity(String key, String unit, double modelError) {
    this.key = key;
    this.unit = unit;
    this.modelError = modelError;
  }

  /** Those that parameters of stages are fitted to beside these. */
  public static List<Quantity> ofStages() {
    return List.of(READ_P99, WRITE_P99, LAG, LAG_P99);
  }

  /** Those that parameters are fitted to, with stages or without. */
  public static List<Quantity> fitted(boolean staged) {
    return staged ? Stream.concat(FITTED.stream(), ofStages().stream()).toList() : FITTED;
  }

  /** Those whose errors a profile is judged by, with stages or without. */
  public static List<Quantity> judged(boolean staged) {
    return staged ? Stream.concat(judged().stream(), ofStages().stream()).toList() : judged();
  }

  /** Those whose errors are what a profile is judged by. */
  public static List<Quantity> judged() {
    return List.of(THROUGHPUT, CPU, STALE, WATTS, JOULES);
  }

  /**
   * How far a predicted value is from a measured one: of {@link #STALE}, which is often none, the
   * difference of the shares; else the difference over the measured value.
   */
  public double error(double measured, double predicted) {
    return this == STALE ? predicted - measured : predicted / measured - 1;
  }

  /** Its name in profiles and JSON. */
  public String key() {
    return key;
  }

  /** The unit of its values. */
  public String unit() {
    return unit;
  }

  /**
   * How exactly the model can be expected to meet it: a standard deviation of the logarithm; 0 of
   * what is not fitted.
   */
  public double modelError() {
    return modelError;
  }

  /** The logarithm that is compared. */
  public double log(double value) {
    return Math.log(this == STALE ? value + STALE_FLOOR : value);
  }
}
