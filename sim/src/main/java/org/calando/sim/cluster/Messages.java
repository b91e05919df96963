package org.calando.sim.cluster;

import java.util.Arrays;

/**
 * Records of messages, and of the work that they are for the node they reach, half a line of cache
 * each. At any time a record in use is on its way, waits at a station, or is in service: it has
 * exactly one event or one place in a queue. A reply uses the record of what it replies to. Not
 * thread safe.
 */
final class Messages {
  static final int REQUEST = 0;
  static final int READ = 1;
  static final int DIGEST = 2;
  static final int WRITE = 3;
  static final int REPAIR = 4;
  static final int HINT = 5;
  static final int RESPONSE = 6;
  static final int ACKNOWLEDGEMENT = 7;

  // Work of the client's machine, and a node's own: they cross no network as such.
  static final int CLIENT_REQUEST = 8;
  static final int CLIENT_ANSWER = 9;
  static final int BACKGROUND = 10;
  static final int TYPES = 11;

  /** The message of a hint, and a node's own work, belong to no operation. */
  static final int NO_OPERATION = -1;

  private static final int INTS = 8;
  private static final int OPERATION = 0;
  private static final int NODE = 1;
  private static final int FROM = 2;
  private static final int LIFE = 3;
  private static final int TYPE = 4;
  private static final int PLACE = 5;
  private static final int VERSION = 6;

  private static final int ROUND_SHIFT = 8;
  private static final int PLACE_MASK = (1 << ROUND_SHIFT) - 1;
  private static final int FIRST_LENGTH = 256;
  private static final int MOST = 1 << 26;

  private int[] free = new int[0];
  private int freeCount;
  private long taken;
  private long freed;
  private int[] ints = new int[0];
  private long[] keys = new long[0];
  private long[] sentNanos = new long[0];

  /**
   * A record.
   *
   * @param type of the message
   * @param operation it belongs to, or {@link #NO_OPERATION}
   * @param from sending node
   * @param node receiving node
   * @param place of the replica among the key's
   * @param round of replies: 0 to the first question, 1 to a second one, 2 to what nobody waits for
   * @param version written
   */
  int take(int type, int operation, int from, int node, int place, int round, long version) {
    if (freeCount == 0) {
      grow();
    }
    taken++;
    int message = free[--freeCount];
    int base = message * INTS;
    ints[base + OPERATION] = operation;
    ints[base + NODE] = node;
    ints[base + FROM] = from;
    ints[base + TYPE] = type;
    ints[base + PLACE] = place | round << ROUND_SHIFT;
    setVersion(message, version);
    return message;
  }

  void free(int message) {
    freed++;
    free[freeCount++] = message;
  }

  /** Records taken so far. */
  long taken() {
    return taken;
  }

  /** Records in use. */
  long inUse() {
    return taken - freed;
  }

  /** Sends a record back to where it came from, as another type. */
  void turn(int message, int type) {
    int base = message * INTS;
    int replica = ints[base + NODE];
    ints[base + NODE] = ints[base + FROM];
    ints[base + FROM] = replica;
    ints[base + TYPE] = type;
  }

  /** Sends a record on to another node, as another type. */
  void pass(int message, int type, int node) {
    int base = message * INTS;
    ints[base + FROM] = ints[base + NODE];
    ints[base + NODE] = node;
    ints[base + TYPE] = type;
  }

  int type(int message) {
    return ints[message * INTS + TYPE];
  }

  int operation(int message) {
    return ints[message * INTS + OPERATION];
  }

  int node(int message) {
    return ints[message * INTS + NODE];
  }

  int from(int message) {
    return ints[message * INTS + FROM];
  }

  int place(int message) {
    return ints[message * INTS + PLACE] & PLACE_MASK;
  }

  int round(int message) {
    return ints[message * INTS + PLACE] >>> ROUND_SHIFT;
  }

  long version(int message) {
    int base = message * INTS + VERSION;
    return (long) ints[base + 1] << 32 | (ints[base] & 0xFFFFFFFFL);
  }

  void setVersion(int message, long version) {
    int base = message * INTS + VERSION;
    ints[base] = (int) version;
    ints[base + 1] = (int) (version >>> 32);
  }

  /** How many times its node had failed when its service started. */
  int life(int message) {
    return ints[message * INTS + LIFE];
  }

  void setLife(int message, int life) {
    ints[message * INTS + LIFE] = life;
  }

  /** Of hints. */
  long key(int message) {
    return keys[message];
  }

  void setKey(int message, long key) {
    keys[message] = key;
  }

  /** Where replies are timed. */
  long sentNanos(int message) {
    return sentNanos[message];
  }

  void setSentNanos(int message, long nanos) {
    sentNanos[message] = nanos;
  }

  private void grow() {
    int old = free.length;
    if (old >= MOST) {
      throw new IllegalStateException("more than " + MOST + " messages are under way");
    }
    int length = Math.max(FIRST_LENGTH, 2 * old);
    ints = Arrays.copyOf(ints, length * INTS);
    keys = Arrays.copyOf(keys, length);
    sentNanos = Arrays.copyOf(sentNanos, length);
    free = Arrays.copyOf(free, length);
    for (int message = length - 1; message >= old; message--) {
      free[freeCount++] = message;
    }
  }
}
