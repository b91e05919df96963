package org.calando.control;

import java.util.Map;
import org.calando.core.policy.Signals;

/**
 * A decision as a {@link DecisionLog} noted it. Immutable and thread safe.
 *
 * @param line of the file on which it begins, counted from 1
 * @param intact whether its checksum is that of its cells; a row without one is taken as it is
 * @param signals what it was made from
 * @param cells all other cells by the names of their columns
 */
public record DecisionRow(int line, boolean intact, Signals signals, Map<String, String> cells) {
  public DecisionRow {
    cells = Map.copyOf(cells);
  }

  /** A cell; empty if there is no such column. */
  public String cell(String column) {
    return cells.getOrDefault(column, "");
  }

  /**
   * Seconds since the measured window began, negative before; in the phase {@code warm-up} since
   * the first decision where the begin was not known yet.
   */
  public double second() {
    return Double.parseDouble(cell("second"));
  }

  /** In which it was taken. */
  public String phase() {
    return cell("phase");
  }

  /** Which knobs were decided on. */
  public String knobs() {
    return cell("knobs");
  }

  /** The policy's state before it, as text. */
  public String stateBefore() {
    return cell("state_before");
  }
}
