package org.calando.report;

import java.util.Comparator;
import org.calando.report.column.Column;

/**
 * Orders the values of a knob's column, which others are compared with the first of. Found as
 * services, at most one a column, whose constructors have no parameters; values of other columns
 * stand as they come. Implementations are stateless and thread safe.
 */
public interface ValueOrder extends Comparator<String> {
  /** The knob's column in results.csv. */
  Column column();
}
