package org.calando.report.page;

import java.util.Optional;
import org.calando.report.Figures;
import org.calando.report.Results;

/** What most readers want of each configuration, in one table. */
final class ResultSection extends Section {
  ResultSection() {
    super("results", "Results", 200);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return Optional.of(parts -> write(study, parts));
  }

  private static void write(PageStudy study, Parts parts) {
    if (study.results().rows().isEmpty()) {
      parts.html().element("p", "There are no runs to show.");
    } else {
      new ResultTables(study.results(), study.comparisons()).summary().render(parts.html());
      parts.note(note(study.results()) + study.origin());
    }
  }

  private static String note(Results results) {
    String means =
        results.repeats() > 1
            ? "Energy, power, throughput and stale rate: mean over repeats with its 95\u00A0%"
                + " Student interval. Percentiles are never averaged: the middle run's (of an"
                + " even number the upper middle one's), over the range of all repeats. Ratios"
                + " are taken repeat by repeat."
            : "One repeat: no interval.";
    String none = " \u201C" + Figures.NONE + "\u201D: does not apply, or was not recorded. ";
    String net =
        results.hasNegativeNet() ? "Above idle is " + Results.WHY_NET_IS_NEGATIVE + ". " : "";
    return means + none + net;
  }
}
