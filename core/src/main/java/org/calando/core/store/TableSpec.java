package org.calando.core.store;

/**
 * The table that a workload needs.
 *
 * @param name table name
 * @param fields number of fields of a record, 1 or more
 * @param fieldPrefix prefix of the fields' names; field i is called prefix + i
 */
public record TableSpec(String name, int fields, String fieldPrefix) {
  public TableSpec {
    if (fields < 1) {
      throw new IllegalArgumentException("fields " + fields + " < 1");
    }
  }
}
