package org.calando.report.page;

import java.util.Optional;

/** How latencies are distributed. */
final class LatencySection extends Section {
  LatencySection() {
    super("latency", "Latency distributions", 1100);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    LatencyCurves curves = new LatencyCurves(study.folder());
    return curves.isEmpty() ? Optional.empty() : Optional.of(curves::write);
  }
}
