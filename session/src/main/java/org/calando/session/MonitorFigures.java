package org.calando.session;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Observation;

/**
 * What the monitor knows of a table. Immutable and thread safe.
 *
 * @param rates the requests for the table over all nodes: reads as they coordinate them, writes by
 *     row, as replicas apply them, batches and conditional ones among them. Its time is that of the
 *     oldest node's figure. Empty until each of those nodes has told two counts
 * @param writeBytes where {@link Observation.Rates#meanWriteBytes} comes from
 * @param late nodes that are up but did not answer the last question by its deadline, or refused
 *     it: their rates are the last they told, and make the whole as old as that
 * @param down nodes that are known to be down, and coordinate nothing: no part of the rates
 */
public record MonitorFigures(
    Optional<Observation.Rates> rates, WriteBytes writeBytes, List<Gap> late, List<Gap> down) {
  /** Copies the lists. */
  public MonitorFigures {
    late = List.copyOf(late);
    down = List.copyOf(down);
  }

  /** What tells the mean size of a write. */
  public enum WriteBytes {
    /** The application's own writes through this session. */
    OWN_WRITES,
    /** The mean size of a partition as the server estimates it: about a write's, or more. */
    TABLE_STATISTICS,
    /** Nothing: the size is not a number. */
    UNKNOWN
  }

  /**
   * A node whose count is missing.
   *
   * @param node its address
   * @param reason why
   */
  public record Gap(String node, String reason) {}
}
