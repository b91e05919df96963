package org.calando.knob;

import java.util.function.Supplier;
import org.calando.core.store.Session;
import org.calando.load.Levels;

/** The part of a run on records that says at which levels they are read and written. */
public interface RunLevels extends RunPart {
  /** The levels of the next operation; does not block. */
  Supplier<Levels> levels();

  /** The run's session, as the load is to use it for operations to be observed. */
  default Session observing(Session session) {
    return session;
  }
}
