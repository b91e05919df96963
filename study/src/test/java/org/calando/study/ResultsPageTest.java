package org.calando.study;

import org.calando.report.column.ResultColumns;
import org.calando.studyfile.Golden;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Golden.TAG)
class ResultsPageTest {
  @Test
  void thePageOfColumnsIsUpToDate() {
    Golden.check(
        TestStudy.MODULE.resolveSibling("docs").resolve("results-csv.md"), ResultColumns.page());
  }
}
