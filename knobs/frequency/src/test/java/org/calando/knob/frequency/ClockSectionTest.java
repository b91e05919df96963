package org.calando.knob.frequency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.report.Results;
import org.calando.report.ResultsFolder;
import org.calando.report.column.RunColumns;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies of clocks in a report: of three blocks of two workloads, with known figures. */
class ClockSectionTest {
  private static final String HEADER =
      "run,engine,workload,threads,consistency,read_level,write_level,clock,repeat,operations,errors,"
          + "duration_s,throughput_ops_s,read_p50_us,write_p50_us,provenance,status,nodes,"
          + "clock_energy_i0_j,clock_energy_i1_j,clock_saving_i0,clock_saving_i1,master_cpu_us_op,replica_cpu_us_op,lag_p50_bytes,lag_max_bytes,lag_max_ms,manager_cpu_s,manager_j,clock_changes\n";
  private static final List<String> POLICIES = List.of("all-low", "concerto", "all-high");

  @TempDir Path folder;

  @BeforeEach
  void results() throws IOException {
    StringBuilder rows = new StringBuilder(HEADER);
    for (int repeat = 1; repeat <= 3; repeat++) {
      for (String policy : POLICIES) {
        rows.append(row("set", policy, repeat)).append(row("ycsb-a", policy, repeat));
      }
    }
    Files.writeString(folder.resolve("results.csv"), rows);
    Files.writeString(
        folder.resolve("environment.json"),
        """
        {"clocks": {"core_watts": 8.5, "static_share": 0.0, "lag_limit_bytes": 1000,
         "lag_limit_ms": 500, "busy_limit": 0.6, "states": [{"ghz": 2.2}, {"ghz": 1.0}]}}
        """);
  }

  /** 10,000 writes a second of 10 us each at a replica, 36 us at the master; some scatter. */
  private String row(String workload, String policy, int repeat) throws IOException {
    double charged = policy.equals("all-high") ? 100 : policy.equals("all-low") ? 43 : 52;
    return row(workload, policy, repeat, charged, 0.48);
  }

  private String row(String workload, String policy, int repeat, double charged, double saving)
      throws IOException {
    String id = workload + "-" + policy + "-r" + repeat;
    boolean slow = !policy.equals("all-high");
    double speed = (policy.equals("all-low") ? 6400 : 10_000) + repeat;
    Path run = Files.createDirectories(folder.resolve("runs").resolve(id));
    Files.writeString(
        run.resolve("ops.csv"),
        "second,phase,operations,reads,writes\n0,warmup,5,5,0\n0,measured,10000,0,10000\n");
    Files.writeString(
        run.resolve("clocks.csv"),
        """
        second,node,role,khz,cpu_s,lag_bytes,lag_ms
        0,n1,master,2200000,0.3600,,
        0,n2,replica,1000000,0.2200,512,0.1000
        1,n1,unknown,2200000,0.0000,,
        1,n2,master,2200000,0.2000,,
        """);
    return String.join(
            ",",
            List.of(
                id,
                "redis",
                workload,
                "1",
                "ONE",
                "ONE",
                "ONE",
                policy,
                "" + repeat,
                "10000",
                "0",
                "1",
                "" + speed,
                workload.equals("set") ? "" : "50",
                "70",
                "modelled",
                "ok",
                "3",
                "" + charged / 4,
                "" + charged,
                slow ? "0.1" : "0",
                slow ? "" + saving : "0",
                policy.equals("all-low") ? "79.2" : "36",
                slow ? "22" : "10",
                "256",
                "1024",
                "0.2",
                "0.004",
                "0.034",
                "2"))
        + "\n";
  }

  private String page() throws IOException {
    return Files.readString(ReportWriter.write(folder)).replace('\u00A0', ' ');
  }

  @Test
  void masterEnergyLagAndCostOfEachPolicyAreTold() throws IOException {
    String page = page();
    assertThat(page)
        .contains("Clocks of masters and replicas")
        .contains("As Figure 3 of Lee and Lee 2021")
        .contains("As Figure 5 of Lee and Lee 2021")
        .contains("As Figure 8 of Lee and Lee 2021")
        .contains("static share S = 0")
        .contains("Not shown: Figure 9")
        .contains("non-inferior")
        .contains("inferior")
        .contains("48.0 ± 0") // of all-high's joules an operation, i = 1
        .contains("Limits: 1,000 bytes and 500 ms")
        .contains("The manager’s own cost");
    // Both P-states: 100 us between writes, of which 10 and 22 are taken.
    assertThat(page).contains("data-csv=\"89.9").contains("data-csv=\"77.9");
  }

  @Test
  void aMeanOverWorkloadsIsOfTheBlocksThatAllOfThemHave() throws IOException {
    // Of ycsb-b no run of the first block succeeded, and the blocks differ.
    double[] savedPercent = {70, 40, 30};
    StringBuilder rows = new StringBuilder(HEADER);
    for (int repeat = 1; repeat <= 3; repeat++) {
      for (String workload : repeat == 1 ? List.of("ycsb-a") : List.of("ycsb-a", "ycsb-b")) {
        double saved = savedPercent[repeat - 1] / 100;
        rows.append(row(workload, "all-high", repeat));
        rows.append(row(workload, "concerto", repeat, 100 * (1 - saved), saved));
      }
    }
    Files.writeString(folder.resolve("results.csv"), rows);
    String page = page();
    String mean = page.substring(page.indexOf("all of YCSB, mean"));
    String cells = mean.substring(0, mean.indexOf("44 % in the mean"));
    // Run against run by both accounts, and by that of the same run: of two blocks, 40 and 30.
    assertThat(cells.split("35 ± 64", -1)).as(cells).hasSize(4);
  }

  @Test
  void whatOthersAreComparedWithIsAllHighWhateverTheOrderOfRuns() throws IOException {
    Results results = ResultsFolder.read(folder).results();
    assertThat(
            results.groups().get(0).configurations().stream().map(c -> c.value(RunColumns.CLOCK)))
        .containsExactly("all-high", "all-low", "concerto");
    assertThat(ClockGroup.policies(ClockGroup.all(results)))
        .containsExactly("all-high", "all-low", "concerto");
  }

  @Test
  void clocksAndRolesOfEachNodeAreDrawnBySecond() {
    ClockLines lines = new ClockLines(ResultsFolder.read(folder));
    assertThat(lines.json())
        .contains("\"title\":\"Clock\"")
        .contains("{\"name\":\"n1\",\"tone\":0,\"strong\":true,\"values\":[2.2,2.2]}")
        .contains("{\"name\":\"n2\",\"tone\":1,\"strong\":true,\"values\":[1,2.2]}")
        .contains("{\"name\":\"n1\",\"tone\":0,\"strong\":true,\"values\":[1,null]}")
        .contains("{\"name\":\"n2\",\"tone\":1,\"strong\":true,\"values\":[null,2]}");
    assertThat(lines.cut()).isEmpty();
    ClockLines small = new ClockLines(ResultsFolder.read(folder), 100);
    assertThat(small.cut()).contains("17 of 18 runs are left out").contains("clocks.csv");
  }

  @Test
  void studiesWithoutPoliciesHaveNoSuchSection() throws IOException {
    Files.writeString(
        folder.resolve("results.csv"),
        "run,workload,threads,repeat,operations,throughput_ops_s,status\na,set,1,1,10,5,ok\n");
    assertThat(page()).doesNotContain("Clocks of masters and replicas");
  }
}
