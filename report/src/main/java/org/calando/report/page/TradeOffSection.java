package org.calando.report.page;

import java.util.List;
import java.util.Optional;

/** Joules an operation against stale reads, as points. */
final class TradeOffSection extends Section {
  private static final String NOTE =
      "Towards the lower left is better. 1 J per 1000 operations is 1 mJ per operation. Closed"
          + " loops (filled) and open loops (hollow) stand apart: at a fixed rate the nodes' idle"
          + " power is shared among fewer operations. ";

  TradeOffSection() {
    super("tradeoff", "Joules against stale reads", 400);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    List<Chart> charts = new Charts(study.results()).tradeOffs();
    return charts.isEmpty()
        ? Optional.empty()
        : Optional.of(parts -> parts.note(NOTE + study.origin()).pair(charts));
  }
}
