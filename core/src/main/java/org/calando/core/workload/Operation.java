package org.calando.core.workload;

import org.calando.core.store.Session;

/**
 * One operation to perform: a holder that {@link OperationStream#next} fills and its owner reuses.
 *
 * <p>Not thread safe.
 */
public final class Operation {
  /** What to do. */
  public OperationKind kind = OperationKind.READ;

  /** Key id, 0 or more; for a scan the first key. */
  public long key;

  /**
   * Field index or {@link Session#ALL_FIELDS}: the field that is read (READ, SCAN and the first
   * half of READ_MODIFY_WRITE) or written (UPDATE, INSERT).
   */
  public int field = Session.ALL_FIELDS;

  /**
   * Field index or {@link Session#ALL_FIELDS}: the field that is written. Equal to {@link #field}
   * except for READ_MODIFY_WRITE, which may read the whole record and write one field.
   */
  public int writeField = Session.ALL_FIELDS;

  /** Size of each field written, in bytes; 0 if nothing is written. */
  public int valueBytes;

  /** Records to scan, 1 or more; 0 if the operation is not a scan. */
  public int scanLength;
}
