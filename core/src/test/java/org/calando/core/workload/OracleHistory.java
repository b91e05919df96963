package org.calando.core.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/**
 * A random history of overlapping operations, run against an oracle and kept as a list of events,
 * each with its position in the order in which the oracle was told.
 */
final class OracleHistory {
  /** Sizes of a history. */
  record Shape(int steps, int keys, int loadedKeys, int clients, int slots, long untrackedFrom) {}

  /** A write: positions are -1 where they do not apply. */
  static final class Write {
    int client;
    long key;
    long version;
    int acknowledgedAt = -1;
    long acknowledgedNanos;
    boolean indeterminate;
  }

  /** A read that ended without an error. */
  static final class Read {
    int client;
    long key;
    int beganAt;
    long startNanos;
    long issuedAtBegin;
    boolean measured;
    int endedAt = -1;
    long returned;
    int verdict;
  }

  final Shape shape;
  final List<Write> writes = new ArrayList<>();
  final List<Read> reads = new ArrayList<>();
  private final Random random;
  private final StalenessOracle oracle;
  private final Map<Long, Long> issued = new HashMap<>();
  private int position;
  private long nowNanos = 1_000;

  OracleHistory(long seed, Shape shape, StalenessOracle oracle) {
    this.shape = shape;
    this.random = new Random(seed);
    this.oracle = oracle;
  }

  /** Runs the history; slots end in random order, so that acknowledgements arrive out of order. */
  void run() {
    oracle.loaded(0, shape.loadedKeys());
    for (long key = 0; key < Math.min(shape.loadedKeys(), shape.untrackedFrom()); key++) {
      issued.put(key, 1L);
    }
    Object[] underWay = new Object[shape.slots()];
    int warmup = shape.steps() / 5;
    for (int step = 0; step < shape.steps(); step++) {
      position++;
      // Several events may share one reading of the clock.
      nowNanos += random.nextInt(3) * (long) random.nextInt(1_000_000);
      int slot = random.nextInt(underWay.length);
      if (underWay[slot] instanceof Write write) {
        endWrite(slot, write);
        underWay[slot] = null;
      } else if (underWay[slot] instanceof Read read) {
        endRead(slot, read);
        underWay[slot] = null;
      } else {
        underWay[slot] =
            random.nextInt(100) < 45 ? beginWrite(slot) : beginRead(slot, step >= warmup);
      }
    }
  }

  private Write beginWrite(int slot) {
    Write write = new Write();
    write.client = random.nextInt(shape.clients());
    write.key = key();
    write.version = oracle.beginWrite(slot, write.client, write.key);
    long expected = issued.merge(write.key, 1L, Long::sum);
    if (write.key < shape.untrackedFrom() && write.version != expected) {
      throw new AssertionError("version " + write.version + " issued, expected " + expected);
    }
    writes.add(write);
    return write;
  }

  private void endWrite(int slot, Write write) {
    int chance = random.nextInt(100);
    Outcome outcome =
        chance < 75
            ? Outcome.OK
            : chance < 87 ? Outcome.INDETERMINATE : chance < 94 ? Outcome.REFUSED : Outcome.FAILED;
    write.indeterminate = outcome == Outcome.INDETERMINATE;
    if (outcome == Outcome.OK) {
      write.acknowledgedAt = position;
      write.acknowledgedNanos = nowNanos;
    }
    oracle.endWrite(slot, outcome, nowNanos);
  }

  private Read beginRead(int slot, boolean measured) {
    Read read = new Read();
    read.client = random.nextInt(shape.clients());
    read.key = key();
    read.beganAt = position;
    read.startNanos = nowNanos;
    read.issuedAtBegin = issued.getOrDefault(read.key, 0L);
    read.measured = measured && random.nextInt(20) != 0;
    oracle.beginRead(slot, read.client, read.key, nowNanos, read.measured);
    return read;
  }

  private void endRead(int slot, Read read) {
    int chance = random.nextInt(100);
    if (chance < 8) {
      Outcome error =
          chance < 3 ? Outcome.REFUSED : chance < 6 ? Outcome.INDETERMINATE : Outcome.FAILED;
      int verdict = oracle.endRead(slot, error, Session.NO_VERSION);
      if (verdict != StalenessOracle.NOT_CHECKED) {
        throw new AssertionError("an errored read was judged " + verdict);
      }
      return;
    }
    read.endedAt = position;
    read.returned = returned(read.key, chance);
    boolean found = read.returned > 0;
    read.verdict =
        oracle.endRead(
            slot,
            found ? Outcome.OK : Outcome.NOT_FOUND,
            found ? read.returned : Session.NO_VERSION);
    reads.add(read);
  }

  /** Any version issued by now: mostly recent ones, sometimes any older one, sometimes none. */
  private long returned(long key, int chance) {
    long newest = issued.getOrDefault(key, 0L);
    if (chance < 12) {
      return 0;
    }
    return Math.max(
        0, newest - (chance < 30 ? random.nextInt((int) newest + 1) : random.nextInt(4)));
  }

  /** Low keys are popular. */
  private long key() {
    int bound = 1 + random.nextInt(shape.keys());
    return random.nextInt(bound);
  }
}
