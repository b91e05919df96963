package org.calando.knob.frequency;

import java.util.List;
import java.util.Optional;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Section;

/** Policies that set the clocks of masters and replicas. */
public final class ClockSection extends Section {
  static final String DATA = "clocks-data";

  /** As a service. */
  public ClockSection() {
    super("clocks", "Clocks of masters and replicas", 600);
  }

  @Override
  public Optional<String> data() {
    return Optional.of(DATA);
  }

  /** Empty if no run had a policy. */
  @Override
  public Optional<Content> of(PageStudy study) {
    List<ClockGroup> groups = ClockGroup.all(study.results());
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(parts -> new ClockParts(study.folder(), groups).write(parts));
  }
}
