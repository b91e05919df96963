package org.calando.core.workload;

/**
 * How lengths (of fields in bytes, of scans in records) are distributed.
 *
 * <p>Immutable and thread safe; checked by {@link Workload#validate()}.
 *
 * @param shape the distribution
 * @param min the smallest length
 * @param max the largest length; equal to min for {@link Shape#CONSTANT}
 */
public record Lengths(Shape shape, int min, int max) {
  /** A distribution over {@code min .. max}. */
  public enum Shape {
    /** Always the same. */
    CONSTANT,
    /** All equally often. */
    UNIFORM,
    /** Zipfian with YCSB's constant 0.99: the smallest length is the most frequent. */
    ZIPFIAN
  }

  /** Always {@code length}. */
  public static Lengths constant(int length) {
    return new Lengths(Shape.CONSTANT, length, length);
  }

  /** Uniform over {@code min .. max}, both included. */
  public static Lengths uniform(int min, int max) {
    return new Lengths(Shape.UNIFORM, min, max);
  }

  /** Zipfian over {@code min .. max}, both included, {@code min} most frequent. */
  public static Lengths zipfian(int min, int max) {
    return new Lengths(Shape.ZIPFIAN, min, max);
  }
}
