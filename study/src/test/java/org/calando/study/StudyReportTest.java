package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyReportTest {
  private static final String HEADER =
      "run,engine,workload,threads,consistency,read_level,write_level,repeat,throughput_ops_s,"
          + "joules_per_kop,provenance,reads,stale_reads,stale_rate,status\n";

  @TempDir Path folder;

  @Test
  void aStudyThatRepeatsAPaperHasItsFiguresBesideTheResults() throws Exception {
    results();
    Files.writeString(folder.resolve("environment.json"), "{\"paper\": \"li-2013\"}");
    Path report = StudyReport.write(folder);
    assertThat(Files.readAllLines(folder.resolve("published.csv")))
        .startsWith("claim,source,published,ours,low,high,verdict,note,error")
        .anyMatch(
            line ->
                line.startsWith(
                        "\"energy, QUORUM against ONE, heavy-update, 20 threads\","
                            + "\"Li 2013, section 3.4.1, Figure 10\",1.290,1.3")
                    && line.contains(",reproduced,"));
    assertThat(StudyReport.paperLine(folder))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .matches(
                        "Paper li-2013: [2-9] reproduced, .*\\d+ not in the study; published.csv"));
    assertThat(Files.readString(report)).contains("energy, QUORUM against ONE, heavy-update");
  }

  @Test
  void anyOtherStudyHasOnlyTheReport() throws Exception {
    results();
    StudyReport.write(folder);
    assertThat(folder.resolve("published.csv")).doesNotExist();
    assertThat(StudyReport.paperLine(folder)).isEmpty();
    assertThat(folder.resolve("report.html")).exists();
  }

  private void results() throws Exception {
    StringBuilder csv = new StringBuilder(HEADER);
    double[] joules = {10, 11, 12};
    for (int repeat = 1; repeat <= joules.length; repeat++) {
      csv.append(row("ONE", repeat, joules[repeat - 1]));
      csv.append(row("QUORUM", repeat, joules[repeat - 1] * (1.29 + 0.01 * repeat)));
    }
    Files.writeString(folder.resolve("results.csv"), csv);
  }

  private static String row(String level, int repeat, double joules) {
    return String.join(
            ",",
            level.toLowerCase(java.util.Locale.ROOT) + "-20t-r" + repeat,
            "cassandra,heavy-update,20",
            level + "," + level + "," + level,
            repeat + ",1000," + joules,
            "modelled,100,0,0,ok")
        + "\n";
  }
}
