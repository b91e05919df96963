package org.calando.core.policy;

/** Something that is known when a decision is taken, as signals. */
public interface Observed {
  /** What is known, each part with the time that it is of. */
  Signals signals();
}
