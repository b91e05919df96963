package org.calando.store.hbase.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.calando.core.store.Payload;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;

/*
 *   row         the key times an odd number, modulo 2^64: eight bytes, one for each key, evenly spread
 *   f:FIELD     a field; its timestamp is the version of the write
 *   f:_         only where a record has several fields: written by each write, so that a read of one
 *               field tells the record's version
 */
/** How records are kept. Thread safe. */
public final class Rows {
  /** The family of all columns. */
  static final byte[] FAMILY = {'f'};

  /** What HBase's client and servers refuse by default is longer. */
  static final int MOST_VALUE_BYTES = 10_000_000;

  private static final byte[] VERSION = {'_'};
  private static final byte[] EMPTY = {};
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final byte[][] fields;
  private final Payload payload = new Payload();

  /** The records of a table. */
  public Rows(TableSpec table) {
    fields = new byte[table.fields()][];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = (table.fieldPrefix() + i).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The row of a key. */
  static byte[] row(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, key * SPREAD).array();
  }

  /** The first rows of all regions but the first, so that keys are spread evenly over them. */
  static byte[][] splits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    long step = Long.divideUnsigned(-1L, regions);
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = ByteBuffer.allocate(Long.BYTES).putLong(0, step * i).array();
    }
    return splits;
  }

  /**
   * A write.
   *
   * @throws IllegalArgumentException if a value is too long
   */
  Put put(long key, int field, int bytes, long version) {
    if (bytes < 0 || bytes > MOST_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "a value of " + bytes + " bytes is not in 0 .. " + MOST_VALUE_BYTES);
    }
    Put put = new Put(row(key), version);
    int first = field == Session.ALL_FIELDS ? 0 : field;
    int last = field == Session.ALL_FIELDS ? fields.length - 1 : field;
    for (int i = first; i <= last; i++) {
      put.addColumn(FAMILY, fields[i], version, payload.value(key, version, i, bytes));
    }
    if (fields.length > 1) {
      put.addColumn(FAMILY, VERSION, version, EMPTY);
    }
    return put;
  }

  Get get(long key, int field) {
    Get get = new Get(row(key));
    if (field == Session.ALL_FIELDS) {
      return get.addFamily(FAMILY);
    }
    get.addColumn(FAMILY, fields[field]);
    return fields.length > 1 ? get.addColumn(FAMILY, VERSION) : get;
  }

  Scan scan(long key, int count, int field) {
    Scan scan = new Scan().withStartRow(row(key)).setLimit(count).setCaching(count);
    return field == Session.ALL_FIELDS
        ? scan.addFamily(FAMILY)
        : scan.addColumn(FAMILY, fields[field]);
  }

  /** The newest timestamp of what was read, or that there is none. */
  static long version(Result result) {
    long newest = Session.NO_VERSION;
    Cell[] cells = result.rawCells();
    if (cells != null) {
      for (Cell cell : cells) {
        newest = Math.max(newest, cell.getTimestamp());
      }
    }
    return newest;
  }
}
