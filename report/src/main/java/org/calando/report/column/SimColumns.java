package org.calando.report.column;

/** Columns of what only a simulated cluster knows. */
public final class SimColumns {
  static final Contributor<RunRecord> SIMULATOR = new Contributor<>(RunRecord.class);

  public static final Column LOST_HINTS =
      SIMULATOR
          .column(
              "lost_hints",
              "count",
              "writes for nodes that were away that a simulated cluster had no room to keep")
          .given();

  private SimColumns() {}
}
