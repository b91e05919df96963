package org.calando.report.page;

import java.util.Optional;

/** Where the figures come from. */
final class ProvenanceSection extends Section {
  ProvenanceSection() {
    super("provenance", "Environment and provenance", 1600);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return Optional.of(parts -> new Provenance(study.folder(), parts.html()).write());
  }
}
