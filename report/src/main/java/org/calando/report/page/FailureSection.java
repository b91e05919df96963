package org.calando.report.page;

import java.util.List;
import java.util.Optional;
import org.calando.report.RunRow;

/** Runs that failed, with their messages. */
final class FailureSection extends Section {
  FailureSection() {
    super("failures", "Failed runs", 100);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    List<RunRow> failed = study.results().failed();
    return failed.isEmpty() ? Optional.empty() : Optional.of(parts -> write(failed, parts.html()));
  }

  private static void write(List<RunRow> failed, Html html) {
    html.open("ul", "class", "failures");
    for (RunRow row : failed) {
      html.open("li").element("code", row.id()).text(" ");
      html.element("span", row.message()).close("li").newLine();
    }
    html.close("ul");
  }
}
