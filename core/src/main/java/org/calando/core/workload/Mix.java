package org.calando.core.workload;

/**
 * The shares of the kinds of operations, which sum to 1.
 *
 * <p>Immutable and thread safe. Values are not checked here but by {@link Workload#validate()}, so
 * that all problems of a description are reported together.
 *
 * @param read share of reads, 0 .. 1
 * @param update share of updates, 0 .. 1
 * @param insert share of inserts, 0 .. 1
 * @param scan share of scans, 0 .. 1
 * @param readModifyWrite share of read-modify-writes, 0 .. 1
 */
public record Mix(double read, double update, double insert, double scan, double readModifyWrite) {
  /** How far from 1 the sum may be: room for rounding, not for a forgotten share. */
  public static final double TOLERANCE = 1e-6;

  /** Reads and updates only. */
  public static Mix readUpdate(double read, double update) {
    return new Mix(read, update, 0, 0, 0);
  }

  /** The share of one kind. */
  public double share(OperationKind kind) {
    return switch (kind) {
      case READ -> read;
      case UPDATE -> update;
      case INSERT -> insert;
      case SCAN -> scan;
      case READ_MODIFY_WRITE -> readModifyWrite;
    };
  }

  /** The sum of all shares. */
  public double sum() {
    return read + update + insert + scan + readModifyWrite;
  }

  /** Whether the shares sum to 1 within {@link #TOLERANCE}. */
  public boolean isNormalised() {
    return Math.abs(sum() - 1) <= TOLERANCE;
  }

  /** The same proportions with the sum 1; the sum must be greater than 0. */
  public Mix normalised() {
    double sum = sum();
    return new Mix(read / sum, update / sum, insert / sum, scan / sum, readModifyWrite / sum);
  }
}
