package org.calando.predict;

import java.util.List;

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
  STALE("stale", "share", 0.2);

  /** A stale rate that is as good as none: logarithms are taken of rates above it. */
  static final double STALE_FLOOR = 0.002;

  private static final List<Quantity> ALL = List.of(values());

  private final String key;
  private final String unit;
  private final double modelError;

  Quantity(String key, String unit, double modelError) {
    this.key = key;
    this.unit = unit;
    this.modelError = modelError;
  }

  /** All of them. */
  public static List<Quantity> all() {
    return ALL;
  }

  /** Those whose errors are what a profile is judged by. */
  public static List<Quantity> judged() {
    return List.of(THROUGHPUT, CPU, STALE);
  }

  /** Its name in profiles and JSON. */
  public String key() {
    return key;
  }

  /** The unit of its values. */
  public String unit() {
    return unit;
  }

  /** How exactly the model can be expected to meet it: a standard deviation of the logarithm. */
  double modelError() {
    return modelError;
  }

  /** The logarithm that is compared. */
  double log(double value) {
    return Math.log(this == STALE ? value + STALE_FLOOR : value);
  }

  /** Whether runs of a scenario tell anything of it. */
  boolean isToldBy(Scenario scenario) {
    return switch (this) {
      case THROUGHPUT -> !scenario.isOpen();
      case CPU, CLIENT_CPU -> true;
      case READ_LATENCY -> scenario.readShare() > 0;
      case WRITE_LATENCY -> scenario.readShare() < 1;
      case STALE -> scenario.mayBeStale();
    };
  }
}
