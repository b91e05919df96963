package org.calando.sim.cluster;

import java.util.Arrays;

/**
 * Records of messages, and of the work that they are for the node they reach. At any time a record
 * in use is on its way, waits at a station, or is in service: it has exactly one event or one place
 * in a queue. Not thread safe.
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

  /** A node's own work too, of as many nanoseconds as its version says. */
  static final int OWN = 11;

  static final int TYPES = 12;

  /** Of records not in use. */
  static final int FREE = -1;

  /** Later than all other times: a deadline of what is done whoever waits. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int FIRST_LENGTH = 256;
  private static final int MOST = 1 << 26;

  private final OperationRecord noOperation = new OperationRecord(-1, 0);
  private Message[] records = new Message[0];
  private int[] free = new int[0];
  private int freeCount;
  private long taken;
  private long freed;

  /**
   * A record, without a deadline.
   *
   * @param type of the message
   * @param operation it belongs to
   * @param from sending node
   * @param node receiving node
   * @param place of the replica among the key's
   * @param round of replies: 0 to the first question, 1 to a second one, 2 to what nobody waits for
   * @param version written
   */
  Message take(
      int type, OperationRecord operation, int from, int node, int place, int round, long version) {
    if (freeCount == 0) {
      grow();
    }
    taken++;
    Message message = records[free[--freeCount]];
    message.type = (byte) type;
    message.operation = operation;
    message.from = from;
    message.node = node;
    message.place = (byte) place;
    message.round = (byte) round;
    message.hop = 0;
    message.version = version;
    message.deadlineNanos = NEVER;
    return message;
  }

  void free(Message message) {
    freed++;
    message.type = FREE;
    free[freeCount++] = message.number;
  }

  /** The record of a number. */
  Message get(int number) {
    return records[number];
  }

  /** What messages belong to that belong to no operation: those of hints, and a node's own work. */
  OperationRecord noOperation() {
    return noOperation;
  }

  /** Records taken so far. */
  long taken() {
    return taken;
  }

  /** Records freed so far. */
  long freed() {
    return freed;
  }

  /** Records in use, counted one by one. */
  long count() {
    long count = 0;
    for (Message record : records) {
      count += record.type == FREE ? 0 : 1;
    }
    return count;
  }

  /** Records in use. */
  long inUse() {
    return taken - freed;
  }

  private void grow() {
    int old = records.length;
    if (old >= MOST) {
      throw new IllegalStateException("more than " + MOST + " messages are under way");
    }
    int length = Math.max(FIRST_LENGTH, 2 * old);
    records = Arrays.copyOf(records, length);
    free = Arrays.copyOf(free, length);
    for (int number = old; number < length; number++) {
      records[number] = new Message(number, noOperation);
    }
    for (int number = length - 1; number >= old; number--) {
      free[freeCount++] = number;
    }
  }
}
