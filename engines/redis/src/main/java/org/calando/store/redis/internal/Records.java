package org.calando.store.redis.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.calando.core.store.Payload;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;

/*
 *   one field      SET key (version, value)                 GET key
 *   many fields    HSET key v version f0 value ...          HMGET key v f1, HGETALL key
 *
 * One field is what memtier and most caches do; hashes are YCSB's own mapping.
 */
/** How records are kept: their keys, and the requests that read and write them. Thread safe. */
final class Records {
  private static final byte[] VERSION =
      VersionOutput.VERSION_FIELD.getBytes(StandardCharsets.US_ASCII);

  /** Digits of the greatest key id. */
  private static final int MAX_DIGITS = 19;

  private final byte[] keyPrefix;
  private final byte[][] fieldNames;
  private final Payload payload = new Payload();

  /**
   * The records of a table.
   *
   * @param keyPrefix what all their keys begin with
   */
  Records(String keyPrefix, TableSpec table) {
    this.keyPrefix = keyPrefix.getBytes(StandardCharsets.US_ASCII);
    fieldNames = new byte[table.fields()][];
    for (int i = 0; i < fieldNames.length; i++) {
      fieldNames[i] = (table.fieldPrefix() + i).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** A read of one record. */
  Request<Long> read(long key, int field, Slot slot, long operation, Request.Refusals refusals) {
    CommandArgs<byte[], byte[]> args = args(key);
    if (isPlain()) {
      return request(CommandType.GET, VersionOutput.Form.PREFIX, args, slot, operation, refusals);
    }
    if (field == Session.ALL_FIELDS) {
      return request(
          CommandType.HGETALL, VersionOutput.Form.NAMED, args, slot, operation, refusals);
    }
    args.add(VERSION).add(fieldNames[field]);
    return request(CommandType.HMGET, VersionOutput.Form.FIRST, args, slot, operation, refusals);
  }

  /** A write of one record, or of one field of it. */
  Request<Long> write(
      long key,
      int field,
      int bytes,
      long version,
      Slot slot,
      long operation,
      Request.Refusals refusals) {
    CommandArgs<byte[], byte[]> args = args(key);
    if (isPlain()) {
      byte[] value =
          payload.piece(key, version, 0, bytes, (all, from, n) -> versioned(version, all, from, n));
      args.add(value);
      return write(CommandType.SET, args, slot, operation, refusals);
    }
    args.add(VERSION).add(ByteBuffer.allocate(Long.BYTES).putLong(0, version).array());
    int first = field == Session.ALL_FIELDS ? 0 : field;
    int last = field == Session.ALL_FIELDS ? fieldNames.length - 1 : field;
    for (int i = first; i <= last; i++) {
      args.add(fieldNames[i]).add(payload.value(key, version, i, bytes));
    }
    return write(CommandType.HSET, args, slot, operation, refusals);
  }

  /** A value behind its version, in 8 bytes, the highest first. */
  static byte[] versioned(long version, byte[] source, int from, int bytes) {
    return ByteBuffer.allocate(Long.BYTES + bytes)
        .putLong(version)
        .put(source, from, bytes)
        .array();
  }

  private boolean isPlain() {
    return fieldNames.length == 1;
  }

  private static Request<Long> request(
      CommandType type,
      VersionOutput.Form form,
      CommandArgs<byte[], byte[]> args,
      Slot slot,
      long operation,
      Request.Refusals refusals) {
    return new Request<>(type, new VersionOutput(form), args, slot, operation, refusals);
  }

  private static Request<Long> write(
      CommandType type,
      CommandArgs<byte[], byte[]> args,
      Slot slot,
      long operation,
      Request.Refusals refusals) {
    return new Request<>(type, new Acknowledgement(), args, slot, operation, refusals);
  }

  private CommandArgs<byte[], byte[]> args(long key) {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key(key));
  }

  /** The key of a record: the prefix and the id in decimal digits. */
  byte[] key(long id) {
    byte[] digits = new byte[MAX_DIGITS];
    int at = MAX_DIGITS;
    long rest = id;
    do {
      digits[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    byte[] key = new byte[keyPrefix.length + MAX_DIGITS - at];
    System.arraycopy(keyPrefix, 0, key, 0, keyPrefix.length);
    System.arraycopy(digits, at, key, keyPrefix.length, MAX_DIGITS - at);
    return key;
  }
}
