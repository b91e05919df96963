package org.calando.knob.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GearSectionTest {
  private static final String HEADER =
      "run,engine,workload,threads,consistency,layout,gear,repeat,operations,errors,duration_s,throughput_ops_s,energy_j,joules_per_kop,power_mean_w,meter,provenance,status,gear_shifts,shift_energy_j,moved_bytes,shift_s,read_bytes,written_bytes,joules_per_mb\n";
  private static final String HIGH =
      "high,hdfs,files,2,,rabbit,2,1,1000,0,10,100,5000,5000,500,model,modelled,ok,0,0,0,0,"
          + "90000000,10000000,50\n";
  private static final String LOW =
      "low,hdfs,files,2,,rabbit,1,1,800,0,10,80,2400,3000,240,model,modelled,ok,2,9000,7000000,12.5,70000000,10000000,30\n";

  @TempDir Path folder;

  private String page(String rows) throws IOException {
    Files.writeString(folder.resolve("results.csv"), HEADER + rows);
    return Files.readString(ReportWriter.write(folder));
  }

  @Test
  void eachGearsPowerSpeedAndJoulesAreToldAndWhatShiftingCost() throws IOException {
    Path run = Files.createDirectories(folder.resolve("runs").resolve("low"));
    Files.writeString(
        run.resolve("summary.json"),
        """
        {"notes": [], "shifts": [
          {"from": 2, "to": 1, "seconds": 2.5, "catch_up_s": 0, "moved_bytes": 0,
           "predicted_bytes": 0, "joules": 1000},
          {"from": 1, "to": 2, "seconds": 10, "catch_up_s": 4, "moved_bytes": 7000000,
           "predicted_bytes": 7500000, "joules": 8000}]}
        """);
    String page = page(LOW + HIGH);
    assertThat(page).contains("<h2 id=\"h-gears\">Gears</h2>", "Shifts one by one");
    assertThat(page).as("there are no levels").doesNotContain("id=\"h-thesis\"");
    String table = page.substring(page.indexOf("<table id=\"gears-each\""));
    table = table.substring(0, table.indexOf("</table>"));
    // All nodes on come first: others are compared with that.
    assertThat(table.indexOf("gear 2")).isPositive().isLessThan(table.indexOf("gear 1"));
    assertThat(table).contains(">8.00<", ">30.0<", ">10.0<", ">50.0<");
    String shifts = page.substring(page.indexOf("<table id=\"gears-shifts\""));
    shifts = shifts.substring(0, shifts.indexOf("</table>"));
    assertThat(shifts).contains("gear 2 to 1", "gear 1 to 2", "Layout rabbit", ">7.00<", ">7.50<");
  }

  @Test
  void withoutGearsThereIsNoSection() throws IOException {
    assertThat(page(HIGH.replace("rabbit,2,", "rabbit,,"))).doesNotContain("id=\"h-gears\"");
  }
}
