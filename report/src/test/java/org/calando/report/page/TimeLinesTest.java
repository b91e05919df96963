package org.calando.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.calando.report.ResultsFolder;
import org.calando.report.SampleFiles;
import org.calando.report.SampleStudy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimeLinesTest {
  @TempDir Path folder;

  @Test
  void secondsAreDrawnOneByOneWithTheirGaps() throws IOException {
    SampleStudy.demo(1).write(folder);
    JsonNode run = lines().get(0);
    assertThat(run.path("step").asInt()).isEqualTo(1);
    assertThat(run.path("first").asInt()).isEqualTo(-SampleFiles.BASELINE - SampleFiles.WARM_UP);
    JsonNode power = run.at("/quantities/0/lines/1");
    int at = SampleFiles.GAPS.get(0) - run.path("first").asInt();
    assertThat(power.get(at).isNull()).isTrue();
    assertThat(power.get(at - 1).isNumber()).isTrue();
    assertThat(run.at("/gaps/1")).hasSize(SampleFiles.GAPS.size());
    assertThat(run.at("/gaps/0")).isEmpty();
  }

  @Test
  void thePartOfASecondAtTheEndIsNoCollapse() throws IOException {
    SampleStudy study = new SampleStudy(1);
    Map<String, String> row = study.run("ONE", "4", "", 1);
    row.put("duration_s", "19.2");
    study.write(folder);
    JsonNode run = lines().get(0);
    int zero = -run.path("first").asInt();
    assertThat(run.path("operations").get(zero + 18).isNumber()).isTrue();
    assertThat(run.path("operations").get(zero + 19).isNull()).isTrue();
    assertThat(ResultsFolder.read(folder).throughput().get(row.get("run"))).hasSize(19);
    assertThat(run.at("/quantities/0/lines/0").get(zero + 19).isNumber()).isTrue();
  }

  @Test
  void longRunIsDrawnInStepsAndAStepWithAGapIsAGap() throws IOException {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1);
    study.write(folder);
    StringBuilder csv = new StringBuilder("second,phase,node,power_w,gap\n");
    for (int second = 0; second < 1000; second++) {
      boolean gap = second == 500;
      csv.append(second).append(",measured,n1,").append(gap ? ",1\n" : "80,0\n");
    }
    Path run = folder.resolve("runs").resolve(study.rows().get(0).get("run"));
    Files.writeString(run.resolve("nodes.csv"), csv);
    Files.delete(run.resolve("ops.csv"));
    JsonNode drawn = lines().get(0);
    assertThat(drawn.path("step").asInt()).isEqualTo(5);
    assertThat(drawn.at("/quantities/0/lines/0")).hasSize(200);
    assertThat(drawn.at("/quantities/0/lines/0/100").isNull()).isTrue();
    assertThat(drawn.at("/quantities/0/lines/0/99").asDouble()).isEqualTo(80);
    assertThat(drawn.at("/gaps/0").toString()).isEqualTo("[100]");
    assertThat(new TimeLines(ResultsFolder.read(folder)).cut()).contains("up to 5 seconds");
  }

  @Test
  void pageStaysSmallWhateverTheNumberOfRuns() throws IOException {
    SampleStudy study = new SampleStudy(1);
    StringBuilder csv = new StringBuilder("second,phase,node,power_w,gap\n");
    for (int second = 0; second < 240; second++) {
      for (int node = 0; node < 40; node++) {
        csv.append(second).append(",measured,n").append(node).append(",81.23,0\n");
      }
    }
    for (int threads = 1; threads <= 60; threads++) {
      study.run("ONE", Integer.toString(threads), "", 1);
    }
    study.write(folder);
    for (var row : study.rows()) {
      Files.writeString(folder.resolve("runs").resolve(row.get("run")).resolve("nodes.csv"), csv);
    }
    TimeLines lines = new TimeLines(ResultsFolder.read(folder));
    assertThat(lines.json().length()).isBetween(1000, TimeLines.MOST_CHARS + 100);
    assertThat(lines.cut())
        .containsPattern("\\d+ of 60 runs are left out")
        .contains(study.rows().get(59).get("run"));
  }

  @Test
  void fileThatIsTooLargeIsNamed() throws IOException {
    SampleStudy study = SampleStudy.demo(1);
    study.write(folder);
    String run = study.rows().get(0).get("run");
    Path file = folder.resolve("runs").resolve(run).resolve("nodes.csv");
    Files.write(file, new byte[(8 << 20) + 1]);
    assertThat(ResultsFolder.read(folder).problems())
        .containsExactly("runs/" + run + "/nodes.csv is larger than 8 MiB and is not shown here");
  }

  private JsonNode lines() throws IOException {
    return new ObjectMapper().readTree(new TimeLines(ResultsFolder.read(folder)).json());
  }
}
