package org.calando.report.page;

import java.util.List;
import java.util.Optional;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.StaleColumns;
import org.calando.report.page.Table.Cell;

/** What the dual read found beside the oracle. */
final class DualReadSection extends Section {
  private static final String NOTE =
      "Dual read (Li 2013, section 3): a second read at the strongest level follows each read, and"
          + " the first is stale if it returned an older version. It also counts writes that ended"
          + " between the two reads. The oracle knows every acknowledged write and judges the first"
          + " read alone.";

  DualReadSection() {
    super("dual", "Dual read beside the oracle", 1400);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    boolean dual =
        study.results().rows().stream()
            .filter(r -> !r.failed())
            .mapToDouble(r -> r.number(StaleColumns.DUAL_READS))
            .anyMatch(Double::isFinite);
    return dual
        ? Optional.of(
            parts -> parts.table("Stale reads by both methods", dual(study.results()), NOTE))
        : Optional.empty();
  }

  private static Table dual(Results results) {
    Table table =
        new Table("dual-reads", "Stale reads by the oracle and by dual reads")
            .text("Level", "level")
            .estimate("Oracle", "% of reads checked", "stale_percent")
            .estimate("Dual read", "% of pairs", "dual_percent")
            .number("Stale", "oracle", "stale_reads")
            .number("Older", "dual read", "dual_stale_reads")
            .number("Pairs", "", "dual_reads");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.measured()) {
        table.row(
            List.of(
                Cell.of(c.label()),
                small(c.estimate(r -> r.staleRate() * 100)),
                small(
                    c.estimate(
                        r ->
                            r.number(StaleColumns.DUAL_STALE_READS)
                                / r.number(StaleColumns.DUAL_READS)
                                * 100)),
                Cell.count(c.sum(StaleColumns.STALE_READS)),
                Cell.count(c.sum(StaleColumns.DUAL_STALE_READS)),
                Cell.count(c.sum(StaleColumns.DUAL_READS))));
      }
    }
    return table;
  }

  /** Tiny figures need no interval on the page; it is in the download. */
  private static Cell small(Estimate estimate) {
    return Cell.of(estimate, Figures.figure(estimate.mean()));
  }
}
