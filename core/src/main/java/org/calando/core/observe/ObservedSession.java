package org.calando.core.observe;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;

/**
 * A session whose reads are counted by level, and whose keys a sketch learns from. As thread safe
 * as the session that it passes everything on to.
 */
public final class ObservedSession implements Session {
  private final Session session;
  private final PopularitySketch sketch;
  private final Map<ConsistencyLevel, LongAdder> reads = new EnumMap<>(ConsistencyLevel.class);

  /**
   * Wraps a session.
   *
   * @param sketch learns the keys of its reads and writes
   */
  public ObservedSession(Session session, PopularitySketch sketch) {
    this.session = session;
    this.sketch = sketch;
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      reads.put(level, new LongAdder());
    }
  }

  /** Reads so far, by level. */
  public Map<ConsistencyLevel, Long> readsByLevel() {
    Map<ConsistencyLevel, Long> counts = new EnumMap<>(ConsistencyLevel.class);
    reads.forEach((level, count) -> counts.put(level, count.sum()));
    return counts;
  }

  @Override
  public int slots() {
    return session.slots();
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    count(level);
    sketch.read(key);
    session.read(slot, key, field, level, completion);
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    sketch.write(key);
    session.write(slot, key, field, valueBytes, version, level, completion);
  }

  /** Its first key stands for all that it returns. */
  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    count(level);
    sketch.read(key);
    session.scan(slot, key, count, field, level, completion);
  }

  private void count(ConsistencyLevel level) {
    LongAdder adder = reads.get(level);
    if (adder != null) {
      adder.increment();
    }
  }

  @Override
  public boolean flush(Runnable done) {
    return session.flush(done);
  }

  @Override
  public List<String> errors() {
    return session.errors();
  }

  @Override
  public void close() {
    session.close();
  }
}
