package org.calando.core.observe;

/**
 * A figure of a promise over the last period: the truth is between its ends. Immutable.
 *
 * @param low its lower end, in the promise's unit
 * @param high its upper end, not below the lower one; infinite where nothing bounds it
 * @param reads of clients in the period that it is of, 0 or more; NaN if that is not known
 * @param kind how it came about
 * @param source what measured it, in words
 */
public record PromiseFigure(double low, double high, double reads, Kind kind, String source) {
  /** How a figure came about. */
  public enum Kind {
    /** From what was seen of the promise itself. */
    MEASURED,
    /** By a model, from what was seen of other things. */
    PREDICTED
  }

  /** Refuses what is no interval. */
  public PromiseFigure {
    if (!(low <= high)) {
      throw new IllegalArgumentException("a figure from " + low + " to " + high);
    }
  }
}
