package org.calando.report.page;

import java.util.Optional;

/** What the runs cost in joules, money and carbon, and what it cost to find out. */
final class AccountSection extends Section {
  AccountSection() {
    super("account", "Energy account", 1300);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return study.results().measured().isEmpty()
        ? Optional.empty()
        : Optional.of(parts -> new Account(study.folder()).write(parts.note(study.origin())));
  }
}
