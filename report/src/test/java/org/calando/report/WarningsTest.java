package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarningsTest {
  @TempDir Path folder;

  @Test
  void aMachineWithOtherWorkWhenEveryRunBeganIsAWarning() {
    assertThat(Warnings.of(study(32.4, 47.1)))
        .singleElement()
        .asString()
        .contains("load average 32.4\u201347.1 when runs began, on 2 cores");
  }

  @Test
  void whatTheRunBeforeLeftBehindIsNone() {
    assertThat(Warnings.of(study(3.1, 9.5))).isEmpty();
    assertThat(Warnings.of(study())).isEmpty();
  }

  /** A study on two cores whose runs began at such load averages. */
  private ResultsFolder study(double... loads) {
    ResultsFolder read = ResultsFolder.read(SampleStudy.demo(1).write(folder));
    Map<String, JsonNode> summaries = new LinkedHashMap<>();
    for (double load : loads) {
      summaries.put(
          "run" + summaries.size(),
          JsonNodeFactory.instance.objectNode().put("load_average", load));
    }
    return new ResultsFolder(
        folder,
        read.studyText(),
        read.environment(),
        read.results(),
        summaries,
        Map.of(),
        List.of());
  }
}
