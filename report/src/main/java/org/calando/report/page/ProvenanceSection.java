package org.calando.report.page;

import java.util.Optional;

/** Where the figures come from. */
final class ProvenanceSection implements Section {
  @Override
  public String id() {
    return "provenance";
  }

  @Override
  public String title() {
    return "Environment and provenance";
  }

  @Override
  public int rank() {
    return 1600;
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return Optional.of(parts -> new Provenance(study.folder(), parts.html()).write());
  }
}
