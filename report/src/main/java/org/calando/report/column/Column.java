package org.calando.report.column;

import java.util.function.Function;

/**
 * A column of {@code results.csv}. Immutable and thread safe.
 *
 * @param name in the header
 * @param unit of its values, or what they are
 * @param doc the meaning in a sentence, Markdown
 * @param value of a run; empty if it does not apply, or is not known
 */
public record Column(String name, String unit, String doc, Function<RunRecord, String> value) {
  /** Begins the names of columns that say what a knob of a run was set to. */
  public static final String KNOB = "knob_";

  @Override
  public String toString() {
    return name;
  }
}
