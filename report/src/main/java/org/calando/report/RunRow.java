package org.calando.report;

import java.util.Map;
import java.util.Set;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;

/**
 * One run: a line of {@code results.csv}. Any column may be missing: its text is then empty and its
 * number NaN. Immutable.
 */
public record RunRow(Map<String, String> cells) {
  /** The cell's text, empty if it is not known. */
  public String text(Column column) {
    return text(column.name());
  }

  /** The cell as a finite number, NaN if it is not known. */
  public double number(Column column) {
    return number(column.name());
  }

  /** The cell's text, empty if the column is missing. */
  public String text(String column) {
    return cells.getOrDefault(column, "").strip();
  }

  /** The first of the columns that is not empty, or an empty string. */
  public String firstOf(Column... columns) {
    for (Column column : columns) {
      if (!text(column).isEmpty()) {
        return text(column);
      }
    }
    return "";
  }

  /** The cell as a finite number, else NaN; a trailing {@code /s} is allowed. */
  public double number(String column) {
    String text = text(column);
    if (text.endsWith("/s")) {
      text = text.substring(0, text.length() - 2).strip();
    }
    if (text.isEmpty()) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The run's id, which is its folder's name. */
  public String id() {
    return text(RunColumns.ID);
  }

  /** A run without a word on its status has failed unless it got as far as a throughput. */
  public boolean failed() {
    String status = text(RunColumns.STATUS);
    return status.isEmpty()
        ? Double.isNaN(number(LoadColumns.THROUGHPUT_OPS_S))
        : !Set.of(RunColumns.OK, "OK").contains(status);
  }

  /** Why the run failed; empty if it did not. */
  public String message() {
    return text(RunColumns.MESSAGE).isEmpty()
        ? "failed without a message"
        : Figures.brief(text(RunColumns.MESSAGE));
  }

  /** How the run's joules came about, such as {@code modelled}; never empty. */
  public String provenance() {
    String word = text(EnergyColumns.PROVENANCE);
    return word.isEmpty() ? "provenance not stated" : word.toLowerCase(java.util.Locale.ROOT);
  }

  /** Whether it is of a simulated cluster. */
  public boolean isSimulated() {
    return provenance().equals("simulated");
  }

  /** Gross joules per 1000 operations. */
  public double joulesPerKop() {
    double given = number(EnergyColumns.JOULES_PER_KOP);
    return Double.isNaN(given) ? perThousandSuccessful(EnergyColumns.ENERGY_J) : given;
  }

  /** Joules above idle per 1000 operations. */
  public double netJoulesPerKop() {
    return perThousandSuccessful(EnergyColumns.ENERGY_NET_J);
  }

  private double perThousandSuccessful(Column column) {
    double errors = number(LoadColumns.ERRORS);
    double successful = number(LoadColumns.OPERATIONS) - (Double.isNaN(errors) ? 0 : errors);
    return successful > 0 ? number(column) / successful * 1000 : Double.NaN;
  }

  /** Stale reads per read checked, 0 to 1. */
  public double staleRate() {
    return number(StaleColumns.STALE_RATE);
  }
}
