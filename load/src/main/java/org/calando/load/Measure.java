package org.calando.load;

import org.calando.core.workload.OperationKind;

/** Something whose latency is recorded; each has a histogram of its own. */
public enum Measure {
  READ("read"),
  UPDATE("update"),
  INSERT("insert"),
  SCAN("scan"),
  /** The whole of a read-modify-write. */
  READ_MODIFY_WRITE("read_modify_write"),
  /** The read of a read-modify-write. */
  RMW_READ("rmw_read"),
  /** The write of a read-modify-write, from the end of its read. */
  RMW_WRITE("rmw_write"),
  /** The second read of a dual read; no operation of the load. */
  DUAL_READ("dual_read"),
  /** An operation that ended in an error; such are in no other histogram. */
  ERROR("error");

  private final String label;

  Measure(String label) {
    this.label = label;
  }

  /** The name in result files, and the tag in the histogram log. */
  public String label() {
    return label;
  }

  /** The measure of whole operations of a kind. */
  public static Measure of(OperationKind kind) {
    return switch (kind) {
      case READ -> READ;
      case UPDATE -> UPDATE;
      case INSERT -> INSERT;
      case SCAN -> SCAN;
      case READ_MODIFY_WRITE -> READ_MODIFY_WRITE;
    };
  }

  /** Whether this is an operation of the load that succeeded, not a part of one or an extra. */
  public boolean isOperation() {
    return switch (this) {
      case READ, UPDATE, INSERT, SCAN, READ_MODIFY_WRITE -> true;
      case RMW_READ, RMW_WRITE, DUAL_READ, ERROR -> false;
    };
  }

  /** Whether this is a read of one record. */
  public boolean isRead() {
    return this == READ || this == RMW_READ;
  }

  /** Whether this is a write. */
  public boolean isWrite() {
    return this == UPDATE || this == INSERT || this == RMW_WRITE;
  }
}
