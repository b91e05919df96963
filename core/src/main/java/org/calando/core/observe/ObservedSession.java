package org.calando.core.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ForwardingSession;
import org.calando.core.store.Session;

/**
 * A session whose reads are counted by level, and whose keys a sketch learns from. As thread safe
 * as the session that it passes everything on to.
 */
public final class ObservedSession extends ForwardingSession {
  private final PopularitySketch sketch;
  private final Map<ConsistencyLevel, LongAdder> reads = new EnumMap<>(ConsistencyLevel.class);

  /**
   * Wraps a session.
   *
   * @param sketch learns the keys of its reads and writes
   */
  public ObservedSession(Session session, PopularitySketch sketch) {
    super(session);
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
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    count(level);
    sketch.read(key);
    super.read(slot, key, field, level, completion);
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
    super.write(slot, key, field, valueBytes, version, level, completion);
  }

  /** Its first key stands for all that it returns. */
  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    count(level);
    sketch.read(key);
    super.scan(slot, key, count, field, level, completion);
  }

  private void count(ConsistencyLevel level) {
    LongAdder adder = reads.get(level);
    if (adder != null) {
      adder.increment();
    }
  }
}
