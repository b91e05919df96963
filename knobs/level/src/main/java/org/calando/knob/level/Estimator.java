package org.calando.knob.level;

import java.util.Set;
import org.calando.report.column.Column;
import org.calando.report.column.LevelColumns;

/** The three models that predict stale reads, and their columns. */
enum Estimator {
  HARMONY("Harmony, as published", "harmony", 2),
  EXACT("exact per key", "exact", 3),
  PBS("PBS", "pbs", 4);

  private static final Set<String> EXACT_POLICIES = Set.of("harmony-exact", "bismar", "rationing");

  private final String label;
  private final String column;
  private final int tone;

  Estimator(String label, String column, int tone) {
    this.label = label;
    this.column = column;
    this.tone = tone;
  }

  String label() {
    return label;
  }

  /** The label without what a line's neighbours make clear. */
  String brief() {
    return this == HARMONY ? "Harmony" : label;
  }

  /** Its colour in charts that have lines of other kinds too. */
  int tone() {
    return tone;
  }

  /** Stale rate predicted for the choice in use: a column of a run's decisions. */
  String inUse() {
    return column;
  }

  /** Stale rate predicted for reads of one replica: a column of decisions and of results. */
  String ofOne() {
    return column + "_one";
  }

  /** The mean of what was predicted for the choice in use: a column of the results. */
  Column rate() {
    return switch (this) {
      case HARMONY -> LevelColumns.HARMONY_RATE;
      case EXACT -> LevelColumns.EXACT_RATE;
      case PBS -> LevelColumns.PBS_RATE;
    };
  }

  /** Whether a policy decides on it. */
  boolean decides(String policy) {
    return switch (this) {
      case HARMONY -> policy.equals("harmony");
      case PBS -> policy.equals("pbs");
      case EXACT -> EXACT_POLICIES.contains(policy);
    };
  }
}
