package org.calando.session.internal.governed;

import java.util.List;

/**
 * What a governor answers to a report. Immutable and thread safe.
 *
 * @param version changes with any of the levels
 * @param validNanos for how long they hold, from when the report was sent
 * @param instances sessions that share the budget of shadow reads, 1 or more
 * @param trouble why it decides nothing; empty if all is well
 */
public record Answer(
    long version, long validNanos, int instances, String trouble, List<TableLevel> tables) {
  /** Copies the list. */
  public Answer {
    tables = List.copyOf(tables);
  }
}
