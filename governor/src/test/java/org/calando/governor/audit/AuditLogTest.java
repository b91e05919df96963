package org.calando.governor.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");

  private AuditLog open(String applied) {
    return AuditLog.open(folder, applied, () -> now);
  }

  private static AuditLog.Caller ann(String request) {
    return new AuditLog.Caller(Optional.of("ann"), Optional.of("operator"), "127.0.0.1", request);
  }

  private static long begins(AuditLog log, String request) {
    return log.begins(ann(request), "shop", "hold dial", NOTHING, NOTHING, "a test");
  }

  private static List<String> outcomes(AuditLog log) {
    return log.after(0, 1000).stream().map(line -> line.path("outcome").asText()).toList();
  }

  @Test
  void aCallIsOneLineWithWhatCameOfIt() {
    try (AuditLog log = open("")) {
      log.done(begins(log, "r1"));
      log.failed(begins(log, "r2"), "the disk is full");
      long third = begins(log, "r3");
      assertThat(outcomes(log)).containsExactly("done", "failed: the disk is full", "null");
      assertThat(log.after(0, 1000).get(0).toString())
          .contains("\"who\":\"ann\"", "\"role\":\"operator\"", "\"reason\":\"a test\"");
      assertThat(log.after(third - 1, 1000))
          .singleElement()
          .matches(line -> line.path("request").asText().equals("r3"));
      assertThat(log.after(-1, 1))
          .as("the last")
          .singleElement()
          .matches(line -> line.path("request").asText().equals("r3"));
      assertThat(log.after(0, 1))
          .as("the first after it")
          .singleElement()
          .matches(line -> line.path("request").asText().equals("r1"));
    }
  }

  @Test
  void ofACallThatWasCutOffTheBookSaysWhetherItWasDone() {
    try (AuditLog log = open("")) {
      log.done(begins(log, "r1"));
      begins(log, "r2");
    }
    try (AuditLog log = open("r2")) {
      assertThat(outcomes(log)).containsExactly("done", "done");
      begins(log, "r3");
    }
    try (AuditLog log = open("r2")) {
      assertThat(outcomes(log))
          .containsExactly("done", "done", "failed: the governor ended before it was done");
      assertThat(begins(log, "r4")).as("numbers go on").isEqualTo(7);
    }
  }

  @Test
  void refusalsAreBoundedAndPushNoChangeOut() throws Exception {
    try (AuditLog log = open("")) {
      log.done(begins(log, "r1"));
      for (int i = 0; i < 100; i++) {
        log.refused(ann("x" + i), Optional.of("shop"), "pause", "no operator's token");
      }
      assertThat(outcomes(log)).hasSize(61);
      now = now.plusSeconds(60);
      log.refused(ann("y"), Optional.of("shop"), "pause", "no operator's token");
      assertThat(outcomes(log))
          .contains("refused: no operator's token; 40 more were refused before");
    }
    String changes = Files.readString(folder.resolve("audit.jsonl"));
    assertThat(changes.lines().collect(Collectors.toList())).hasSize(2);
  }

  @Test
  void ofTheLastCallsAtMostHalfWereRefusedAndPagesLeaveNoneOut() {
    try (AuditLog log = open("")) {
      for (int i = 0; i < 6; i++) {
        log.done(begins(log, "r" + i));
      }
      for (int i = 0; i < 50; i++) {
        log.refused(ann("x" + i), Optional.of("shop"), "pause", "no operator's token");
      }
      assertThat(requests(log.after(-1, 8)))
          .containsExactly("r2", "r3", "r4", "r5", "x46", "x47", "x48", "x49");
      assertThat(requests(log.after(-1, 1))).containsExactly("r5");
      assertThat(log.after(-1, 100)).hasSize(56);
      assertThat(requests(log.after(0, 8)))
          .as("who asks for all of them, some at a time")
          .containsExactly("r0", "r1", "r2", "r3", "r4", "r5", "x0", "x1");
    }
  }

  private static List<String> requests(List<ObjectNode> lines) {
    return lines.stream().map(line -> line.path("request").asText()).toList();
  }

  @Test
  void whatCameOfACallIsWrittenBeforeTheNextOneWhereItCouldNotBe() throws Exception {
    Path file = folder.resolve("audit.jsonl");
    Path aside = folder.resolve("aside.jsonl");
    try (AuditLog log = open("")) {
      long first = begins(log, "r1");
      Files.move(file, aside);
      Files.createSymbolicLink(file, Path.of("/dev/full"));
      assertThat(log.done(first)).isPresent();
      assertThatThrownBy(() -> begins(log, "r2")).isInstanceOf(FailedWorkException.class);
      Files.delete(file);
      Files.move(aside, file);
      assertThat(outcomes(log)).containsExactly("done; that is not on the disk yet");
      begins(log, "r3");
      assertThat(outcomes(log)).containsExactly("done", "null");
    }
    try (AuditLog log = open("r1")) {
      assertThat(outcomes(log))
          .containsExactly("done", "failed: the governor ended before it was done");
    }
  }

  @Test
  void aTornLineIsKeptAsideAndHidesNoCall() throws Exception {
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = open("")) {
      log.done(begins(log, "r1"));
      begins(log, "r2");
    }
    Files.writeString(file, "{\"id\":4,\"of\":3,\"outco", StandardOpenOption.APPEND);
    try (AuditLog log = open("r2")) {
      log.done(begins(log, "r3"));
      assertThat(outcomes(log)).containsExactly("done", "done", "done");
      assertThat(folder.resolve("audit.jsonl.torn")).content().startsWith("{\"id\":4");
    }
  }

  /** Who reads megabytes of it delays no order. */
  @Test
  void whoReadsDelaysNoCall() throws Exception {
    try (AuditLog log = open("")) {
      log.done(begins(log, "r1"));
      CompletableFuture<List<String>> read;
      synchronized (log) {
        read = CompletableFuture.supplyAsync(() -> outcomes(log));
        assertThat(read.get(30, TimeUnit.SECONDS)).containsExactly("done");
      }
    }
  }
}
