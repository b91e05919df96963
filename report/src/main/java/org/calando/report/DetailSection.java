package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables with every figure. Not thread safe. */
final class DetailSection {
  private static final String COMPARISON_NOTE =
      "Paired by repeat, on the logarithm of the ratio. p is corrected by Holm\u2019s method over"
          + " this table; at 0.05 or more the answer is \u201Cundecided\u201D. \u201CCould have"
          + " seen\u201D: the smallest ratio found four times in five with this spread and number"
          + " of repeats.";

  private static final String FIGURES_NOTE =
      "Own writes unread: reads that missed the client\u2019s own acknowledged write. Reads gone"
          + " back: reads older than one the same client had before. Coverage: share of reads whose"
          + " staleness could be decided. Counts are sums over repeats.";

  private static final String BALANCE_NOTE =
      "Coefficient of variation: population standard deviation over mean of the nodes\u2019"
          + " averages.";

  private final Results results;
  private final List<Comparison> comparisons;
  private final ResultTables tables;
  private final RunTables runs;

  DetailSection(ResultsFolder study, List<Comparison> comparisons) {
    this.results = study.results();
    this.comparisons = comparisons;
    this.tables = new ResultTables(results, comparisons);
    this.runs = new RunTables(study);
  }

  /** Writes the section, or nothing if there is no run. */
  void render(Parts parts) {
    if (results.rows().isEmpty()) {
      return;
    }
    parts.begin("details", "Figures in full");
    if (!comparisons.isEmpty()) {
      parts.table("Comparisons", tables.comparisons(), COMPARISON_NOTE);
    }
    parts.table("All figures", tables.figures(), FIGURES_NOTE);
    parts.table("Nodes", runs.nodes(), runs.nodesNote());
    if (!results.measured().isEmpty()) {
      parts.table("Balance", tables.balance(), BALANCE_NOTE);
    }
    parts.table("Runs", runs.runs(), common()).end();
  }

  private String common() {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, String> entry : runs.common().entrySet()) {
      parts.add(entry.getKey() + " = " + entry.getValue());
    }
    return parts.isEmpty() ? "" : "The same in every run: " + String.join("; ", parts) + ".";
  }
}
