package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A governor of a cluster that keeps a claim: its start, SIGHUP, Ctrl-C, and what it loses. */
class ToyClaimTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** What is not begun yet keeps an end waiting for some seconds only. */
  private static final long SOON_SECONDS = 20;

  @TempDir Path folder;
  private Path dial;
  private Path claim;
  private Path output;
  private @Nullable Process govern;

  @BeforeEach
  void aDialAtOneAndAClaimThatIsHeld() throws IOException {
    dial = Files.writeString(folder.resolve("dial"), "1\n");
    claim = folder.resolve("claim");
    output = folder.resolve("output");
    ToyClaim.set(claim, false);
  }

  @AfterEach
  void end() {
    if (govern != null) {
      govern.destroyForcibly();
    }
  }

  private void file(String... controls) throws IOException {
    StringBuilder text = new StringBuilder("listen: \"off\"\nclusters:\n");
    for (int i = 0; i < controls.length; i++) {
      text.append(
          """
            - name: shop%d
              engine: toy
              inventory: {nodes: [{name: n1, address: 127.0.0.1}]}
              period: 100ms
          """
              .formatted(i));
      if (!controls[i].isEmpty()) {
        text.append("    control: [" + controls[i] + "]\n");
      }
    }
    Files.writeString(folder.resolve("govern.yaml"), text);
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        ExtensionProofTest.process(folder, "org.calando.cli.Main", "govern", "govern.yaml");
    builder.command().add(1, "-D" + ToyInventory.CLAIM + "=" + claim);
    // Whoever runs tests in the background has them ignore it.
    builder.command().addAll(0, List.of("env", "--default-signal=INT"));
    Process started = builder.redirectOutput(output.toFile()).start();
    govern = started;
    return started;
  }

  private static void signal(Process process, String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  private void awaitLog(String log) {
    await().atMost(LONG).untilAsserted(() -> assertThat(ToyClaim.log(claim)).isEqualTo(log));
  }

  private void awaitLine(String text) {
    await().atMost(LONG).untilAsserted(() -> assertThat(Files.readString(output)).contains(text));
  }

  private void awaitDial(String value) {
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(Files.readString(dial).strip()).isEqualTo(value));
  }

  private void ends(Process process, int code) throws InterruptedException, IOException {
    assertThat(process.waitFor(SOON_SECONDS, TimeUnit.SECONDS))
        .as(Files.readString(output))
        .isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(code);
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
  }

  @Test
  void ctrlCEndsAStartThatWaitsForAClaim() throws Exception {
    file("{dial: 4}");
    Process process = start();
    awaitLog("asks\n");
    signal(process, "INT");
    ends(process, 130);
    assertThat(ToyClaim.log(claim)).isEqualTo("asks\n");
    assertThat(Files.readString(output)).doesNotContain("governs shop0");
  }

  @Test
  void sighupWhileAStartWaitsReadsTheFileOnceItIsOver() throws Exception {
    file("{dial: 4}");
    Process process = start();
    awaitLog("asks\n");
    file("{dial: 5}");
    signal(process, "HUP");
    ToyClaim.set(claim, true);
    awaitDial("5");
    awaitLog("asks\nhas it\ngives it back, dial at 1\nasks\nhas it\n");
    signal(process, "TERM");
    ends(process, 143);
    assertThat(ToyClaim.log(claim)).endsWith("asks\nhas it\ngives it back, dial at 1\n");
  }

  @Test
  void sighupLeavesTheClaimOfAClusterThatIsTheSame() throws Exception {
    ToyClaim.set(claim, true);
    file("{dial: 4}");
    Process process = start();
    awaitDial("4");
    file("{dial: 4}", "");
    signal(process, "HUP");
    awaitLine("observes shop1");
    assertThat(ToyClaim.log(claim)).isEqualTo("asks\nhas it\n");
    assertThat(Files.readString(dial).strip()).isEqualTo("4");
    signal(process, "INT");
    ends(process, 130);
  }

  /** The one that waits has no knob when it gets the claim at last, and gives that back. */
  @Test
  void sighupWhileAClusterWaitsHasTheNewFileWaitToo() throws Exception {
    file("");
    Process process = start();
    awaitLine("observes shop0");
    file("{dial: 4}");
    signal(process, "HUP");
    awaitLog("asks\n");
    file("{dial: 5}");
    signal(process, "HUP");
    awaitLog("asks\nasks\n");
    ToyClaim.set(claim, true);
    awaitDial("5");
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(ToyClaim.log(claim).lines())
                    .hasSize(5)
                    .filteredOn(line -> line.startsWith("gives it back"))
                    .hasSize(1));
    assertThat(Files.readString(dial).strip()).isEqualTo("5");
    signal(process, "INT");
    ends(process, 130);
  }

  @Test
  void aClaimThatIsLostPutsTheKnobBackUntilItIsHadAgain() throws Exception {
    ToyClaim.set(claim, true);
    file("{dial: 4}");
    Process process = start();
    awaitDial("4");
    ToyClaim.set(claim, false);
    awaitDial("1");
    awaitLine("the claim on the cluster was taken over by another");
    awaitLog("asks\nhas it\ngives it back, dial at 1\nasks\n");
    ToyClaim.set(claim, true);
    awaitDial("4");
    signal(process, "INT");
    ends(process, 130);
  }
}
