package org.calando.store.hbase.internal;

import java.util.ArrayList;
import java.util.List;

/** Writes that wait to be sent together. Guarded by itself. */
final class WriteBuffer {
  private List<Write> writes = new ArrayList<>();
  private long bytes;
  private long filling;
  private long armed = -1;

  /** Bytes in it. */
  long bytes() {
    return bytes;
  }

  /** When the oldest of its writes was acknowledged; only of one that is not empty. */
  long oldestNanos() {
    return writes.get(0).acknowledgedNanos;
  }

  boolean isEmpty() {
    return writes.isEmpty();
  }

  /** A number that changes each time that it is emptied. */
  long filling() {
    return filling;
  }

  /** The filling whose sending has been seen to; see {@link #filling}. */
  long armed() {
    return armed;
  }

  /** The sending of what is in it now has been seen to. */
  void arm() {
    armed = filling;
  }

  void add(Write write) {
    writes.add(write);
    bytes += write.bytes;
  }

  /** Empties it. */
  List<Write> take() {
    List<Write> taken = writes;
    writes = new ArrayList<>(taken.size());
    bytes = 0;
    filling++;
    return taken;
  }
}
