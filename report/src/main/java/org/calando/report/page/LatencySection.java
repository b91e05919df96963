package org.calando.report.page;

import java.util.Optional;

/** How latencies are distributed. */
final class LatencySection implements Section {
  @Override
  public String id() {
    return "latency";
  }

  @Override
  public String title() {
    return "Latency distributions";
  }

  @Override
  public int rank() {
    return 1100;
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    LatencyCurves curves = new LatencyCurves(study.folder());
    return curves.isEmpty() ? Optional.empty() : Optional.of(curves::write);
  }
}
