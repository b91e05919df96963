package org.calando.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import org.calando.core.BadRequestException;

/**
 * A table's full name, in the server's own spelling: what is written without quotes in CQL is lower
 * case here. Immutable and thread safe.
 *
 * @param keyspace the keyspace
 * @param table the table
 */
public record TableName(String keyspace, String table) {
  /**
   * Reads {@code keyspace.table} as CQL does; a part in double quotes keeps its case.
   *
   * @throws BadRequestException if it has not two parts
   */
  public static TableName parse(String text) {
    int dot = text.startsWith("\"") ? text.indexOf("\".") + 1 : text.indexOf('.');
    if (dot <= 0 || dot == text.length() - 1) {
      throw new BadRequestException(
          "not a table's full name: '" + text + "'", "table", "give it as keyspace.table");
    }
    try {
      return new TableName(
          CqlIdentifier.fromCql(text.substring(0, dot)).asInternal(),
          CqlIdentifier.fromCql(text.substring(dot + 1)).asInternal());
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "not a table's full name: '" + text + "'",
          "table",
          "give it as keyspace.table, in double quotes where CQL needs them");
    }
  }

  /** As CQL writes it, with double quotes where they are needed. */
  @Override
  public String toString() {
    return CqlIdentifier.fromInternal(keyspace).asCql(true)
        + "."
        + CqlIdentifier.fromInternal(table).asCql(true);
  }
}
