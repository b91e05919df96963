package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.core.store.Outcome;

/*
 * A record is a line of cache of ints and half a line of longs, so that an operation of a cluster
 * of a thousand nodes waits for two lines of memory and not for twenty.
 */
/**
 * Records of operations under way, in arrays so that none is an object. A record is in use from
 * {@link #take} until {@link #free}. Sets of replicas are bits by their place among the key's
 * replicas. Not thread safe.
 */
final class Operations {
  static final int READ = 0;
  static final int WRITE = 1;

  // States, in order.
  static final int ASKED = 0;
  static final int REREADING = 1;
  static final int REPAIRING = 2;
  static final int ENDED = 3;

  // Outcomes.
  static final int OK = 0;
  static final int NOT_FOUND = 1;
  static final int REFUSED = 2;
  static final int INDETERMINATE = 3;

  // Columns of ints.
  static final int TYPE = 0;
  static final int STATE = 1;
  static final int OUTCOME = 2;
  static final int FLAGS = 3;
  static final int COORDINATOR = 4;
  static final int REQUESTER = 5;
  static final int TAG = 6;
  static final int NEED = 7;
  static final int COUNTING = 8;
  static final int SENT = 9;
  static final int DIGESTS = 10;
  static final int ANSWERED = 11;
  static final int PENDING = 12;
  static final int OUTSTANDING = 13;
  static final int BEFORE = 14;
  static final int AFTER = 15;
  private static final int INTS = 16;

  // Flags.
  static final int EACH = 1;
  static final int BACKGROUND = 2;
  static final int LISTED = 4;
  static final int UNREPAIRED = 8;

  // Columns of longs. The version is the one written, or the newest one found by a read.
  static final int KEY = 0;
  static final int START = 1;
  static final int VERSION = 2;
  static final int SCANNED = 3;
  private static final int LONGS = 4;

  private static final int FIRST_LENGTH = 64;
  private static final Outcome[] OUTCOMES = {
    Outcome.OK, Outcome.NOT_FOUND, Outcome.REFUSED, Outcome.INDETERMINATE
  };

  private final int most;
  private final int stride;
  private int[] free = new int[0];
  private int freeCount;
  private long taken;
  private long freed;
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] replied = new long[0];
  private int[][] replicas = new int[0][];

  /** Room for so many operations on keys of so many replicas. */
  Operations(int most, int stride) {
    this.most = most;
    this.stride = stride;
  }

  /** A record not in use, of whatever it was last. */
  int take() {
    if (freeCount == 0) {
      grow();
    }
    taken++;
    return free[--freeCount];
  }

  void free(int operation) {
    freed++;
    free[freeCount++] = operation;
  }

  /** Records in use. */
  long inUse() {
    return taken - freed;
  }

  int get(int operation, int column) {
    return ints[operation * INTS + column];
  }

  void set(int operation, int column, int value) {
    ints[operation * INTS + column] = value;
  }

  /** Adds to a column, and returns the sum. */
  int add(int operation, int column, int value) {
    return ints[operation * INTS + column] += value;
  }

  long getLong(int operation, int column) {
    return longs[operation * LONGS + column];
  }

  void setLong(int operation, int column, long value) {
    longs[operation * LONGS + column] = value;
  }

  boolean is(int operation, int flag) {
    return (get(operation, FLAGS) & flag) != 0;
  }

  void flag(int operation, int flag, boolean on) {
    int flags = get(operation, FLAGS);
    set(operation, FLAGS, on ? flags | flag : flags & ~flag);
  }

  Outcome outcome(int operation) {
    return OUTCOMES[get(operation, OUTCOME)];
  }

  int[] replicas(int operation) {
    return replicas[operation];
  }

  void setReplicas(int operation, int[] nodes) {
    replicas[operation] = nodes;
  }

  /** The version that a replica replied with. */
  long replied(int operation, int place) {
    return replied[operation * stride + place];
  }

  void setReplied(int operation, int place, long found) {
    replied[operation * stride + place] = found;
  }

  private void grow() {
    int old = free.length;
    if (old >= most) {
      throw new IllegalStateException("more than " + most + " operations are under way");
    }
    int length = (int) Math.min(most, Math.max(FIRST_LENGTH, 2L * old));
    ints = Arrays.copyOf(ints, length * INTS);
    longs = Arrays.copyOf(longs, length * LONGS);
    replied = Arrays.copyOf(replied, length * stride);
    replicas = Arrays.copyOf(replicas, length);
    free = Arrays.copyOf(free, length);
    for (int operation = length - 1; operation >= old; operation--) {
      free[freeCount++] = operation;
    }
  }
}
