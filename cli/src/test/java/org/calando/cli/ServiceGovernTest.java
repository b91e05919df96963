package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.governor.Signals;
import org.calando.study.StopSignal;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What SIGHUP does to a governor of a file, and to one of options. */
class ServiceGovernTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String DIAL = "toy.dial";
  private static final String HOME = "user.home";

  @TempDir Path folder;
  private final String home = System.getProperty(HOME);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StopSignal stop = new StopSignal();

  /** What was done on SIGHUP before the governor began. */
  private final AtomicInteger heard = new AtomicInteger();

  @BeforeEach
  void aDialAtOne() throws IOException {
    System.setProperty(DIAL, Files.writeString(folder.resolve("dial"), "1\n").toString());
    System.setProperty(HOME, folder.toString());
    Signals.on("HUP", heard::incrementAndGet);
  }

  @AfterEach
  void noDial() {
    Signals.on("HUP", () -> {});
    System.clearProperty(DIAL);
    System.setProperty(HOME, home);
  }

  private ServiceSpec spec() {
    try {
      return new ServiceSpec(
          StudyFile.readService(
                  Files.writeString(
                      folder.resolve("govern.yaml"),
                      "clusters: [{name: shop, engine: redis, inventory: {nodes: [{name: n1,"
                          + " address: 127.0.0.9}]}, period: 100ms, control: [{dial: 4}]}]\n"),
                  List.of(),
                  folder::resolve)
              .clusters(),
          Optional.empty(),
          true);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private GovernNews news() {
    return new GovernNews(
        new PrintStream(out, true, StandardCharsets.UTF_8), false, Clock.systemUTC());
  }

  private CompletableFuture<Void> started(ServiceGovern governor) {
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(
            () -> {
              try {
                governor.run(false, stop);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            work -> new Thread(work, "governs").start());
    await().atMost(LONG).until(() -> said().contains("governs shop") || end.isDone());
    assertThat(end).as(said()).isNotDone();
    return end;
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void hangUp() throws IOException, InterruptedException {
    long own = ProcessHandle.current().pid();
    assertThat(new ProcessBuilder("kill", "-HUP", "" + own).start().waitFor()).isZero();
  }

  private void ends(CompletableFuture<Void> end) throws Exception {
    stop.request();
    end.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(Files.readString(folder.resolve("dial")).strip()).isEqualTo("1");
  }

  @Test
  void aFileIsReadAgain() throws Exception {
    CompletableFuture<Void> end =
        started(ServiceGovern.ofFile("govern", "govern.yaml", this::spec, folder, news()));
    hangUp();
    await().atMost(LONG).until(() -> said().contains("read govern.yaml again"));
    assertThat(heard).hasValue(0);
    ends(end);
  }

  /** As of {@code idle watch}: it is left to the process, which ends by it as by SIGTERM. */
  @Test
  void optionsHaveNothingToBeReadAgain() throws Exception {
    CompletableFuture<Void> end =
        started(ServiceGovern.ofOptions("idle watch", "--local", spec(), folder, news()));
    hangUp();
    await().atMost(LONG).until(() -> heard.get() == 1);
    ends(end);
    assertThat(said()).doesNotContain(" again");
  }
}
