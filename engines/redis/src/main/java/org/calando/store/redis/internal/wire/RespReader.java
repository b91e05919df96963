package org.calando.store.redis.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads replies of the Redis protocol, version 2, from bytes that come in pieces. A reply is a
 * {@link String}, a {@link Long}, a {@link List} of replies, an {@link Refusal}, or {@link #NIL}.
 * Not thread safe.
 */
public final class RespReader {
  /** The reply that stands for nothing. */
  static final Object NIL = new Object();

  /** Longer answers than any that is asked for; INFO has some kilobytes. */
  static final int LONGEST_BYTES = 1 << 20;

  private static final int DEEPEST = 8;

  /** An error that the server answered. */
  public record Refusal(String text) {}

  private final byte[] bytes;
  private final int length;
  private int at;
  private boolean incomplete;

  private RespReader(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /**
   * Takes the first whole reply out of a buffer that is ready to be read, and moves its position
   * behind it.
   *
   * @return null if more bytes must come first; the buffer is as it was then
   * @throws IOException if the bytes are not of this protocol, or ask for more than is allowed
   */
  static @Nullable Object read(ByteBuffer buffer) throws IOException {
    if (!buffer.hasRemaining()) {
      return null;
    }
    int begin = buffer.arrayOffset() + buffer.position();
    RespReader reader = new RespReader(buffer.array(), begin + buffer.remaining());
    reader.at = begin;
    Object reply = reader.reply(0);
    if (reader.incomplete) {
      return null;
    }
    buffer.position(reader.at - buffer.arrayOffset());
    return reply;
  }

  private Object reply(int depth) throws IOException {
    if (at >= length) {
      incomplete = true;
      return NIL;
    }
    byte kind = bytes[at++];
    return switch (kind) {
      case '+' -> line();
      case '-' -> new Refusal(line());
      case ':' -> number();
      case '$' -> bulk();
      case '*' -> array(depth);
      default -> throw new IOException("a reply begins with byte " + kind);
    };
  }

  private String line() {
    int begin = at;
    while (at < length && bytes[at] != '\n') {
      at++;
    }
    if (at >= length) {
      incomplete = true;
      return "";
    }
    int end = at > begin && bytes[at - 1] == '\r' ? at - 1 : at;
    at++;
    return new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
  }

  private long number() throws IOException {
    String text = line();
    if (incomplete) {
      return 0;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException("'" + text + "' is no number", e);
    }
  }

  private int count() throws IOException {
    long count = number();
    if (count > LONGEST_BYTES) {
      throw new IOException("a reply of " + count + " elements");
    }
    return (int) count;
  }

  private Object bulk() throws IOException {
    int count = count();
    if (incomplete || count < 0) {
      return NIL;
    }
    if (length - at < count + 2) {
      incomplete = true;
      return NIL;
    }
    String text = new String(bytes, at, count, StandardCharsets.UTF_8);
    at += count + 2;
    return text;
  }

  private Object array(int depth) throws IOException {
    if (depth >= DEEPEST) {
      throw new IOException("a reply nested deeper than " + DEEPEST);
    }
    int count = count();
    if (incomplete || count < 0) {
      return NIL;
    }
    List<Object> elements = new ArrayList<>(Math.min(count, 64));
    for (int i = 0; i < count && !incomplete; i++) {
      elements.add(reply(depth + 1));
    }
    return elements;
  }
}
