package org.calando.sim.cluster;

import java.util.Arrays;

/**
 * Records of operations under way. They are objects, as what is within an object needs no check of
 * an index, and are made once. A record is in use from {@link #take} until {@link #free}. Not
 * thread safe.
 */
final class Operations {
  private static final int FIRST_LENGTH = 64;

  private final int most;
  private final int replicas;
  private OperationRecord[] records = new OperationRecord[0];
  private int[] free = new int[0];
  private int freeCount;
  private long taken;
  private long freed;

  /** Room for so many operations on keys of so many replicas. */
  Operations(int most, int replicas) {
    this.most = most;
    this.replicas = replicas;
  }

  /** A record not in use, of whatever it was last. */
  OperationRecord take() {
    if (freeCount == 0) {
      grow();
    }
    taken++;
    return records[free[--freeCount]];
  }

  void free(OperationRecord operation) {
    freed++;
    free[freeCount++] = operation.number;
  }

  /** The record of a number. */
  OperationRecord get(int number) {
    return records[number];
  }

  /** Records in use. */
  long inUse() {
    return taken - freed;
  }

  /** Operations whose clients do not know yet how they ended, counted one by one. */
  long untold() {
    long count = 0;
    for (OperationRecord record : records) {
      count += record.untold ? 1 : 0;
    }
    return count;
  }

  private void grow() {
    int old = records.length;
    if (old >= most) {
      throw new IllegalStateException("more than " + most + " operations are under way");
    }
    int length = (int) Math.min(most, Math.max(FIRST_LENGTH, 2L * old));
    records = Arrays.copyOf(records, length);
    free = Arrays.copyOf(free, length);
    for (int number = old; number < length; number++) {
      records[number] = new OperationRecord(number, replicas);
    }
    for (int number = length - 1; number >= old; number--) {
      free[freeCount++] = number;
    }
  }
}
