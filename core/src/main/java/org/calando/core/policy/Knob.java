package org.calando.core.policy;

/**
 * Something on a cluster that can be set, and costs joules or promises according to how it is set.
 * One at a time may set it.
 *
 * @param <V> what it can be set to; immutable
 */
public interface Knob<V> {
  /** How long what was set stays. */
  enum Lifetime {
    /** As long as this process, in whose memory it is: nobody has to restore it. */
    PROCESS,
    /** Until its owner ends, in whatever way: then the knob is back where it was. */
    LEASED,
    /** Until ordered otherwise, restarts included. */
    DURABLE
  }

  /** Which knob this is. */
  KnobId<V> id();

  /** What it acts on, in its own terms: a table, a node, a role. */
  String target();

  /** How long what was set stays. */
  Lifetime lifetime();

  /**
   * How it is set now, read from where it takes effect.
   *
   * @throws org.calando.core.FailedWorkException if that cannot be read
   */
  V current();

  /**
   * What has to be done to get from one setting to another. Changes nothing, and gives the same
   * steps at any time, so that a later process can finish or take back what a dead one began.
   *
   * @param from how it was set before: {@link #current} of a knob at rest
   * @param to what to set
   * @return steps in the order in which they are safe; none if both are the same
   * @throws org.calando.core.BadRequestException if it cannot be set so
   */
  Plan plan(V from, V to);
}
