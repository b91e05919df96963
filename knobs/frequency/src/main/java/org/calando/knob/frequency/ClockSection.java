package org.calando.knob.frequency;

import java.util.List;
import java.util.Optional;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Section;

/** Policies that set the clocks of masters and replicas. */
public final class ClockSection implements Section {
  static final String DATA = "clocks-data";

  @Override
  public String id() {
    return "clocks";
  }

  @Override
  public String title() {
    return "Clocks of masters and replicas";
  }

  @Override
  public int rank() {
    return 600;
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
