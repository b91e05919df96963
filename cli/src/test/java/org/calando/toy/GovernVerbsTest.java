package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.cli.govern.GovernVerbs;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command's verbs, on a governor that runs. */
@Timeout(180)
class GovernVerbsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String FILE =
      """
      clusters:
        - {name: shop, engine: redis, period: 100ms, control: [{climb: {most: 3}}],
           inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
      listen: 127.0.0.1:0
      token-file: tokens
      """;

  @TempDir Path folder;
  private final AtomicReference<CalandoException> failed = new AtomicReference<>();
  private Path dial;

  @BeforeEach
  void aDialAtOne() throws IOException {
    dial = folder.resolve("dial");
    Files.writeString(dial, "1\n");
    System.setProperty(ToyDial.FILE, dial.toString());
  }

  @AfterEach
  void noDial() {
    System.clearProperty(ToyDial.FILE);
  }

  private Path token(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  /** What a command answers; null if it fails. */
  private String run(Callable<Integer> verb, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--token-file", folder.resolve("token").toString()));
    all.addAll(List.of(arguments));
    PrintStream before = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      int exit =
          new CommandLine(verb)
              .setExecutionExceptionHandler(
                  (error, line, result) -> {
                    failed.set((CalandoException) error);
                    return 3;
                  })
              .execute(all.toArray(String[]::new));
      return exit == 0 ? said.toString(StandardCharsets.UTF_8) : null;
    } finally {
      System.setOut(before);
    }
  }

  private String dial() throws IOException {
    return Files.readString(dial).strip();
  }

  @Test
  void verbsDoWhatTheApiDoesAndNothingWithoutApply() throws Exception {
    token(OperatedGovernor.OPERATOR);
    try (OperatedGovernor governor = OperatedGovernor.start(folder, FILE, line -> {})) {
      String at = governor.address();
      await().atMost(LONG).until(() -> dial().equals("3"));
      assertThat(run(new GovernVerbs.Status(), at))
          .contains("shop: control, ")
          .contains("  dial: 3, by climb to 3");
      assertThat(run(new GovernVerbs.Pause(), at, "shop", "--reason", "a test"))
          .contains("nothing of shop is set until it is resumed")
          .contains("nothing was changed: repeat it with --apply");
      assertThat(governor.get("/api/v1/clusters/shop").body().path("paused").isNull()).isTrue();
      assertThat(
              run(
                  new GovernVerbs.Pause(),
                  at,
                  "shop",
                  "--reason",
                  "a test",
                  "--until",
                  "1h",
                  "--apply"))
          .contains("done; request ");
      assertThat(run(new GovernVerbs.Status(), at, "shop")).contains("  paused by ann until ");
      run(
          new GovernVerbs.Hold(),
          at,
          "shop",
          "dial",
          "5",
          "--until",
          "1h",
          "--reason",
          "a test",
          "--apply");
      await().atMost(LONG).until(() -> dial().equals("5"));
      assertThat(run(new GovernVerbs.Status(), at, "shop"))
          .contains("  dial: 5, held by ann until ");
      assertThat(run(new GovernVerbs.Resume(), at, "shop", "dial", "--reason", "a", "--apply"))
          .contains("dial is set as is decided");
      assertThat(run(new GovernVerbs.Resume(), at, "shop", "--reason", "a", "--apply"))
          .contains("\"paused\":null");
      await().atMost(LONG).until(() -> dial().equals("3"));
      assertThat(run(new GovernVerbs.Status(), at, "shop", "--json"))
          .contains("\"name\" : \"shop\"");
    }
  }

  @Test
  void whatIsRefusedIsSaidWithItsRemedy() throws Exception {
    token(OperatedGovernor.VIEWER);
    try (OperatedGovernor governor = OperatedGovernor.start(folder, FILE, line -> {})) {
      String at = governor.address();
      assertThat(run(new GovernVerbs.Pause(), at, "shop", "--reason", "a", "--apply")).isNull();
      assertThat(failed.get())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the token is no operator's")
          .hasMessageContaining("operator NAME TOKEN");
      token(OperatedGovernor.OPERATOR);
      assertThat(run(new GovernVerbs.Undo(), at, "shop", "dial", "--reason", "a")).isNull();
      assertThat(failed.get()).hasMessageContaining("dial of shop has no plan under way");
      assertThat(run(new GovernVerbs.Promise(), at, "shop", "stale", "1%", "--reason", "a"))
          .isNull();
      assertThat(failed.get()).hasMessageContaining("promises no stale");
      assertThat(run(new GovernVerbs.Status(), "http://10.0.0.1:7474")).isNull();
      assertThat(failed.get()).hasMessageContaining("is not https");
      assertThat(run(new GovernVerbs.Status(), folder.resolve("govern.yaml").toString())).isNull();
      assertThat(failed.get()).hasMessageContaining("does not say where its governor listens");
    }
    assertThat(run(new GovernVerbs.Status(), "http://127.0.0.1:1")).isNull();
    assertThat(failed.get())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("the governor does not answer");
  }
}
