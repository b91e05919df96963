package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code calibrate} and {@code predict energy}, as users call them, on a study's folder. */
class PredictEnergyIT {
  private static final String HEADER =
      "run,engine,workload,threads,rate,consistency,read_level,write_level,repeat,operations,errors,"
          + "duration_s,throughput_ops_s,reads,stale_reads,policy,cpu_s,client_cpu_s,provenance,"
          + "status\n";
  private static final String PREDICT = "predict energy --profile profile.yaml ";

  @TempDir Path folder;
  private Path study;

  @BeforeEach
  void aStudyOfSixConfigurations() throws IOException {
    study = Files.createDirectories(folder.resolve("out/sample"));
    Files.writeString(
        study.resolve("study.yaml"),
        """
        study: sample
        store:
          engine: cassandra
          local: {nodes: 3, racks: 3, rf: 3, link-delay: 1ms}
        workload: {mix: {read: 50%, update: 50%}, distribution: zipfian, records: 50, duration: 10s}
        matrix: {consistency: [ONE, ALL], threads: [2, 4, 8]}
        power: {meter: model, profile: xeon-x3440}
        """);
    Files.writeString(
        study.resolve("environment.json"),
        "{\"started\": \"2026-01-01\", \"host\": {\"cores\": 2, \"cpu\": \"a processor\"}}");
    StringBuilder results = new StringBuilder(HEADER);
    for (String level : List.of("ONE", "ALL")) {
      for (int threads : List.of(2, 4, 8)) {
        String id = level + "-" + threads + "t-r1";
        int perSecond = (level.equals("ONE") ? 100 : 70) * threads;
        results.append(
            "%s,cassandra,custom,%d,,%s,%s,%s,1,%d,0,10,%d,%d,9,,%d,1,modelled,ok\n"
                .formatted(
                    id,
                    threads,
                    level,
                    level,
                    level,
                    10 * perSecond,
                    perSecond,
                    5 * perSecond,
                    12));
        Path run = Files.createDirectories(study.resolve("runs").resolve(id));
        Files.writeString(
            run.resolve("summary.json"),
            "{\"latency\": {\"read\": {\"mean_us\": 9000}, \"update\": {\"mean_us\": 8000}}}");
      }
    }
    Files.writeString(study.resolve("results.csv"), results);
  }

  @Test
  void aCalibratedProfilePredicts() throws IOException {
    CommandProcess calibrated = run("calibrate out/sample --operations 100 --profile profile.yaml");
    assertThat(calibrated.exitCode()).as(calibrated.stderr()).isZero();
    assertFitsATerminal(calibrated);
    assertThat(calibrated.stdout())
        .contains("6 runs of 6 configurations fitted", "Held out: each", "Profile: profile.yaml");
    assertThat(folder.resolve("profile.yaml")).isRegularFile();

    CommandProcess told = run(PREDICT + "--level QUORUM --mix read:50,update:50 --threads 6");
    assertThat(told.exitCode()).as(told.stderr()).isZero();
    assertFitsATerminal(told);
    assertThat(told.stdout())
        .contains("6t at QUORUM, 50 % reads, 3 nodes, rf 3", "joules/operation", "held-out error")
        .contains("No meter measured watts", "boot")
        .doesNotContain("extrapolates");

    CommandProcess json =
        run(PREDICT + "--level ONE --mix read:50,update:50 --rate 200/s --racks 1 --json");
    assertThat(json.exitCode()).as(json.stderr()).isZero();
    JsonNode answer = new ObjectMapper().readTree(json.stdout());
    for (String name :
        List.of("joules_per_op", "watts", "throughput_ops_s", "stale_rate", "cpu_ms_per_op")) {
      assertThat(answer.path(name).path("low").asDouble())
          .as(name)
          .isLessThanOrEqualTo(answer.path(name).path("value").asDouble());
      assertThat(answer.path(name).path("high").asDouble())
          .as(name)
          .isGreaterThanOrEqualTo(answer.path(name).path("value").asDouble());
    }
    for (String name : List.of("throughput", "cpu", "stale", "watts", "joules")) {
      JsonNode error = answer.path("held_out_error").path(name);
      assertThat(error.path("worst").asDouble())
          .as(name)
          .isGreaterThanOrEqualTo(error.path("mean").asDouble());
      assertThat(error.path("mean").isNumber()).as(name).isTrue();
    }
    assertThat(answer.path("elasticity").path("idle").asDouble()).isPositive();
    assertThat(answer.path("provenance").asText()).isEqualTo("simulated");
    List<String> extrapolates = new ArrayList<>();
    answer.path("extrapolates").forEach(what -> extrapolates.add(what.asText()));
    assertThat(extrapolates)
        .contains("rate (operations/s) 200: fitted on no open loops", "1 racks: fitted on 3");
  }

  @Test
  void wrongCalibrationsAreRefusedBeforeAnyWork() {
    assertRefused("calibrate", "DIR");
    assertRefused("calibrate out/sample --hold-out half", "--hold-out");
    assertRefused("calibrate out/sample --from-repeat 0", "--from-repeat: '0' is out of range");
    assertRefused("calibrate out/sample --operations 1", "--operations: '1' is out of range");
    assertRefused("calibrate out/sample --profile out", "out: is a folder");
    assertRefused("calibrate out/sample out/sample", "is given twice");
    assertThat(study.resolve("calibration-profile.yaml")).doesNotExist();
  }

  @Test
  void wrongPredictionsAreRefusedWithAllThatIsWrong() throws IOException {
    assertRefused("predict energy --level ONE", "--profile");
    assertRefused("predict energy --profile none.yaml", "none.yaml");
    Files.writeString(
        folder.resolve("profile.yaml"), "version: 1\nparameters: {read: {value: -1}}\n");
    assertRefused(
        PREDICT + "--level ONE --mix read:100 --threads 1",
        "profile.yaml",
        "parameters.read.value",
        "cluster: is missing",
        "draws: is missing");
  }

  private void assertRefused(String command, String... words) {
    CommandProcess refused = run(command);
    assertThat(refused.exitCode()).as(command + refused.stderr()).isEqualTo(2);
    assertThat(refused.stderr()).contains(words).contains("calando: ").doesNotContain("\tat ");
    assertThat(refused.stdout()).isEmpty();
  }

  private static void assertFitsATerminal(CommandProcess command) {
    assertThat(command.stdout().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  private CommandProcess run(String command) {
    return CommandProcess.run(
        folder,
        Map.of("CALANDO_STATE", folder.resolve("state").toString()),
        command.strip().split(" +", -1));
  }
}
