package org.calando.sim.control;

import java.util.List;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;

/** A session from whose keys a sketch learns. As thread safe as what it passes everything on to. */
final class SketchedSession implements Session {
  private final Session session;
  private final PopularitySketch sketch;

  SketchedSession(Session session, PopularitySketch sketch) {
    this.session = session;
    this.sketch = sketch;
  }

  @Override
  public int slots() {
    return session.slots();
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
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
    sketch.read(key);
    session.scan(slot, key, count, field, level, completion);
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
