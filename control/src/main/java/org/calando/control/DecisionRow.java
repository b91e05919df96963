package org.calando.control;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;

/**
 * A decision as a {@link DecisionLog} noted it. Immutable and thread safe.
 *
 * @param second seconds since the measured window began, negative before; in the phase {@code
 *     warm-up} since the first decision where the begin was not known yet
 * @param phase in which it was taken
 * @param choice what reads were set to; empty if the decision set nothing
 * @param changed whether that differs from the decision before
 * @param stateBefore the policy's state before it, as text
 * @param observation what it was made from
 * @param cells the cells by the names of their columns, but for the observation's
 */
public record DecisionRow(
    double second,
    String phase,
    Optional<ReadChoice> choice,
    boolean changed,
    String stateBefore,
    Observation observation,
    Map<String, String> cells) {
  public DecisionRow {
    cells = Map.copyOf(cells);
  }

  /**
   * A figure.
   *
   * @param column its column, of {@link DecisionFile#COLUMNS}
   * @return empty if the cell is empty, or there is no such column
   */
  public OptionalDouble number(String column) {
    String cell = cells.getOrDefault(column, "");
    return cell.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(cell));
  }
}
