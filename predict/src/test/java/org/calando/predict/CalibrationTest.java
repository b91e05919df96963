package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.studyfile.profile.FittedRange;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.ProfileFile;
import org.calando.studyfile.profile.Quantity;
import org.calando.studyfile.profile.StageThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
  private static final String HEADER =
      "run,engine,workload,threads,rate,consistency,read_level,write_level,repeat,operations,errors,"
          + "duration_s,throughput_ops_s,reads,stale_reads,policy,cpu_s,client_cpu_s,provenance,"
          + "status\n";

  @TempDir private Path folder;

  @BeforeEach
  void aStudyWithoutRuns() throws IOException {
    Files.writeString(
        folder.resolve("study.yaml"),
        """
        study: sample
        store:
          engine: cassandra
          local: {nodes: 3, racks: 3, rf: 3, link-delay: [[0ms, 1ms, 8ms], [1ms, 0ms, 8ms], [8ms, 8ms, 0ms]]}
        workload: {mix: {read: 50%, update: 50%}, distribution: zipfian, records: 50, duration: 10s}
        matrix:
          - {consistency: [ONE, ALL], threads: [4]}
          - {consistency: [ONE], rate: [{poisson: 100/s}]}
        power: {meter: model, profile: xeon-x3440}
        """);
    Files.writeString(
        folder.resolve("environment.json"),
        "{\"started\": \"2026-01-01\", \"host\": {\"cores\": 2, \"cpu\": \"a processor\"}}");
    Files.writeString(folder.resolve("results.csv"), HEADER);
  }

  @Test
  void aRunIsReadWithItsSettingsAndFigures() throws IOException {
    run("one-4t-r1", "4", "", "ONE", "ok", "");
    run("one-100ps-r1", "", "poisson 100/s", "ONE", "ok", "");
    MeasuredStudy study = MeasuredStudy.read(folder);
    assertThat(study.passedOver()).isEmpty();
    assertThat(study.machine()).isEqualTo("a processor");
    MeasuredRun run = study.runs().get(0);
    assertThat(run.scenario().threads()).hasValue(4);
    assertThat(run.scenario().cluster().sharedMachine()).isTrue();
    assertThat(run.scenario().cluster().cores()).isEqualTo(2);
    assertThat(run.scenario().cluster().delayNanos(0, 2)).isEqualTo(8_000_000);
    assertThat(run.scenario().cluster().delayNanos(2, 2)).isZero();
    assertThat(run.figures().throughput()).isEqualTo(500);
    assertThat(run.figures().cpuMillis()).isEqualTo(3);
    assertThat(run.figures().readMillis()).isEqualTo(7.5);
    assertThat(run.figures().staleRate()).isEqualTo(0.02);
    assertThat(study.runs().get(1).scenario().perSecond()).isEqualTo(100);
  }

  @Test
  void runsThatTellNothingArePassedOverWithTheirReason() throws IOException {
    run("failed-r1", "4", "", "ONE", "failed", "");
    run("policy-r1", "4", "", "ONE", "ok", "harmony");
    run("other-rate-r1", "", "poisson 7/s", "ONE", "ok", "");
    MeasuredStudy study = MeasuredStudy.read(folder);
    assertThat(study.runs()).isEmpty();
    assertThat(study.passedOver())
        .hasSize(3)
        .anyMatch(why -> why.contains("failed-r1: it failed"))
        .anyMatch(why -> why.contains("policy-r1: a policy chose its levels"))
        .anyMatch(why -> why.contains("other-rate-r1: its rate changes, or is unknown"));
  }

  /** Whose shifts may have been before the window. */
  @Test
  void runsWithNodesOffArePassedOver() throws IOException {
    run("all-on-r1", "4", "", "ONE", "ok", "");
    run("rack-off-r1", "4", "", "ONE", "ok", "");
    run("gears-r1", "4", "", "ONE", "ok", "");
    Path results = folder.resolve("results.csv");
    List<String> lines = Files.readAllLines(results);
    List<String> gears = List.of("gear", "2", "1", "load(20%)");
    for (int i = 0; i < gears.size(); i++) {
      lines.set(i, lines.get(i) + "," + gears.get(i));
    }
    Files.write(results, lines);
    MeasuredStudy study = MeasuredStudy.read(folder);
    assertThat(study.runs()).extracting(MeasuredRun::id).containsExactly("all-on-r1");
    assertThat(study.passedOver())
        .hasSize(2)
        .anyMatch(why -> why.contains("rack-off-r1: nodes of it were off, or might be: gear 1"))
        .anyMatch(why -> why.contains("gear load(20%)"));
  }

  @Test
  void tooFewRunsAreRefusedWithWhatThereIs() throws IOException {
    refused("0 configurations to fit to, and 4 are needed");
    run("one-4t-r1", "4", "", "ONE", "ok", "");
    run("all-4t-r1", "4", "", "ALL", "ok", "");
    run("failed-r1", "4", "", "ALL", "failed", "");
    refused("2 configurations to fit to", "failed-r1: it failed");
  }

  @Test
  void aFolderThatIsNoStudysIsRefused() throws IOException {
    Files.delete(folder.resolve("results.csv"));
    refused("has no results.csv");
  }

  @Test
  void aStudyWithoutItsFileIsRefused() throws IOException {
    Files.delete(folder.resolve("study.yaml"));
    refused("study.yaml", "does not exist");
  }

  @Test
  void aMachineWithoutCoresIsRefused() throws IOException {
    Files.writeString(folder.resolve("environment.json"), "{}");
    refused("environment.json", "host.cores");
  }

  @Test
  void stagesAreFittedToWhatWasMeasuredOrNotAtAll() throws IOException {
    fiveConfigurations();
    Calibration.Request request =
        new Calibration.Request(
            List.of(folder),
            1,
            HoldOut.parse("none"),
            42,
            200,
            Optional.of(new StageThreads(128, 2, 8, 8, 2)));
    assertThatThrownBy(() -> Calibration.run(request, step -> {}))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll("no run measured lag", "messaging", "lags.csv", "--stages");
    Files.writeString(folder.resolve("lags.csv"), "run,samples,mean_ms,p99_ms\none-4t-r1,40,x,9\n");
    assertThatThrownBy(() -> Calibration.run(request, step -> {}))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("lags.csv:2");
    Files.writeString(
        folder.resolve("lags.csv"), "run,samples,mean_ms,p99_ms\nr1,40,5.5,60\nr2,19,5,9\n");
    MeasuredLags lags = MeasuredLags.read(folder);
    assertThat(lags.of("r1")).containsExactly(5.5, 60);
    assertThat(lags.of("r2")).containsOnly(Double.NaN);
    assertThat(lags.of("r3")).containsOnly(Double.NaN);
  }

  @Test
  void aCalibrationIsTheSameEveryTime() throws IOException {
    fiveConfigurations();
    Calibration.Result result = calibrate("each");
    HeldOut heldOut = result.profile().heldOut().orElseThrow();
    assertThat(heldOut.configurations()).isEqualTo(5);
    assertThat(heldOut.how()).contains("each", "by one step");
    assertThat(heldOut.wattsMeasured()).isFalse();
    assertThat(heldOut.errors().keySet())
        .containsExactly(
            Quantity.THROUGHPUT, Quantity.CPU, Quantity.STALE, Quantity.WATTS, Quantity.JOULES);
    Calibration.Result again = calibrate("each");
    assertThat(ProfileFile.text(result.profile())).isEqualTo(ProfileFile.text(again.profile()));
    CalibrationReport report = new CalibrationReport(result);
    assertThat(report.json()).isEqualTo(new CalibrationReport(again).json());
    assertThat(report.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(String.join(" ", report.lines()))
        .contains("joules", "No meter measured watts", "W, modelled", "J/op, modelled");
  }

  @Test
  void whatIsHeldOutIsNotFitted() throws IOException {
    fiveConfigurations();
    Calibration.Result result = calibrate("load=100/s");
    assertThat(result.profile().origin().configurations()).isEqualTo(4);
    assertThat(result.profile().range().perSecond()).isEqualTo(FittedRange.Bounds.NONE);
    assertThat(result.profile().heldOut().orElseThrow().configurations()).isEqualTo(1);
  }

  @Test
  void foldersOfOtherMachinesAreRefusedNamingBoth() throws IOException {
    run("one-4t-r1", "4", "", "ONE", "ok", "");
    Path other = Files.createDirectories(folder.resolve("other"));
    for (String name : List.of("study.yaml", "results.csv")) {
      Files.copy(folder.resolve(name), other.resolve(name));
    }
    Files.createDirectories(other.resolve("runs/one-4t-r1"));
    Files.copy(
        folder.resolve("runs/one-4t-r1/summary.json"),
        other.resolve("runs/one-4t-r1/summary.json"));
    Files.writeString(
        other.resolve("environment.json"), "{\"host\": {\"cores\": 2, \"cpu\": \"a better one\"}}");
    refused(
        List.of(folder, other),
        folder + " ran on a processor",
        other + " on a better one",
        "no service times in common");
    refused(List.of(folder, folder.resolve("../" + folder.getFileName())), "is given twice");
  }

  private void fiveConfigurations() throws IOException {
    Files.writeString(
        folder.resolve("study.yaml"),
        Files.readString(folder.resolve("study.yaml")).replace("threads: [4]", "threads: [4, 8]"));
    for (String level : List.of("ONE", "ALL")) {
      run(level + "-4t-r1", "4", "", level, "ok", "");
      run(level + "-8t-r1", "8", "", level, "ok", "");
    }
    run("one-100ps-r1", "", "poisson 100/s", "ONE", "ok", "");
  }

  private Calibration.Result calibrate(String holdOut) {
    return Calibration.run(request(List.of(folder), holdOut), step -> {});
  }

  private static Calibration.Request request(List<Path> folders, String holdOut) {
    return new Calibration.Request(folders, 1, HoldOut.parse(holdOut), 1, 100, Optional.empty());
  }

  private void refused(String... words) {
    refused(List.of(folder), words);
  }

  private static void refused(List<Path> folders, String... words) {
    assertThatThrownBy(() -> Calibration.run(request(folders, "each"), step -> {}))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(words);
  }

  private void run(
      String id, String threads, String rate, String level, String status, String policy)
      throws IOException {
    Path run = Files.createDirectories(folder.resolve("runs").resolve(id));
    Files.writeString(
        run.resolve("summary.json"),
        "{\"latency\": {\"read\": {\"mean_us\": 7500}, \"update\": {\"mean_us\": 2500}}}");
    String row =
        String.format(
            Locale.ROOT,
            "%s,cassandra,custom,%s,%s,%s,%s,%s,1,5000,0,10,500,2500,50,%s,15,1,modelled,%s%n",
            id,
            threads,
            rate,
            level,
            level,
            level,
            policy,
            status);
    Path results = folder.resolve("results.csv");
    Files.writeString(results, Files.readString(results) + row);
  }
}
