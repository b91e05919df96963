package org.calando.report;

import java.util.Map;
import java.util.Set;

/**
 * One run: a line of {@code results.csv}. Any column may be missing: its text is then empty and its
 * number NaN. Immutable.
 */
public record RunRow(Map<String, String> cells) {
  /** The cell's text, empty if the column is missing. */
  public String text(String column) {
    return cells.getOrDefault(column, "").strip();
  }

  /** The first of the columns that is not empty, or an empty string. */
  public String firstOf(String... columns) {
    for (String column : columns) {
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

  public String id() {
    return text("run");
  }

  /** A run without a word on its status has failed unless it got as far as a throughput. */
  public boolean failed() {
    String status = text("status");
    return status.isEmpty()
        ? Double.isNaN(number("throughput_ops_s"))
        : !Set.of("ok", "OK").contains(status);
  }

  public String message() {
    return firstOf("message").isEmpty()
        ? "failed without a message"
        : Figures.brief(text("message"));
  }

  /** How the run's joules came about, such as {@code modelled}; never empty. */
  public String provenance() {
    String word = text("provenance");
    return word.isEmpty() ? "provenance not stated" : word.toLowerCase(java.util.Locale.ROOT);
  }

  /** Gross joules per 1000 operations. */
  public double joulesPerKop() {
    double given = number("joules_per_kop");
    return Double.isNaN(given) ? perThousandSuccessful("energy_j") : given;
  }

  /** Joules above idle per 1000 operations. */
  public double netJoulesPerKop() {
    return perThousandSuccessful("energy_net_j");
  }

  private double perThousandSuccessful(String column) {
    double errors = number("errors");
    double successful = number("operations") - (Double.isNaN(errors) ? 0 : errors);
    return successful > 0 ? number(column) / successful * 1000 : Double.NaN;
  }

  /** Stale reads per read checked, 0 to 1. */
  public double staleRate() {
    return number("stale_rate");
  }
}
