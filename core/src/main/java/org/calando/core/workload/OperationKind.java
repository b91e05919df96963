package org.calando.core.workload;

/** What a client asks of the store, in YCSB's terms. */
public enum OperationKind {
  /** Reads one record. */
  READ,
  /** Writes a record that exists. */
  UPDATE,
  /** Writes a record that did not exist. */
  INSERT,
  /** Reads several records from a key on. */
  SCAN,
  /** Reads a record, then writes it: one operation with two requests. */
  READ_MODIFY_WRITE
}
