package org.calando.knob.tokens;

import java.util.Optional;
import java.util.Set;
import org.calando.report.ResultsFolder;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Section;

/** The figures and tables of Li 2013, of a study that repeats it. */
public final class ThesisSection extends Section {
  private static final String PAPER = "li-2013";

  /** As a service. */
  public ThesisSection() {
    super("thesis", "The thesis\u2019s figures for this study", 900);
  }

  /** Empty if the study repeats another paper or none, or if no run succeeded. */
  @Override
  public Optional<Content> of(PageStudy study) {
    return repeats(study.folder()) && !study.results().measured().isEmpty()
        ? Optional.of(parts -> new ThesisParts(study.results()).write(parts, study.origin()))
        : Optional.empty();
  }

  /** They stand in its figures by workload. */
  @Override
  public Set<String> details(ResultsFolder study) {
    return repeats(study) ? Set.of("throughput", "stale") : Set.of();
  }

  private static boolean repeats(ResultsFolder study) {
    return study.environment().path("paper").asText("").equals(PAPER);
  }
}
