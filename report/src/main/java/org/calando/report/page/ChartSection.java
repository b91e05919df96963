package org.calando.report.page;

import java.util.List;
import java.util.Optional;

/** Energy, throughput and stale reads of each configuration as bars. */
final class ChartSection extends Section {
  ChartSection() {
    super("charts", "Energy, throughput, staleness", 300);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    List<Chart> bars = new Charts(study.results()).bars(study.detailed());
    return bars.isEmpty() ? Optional.empty() : Optional.of(parts -> write(bars, study, parts));
  }

  private static void write(List<Chart> bars, PageStudy study, Parts parts) {
    String key =
        study.results().repeats() > 1
            ? "Bar, tick and number: mean over repeats. Line: 95\u00A0% Student interval; an arrow"
                + " at 0 where it extends below. Dots: each repeat."
            : "Bar and dot: the one repeat; no interval.";
    parts.note(key + " " + study.origin());
    parts.html().open("noscript");
    parts.note("Charts need JavaScript; their figures are in the tables.");
    parts.html().close("noscript");
    parts.figures(bars);
  }
}
