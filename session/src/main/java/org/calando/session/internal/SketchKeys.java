package org.calando.session.internal;

import java.util.Optional;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PopularitySketch;
import org.calando.session.KeyObserver;

/** Learns by the sketch. Thread safe. */
public final class SketchKeys implements KeyObserver {
  private final PopularitySketch sketch;

  /**
   * An empty sketch.
   *
   * @param seed of its random numbers
   */
  public SketchKeys(long seed) {
    sketch = new PopularitySketch(PopularitySketch.Config.of(seed));
  }

  @Override
  public void observed(long hashOfKey, boolean write) {
    if (write) {
      sketch.write(hashOfKey);
    } else {
      sketch.read(hashOfKey);
    }
  }

  @Override
  public Optional<KeyPopularity> renew() {
    return sketch.rotate();
  }
}
