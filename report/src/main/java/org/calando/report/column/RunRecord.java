package org.calando.report.column;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a run, figures by their kind: its row of results.csv and its summary.json are
 * made from it. Not thread safe.
 */
public final class RunRecord {
  private final Map<Class<?>, Object> figures = new HashMap<>();
  private final Map<String, Object> given = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** Adds figures, in place of those of the same kind. */
  public RunRecord add(Object found) {
    figures.put(found.getClass(), found);
    return this;
  }

  /** The figures of a kind; empty if they do not apply, or are not known. */
  public <F> Optional<F> find(Class<F> kind) {
    return kind == RunRecord.class
        ? Optional.of(kind.cast(this))
        : Optional.ofNullable(figures.get(kind)).map(kind::cast);
  }

  /** Gives the value of a column of texts; empty is not known. */
  public RunRecord give(Column column, String value) {
    given.put(column.name(), value);
    return this;
  }

  /** Gives the value of a column of numbers; NaN is not known. */
  public RunRecord give(Column column, double value) {
    given.put(column.name(), value);
    return this;
  }

  /** What was given as a number; NaN if nothing was. */
  double number(Column column) {
    return given.get(column.name()) instanceof Double number ? number : Double.NaN;
  }

  /** What was given, as it stands in a row; empty if nothing was. */
  public String text(String column) {
    Object value = given.getOrDefault(column, "");
    return value instanceof Double number ? text(number) : value.toString();
  }

  /** With six significant digits; what does not exist must not look like a zero, and is empty. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return new BigDecimal(String.format(Locale.ROOT, "%.6g", value))
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Says why the figures are not to be trusted; the first reason counts. */
  public RunRecord fail(String why) {
    return failed() ? this : give(RunColumns.MESSAGE, why);
  }

  /** Adds what a reader should know. */
  public RunRecord note(List<String> texts) {
    notes.addAll(texts);
    return this;
  }

  /** Why the run failed, if it did, and what else a reader should know. */
  public List<String> notes() {
    List<String> all = new ArrayList<>(notes);
    if (failed()) {
      all.add(0, text(RunColumns.MESSAGE.name()));
    }
    return all;
  }

  /** Whether the figures are not to be trusted: a message says why. */
  public boolean failed() {
    return !text(RunColumns.MESSAGE.name()).isEmpty();
  }
}
