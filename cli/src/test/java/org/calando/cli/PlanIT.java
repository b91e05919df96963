package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plan}, as users call it. */
class PlanIT {
  private static final String SHOP =
      """
      study: shop
      store:
        engine: sim
        sim:
          nodes: 6
          rf: 3
          gears: {nodes: [2, 4, 6], capacity: 200/s}
          write-lag: {mean: 5ms, variation: 1}
      workload: {mix: {read: 70%, update: 30%}, records: 500, fields: 1, warm-up: 1s}
      matrix: {rate: [{poisson: 100/s}], duration: 5s}
      repeats: 2
      promise: {stale: 20%, read-p99: 60ms, copies: 2}
      power: {profile: {idle: 75, busy: 150, cores: 4}}
      """;

  @TempDir Path folder;

  @BeforeEach
  void aFile() throws IOException {
    Files.writeString(folder.resolve("shop.yaml"), SHOP);
  }

  @Test
  void aPlanIsToldConfirmedAndResumed() throws IOException {
    CommandProcess dry = run("plan", "shop.yaml", "--dry-run");
    assertThat(dry.exitCode()).as(dry.stderr()).isZero();
    assertThat(dry.stdout()).contains("settings and policies", " runs, about ");
    assertThat(folder.resolve("out")).doesNotExist();

    CommandProcess plan = run("plan", "shop.yaml");
    assertThat(plan.exitCode()).as(plan.stderr()).isZero();
    assertThat(plan.stdout())
        .contains(
            "Cheapest: ", "without", "Money is unknown", "Idle power of 20 %", "confirm.yaml");
    assertThat(plan.stdout().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    Path out = folder.resolve("out/plan-shop");
    assertThat(out.resolve("plan.html")).isRegularFile();

    CommandProcess again = run("plan", "shop.yaml");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("--resume").doesNotContain("\tat ");

    CommandProcess study =
        run("study", "out/plan-shop/confirm.yaml", "--out", "out/plan-shop/confirm");
    assertThat(study.exitCode()).as(study.stderr()).isZero();
    CommandProcess confirmed = run("plan", "shop.yaml", "--resume");
    assertThat(confirmed.stdout()).contains("planned and then found", "the promise was kept");
    CommandProcess json = run("plan", "shop.yaml", "--resume", "--json");
    JsonNode answer = new ObjectMapper().readTree(json.stdout());
    assertThat(answer.path("provenance").asText()).isEqualTo("simulated");
    assertThat(plan.stdout()).contains("Cheapest: " + answer.path("best").asText());
  }

  @Test
  void aPlanThatIsInterruptedKeepsWhatIsDone() {
    CommandProcess interrupted =
        CommandProcess.start(
            folder,
            CommandProcess.stateIn(folder),
            "plan",
            "shop.yaml",
            "--jobs",
            "1",
            "--set",
            "matrix.duration=600s");
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> interrupted.stderr().contains("Part 1 of") || !interrupted.isAlive());
    CommandProcess second = run("plan", "shop.yaml", "--resume");
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.stderr()).contains("another calando process is working in this folder");
    interrupted.signal("INT");
    assertThat(interrupted.exitCode()).isEqualTo(130);
    assertThat(interrupted.stderr()).contains("--resume continues").doesNotContain("\tat ");
  }

  @Test
  void whatCannotBePlannedIsRefused() {
    CommandProcess refused = run("plan", "shop.yaml", "--set", "promise=");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.stderr()).contains("promise: is missing", "add promise:");
  }

  private CommandProcess run(String... arguments) {
    return CommandProcess.run(
        folder, Map.of("CALANDO_STATE", folder.resolve("state").toString()), arguments);
  }
}
