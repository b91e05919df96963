package org.calando.knob;

import org.calando.core.store.ReplicaPlacement;

/** The levels of a configuration's reads and writes, as far as other knobs go by them. */
public interface LevelNeeds {
  /** Replicas of a key that have to answer at the stronger of them, at least. */
  int replicas(ReplicaPlacement placement);

  /** What results call them. */
  String label();
}
