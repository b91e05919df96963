package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.calando.core.time.DaemonThread;
import org.calando.governor.told.Decided;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What those see who watch a governor. */
@Timeout(180)
class GovernorEventsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_KEPT = 200;
  private static final String FILE =
      """
      clusters:
        - {name: shop, engine: redis, period: 100ms, control: [{climb: {most: 9}}],
           inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
      listen: 127.0.0.1:0
      token-file: tokens
      """;

  @TempDir Path folder;
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

  private OperatedGovernor start() throws Exception {
    return OperatedGovernor.start(folder, FILE, line -> {});
  }

  /** An event. */
  private record Event(String name, String id, JsonNode data) {}

  /** One who watches, and reads or does not. */
  private static final class Watching implements AutoCloseable {
    private final Socket socket = new Socket();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    private volatile boolean ended;

    Watching(OperatedGovernor governor, String query, String header, boolean reads)
        throws IOException {
      this("127.0.0.1", governor, query, header, reads);
    }

    /** From another address of this machine. */
    Watching(String from, OperatedGovernor governor, String query, String header, boolean reads)
        throws IOException {
      socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
      if (!reads) {
        socket.setReceiveBufferSize(1024);
      }
      socket.connect(
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), URI.create(governor.address()).getPort()));
      String request =
          "GET /api/v1/events"
              + query
              + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + OperatedGovernor.VIEWER
              + "\r\n"
              + header
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      if (reads) {
        var unused = DaemonThread.start("test-watching", this::read);
      }
    }

    private void read() {
      String name = "";
      String id = "";
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("event: ")) {
            name = line.substring(7);
            id = "";
          } else if (line.startsWith("id: ")) {
            id = line.substring(4);
          } else if (line.startsWith("data: ")) {
            // Of those of a load only that they came.
            boolean isKept = events.size() < MOST_KEPT || !name.equals("decision");
            events.add(
                new Event(
                    name, id, isKept ? JSON.readTree(line.substring(6)) : NullNode.getInstance()));
          }
        }
      } catch (IOException e) {
        // It is closed.
      }
      ended = true;
    }

    List<Event> of(String name) {
      return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    List<Long> ids() {
      return of("decision").stream().map(event -> Long.valueOf(event.id())).toList();
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Watching watch(OperatedGovernor governor, String query) throws IOException {
    return new Watching(governor, query, "", true);
  }

  private static Decided decided(int value) {
    return new Decided(
        0,
        Instant.now(),
        "a test",
        List.of("dial"),
        List.of("dial of x: " + value + " " + "x".repeat(400)),
        List.of("as a test"),
        Optional.empty());
  }

  @Test
  void whoWatchesSeesEachStateAndEachDecisionAndWhatItMissedThroughARestart() throws Exception {
    long seen;
    try (OperatedGovernor governor = start();
        Watching all = watch(governor, "?after=0")) {
      await().atMost(LONG).until(() -> dial().equals("9"));
      await().atMost(LONG).until(() -> all.ids().size() >= 8);
      assertThat(all.ids()).isSorted().doesNotHaveDuplicates();
      Event first = all.of("decision").get(0);
      assertThat(first.data().path("id").asText()).isEqualTo(first.id());
      assertThat(first.data().path("cluster").asText()).isEqualTo("shop");
      assertThat(first.data().at("/settings/0").asText()).endsWith(": 2");
      assertThat(first.data().path("barred").isNull()).isTrue();
      await().atMost(LONG).until(() -> !all.of("state").isEmpty());
      await()
          .atMost(LONG)
          .until(
              () -> {
                List<Event> states = all.of("state");
                return states
                    .get(states.size() - 1)
                    .data()
                    .at("/knobs/0/in_force")
                    .asText()
                    .equals("9");
              });
      assertThat(all.of("gap")).isEmpty();
      try (Watching fresh = watch(governor, "")) {
        await().atMost(LONG).until(() -> !fresh.of("state").isEmpty());
        assertThat(fresh.ids()).as("none are replayed").isEmpty();
      }
      seen = all.ids().get(2);
    }
    Files.writeString(dial, "1\n");
    try (OperatedGovernor governor = start();
        Watching again = new Watching(governor, "", "Last-Event-ID: " + seen + "\r\n", true)) {
      await().atMost(LONG).until(() -> dial().equals("9"));
      await().atMost(LONG).until(() -> again.ids().size() >= 10);
      assertThat(again.ids()).startsWith(seen + 1, seen + 2).isSorted().doesNotHaveDuplicates();
      assertThat(again.of("gap")).isEmpty();
      try (Watching ofAnother = watch(governor, "?after=1000000")) {
        await().atMost(LONG).until(() -> !ofAnother.of("gap").isEmpty());
        assertThat(ofAnother.of("gap").get(0).data().path("after").asLong()).isEqualTo(1000000);
      }
    }
  }

  private String dial() throws IOException {
    return Files.readString(dial).strip();
  }

  /** Decisions are handed on whatever viewers do; the five are dropped, as they take nothing. */
  @Test
  void ofTwentyViewersFiveNeverReadAndNoDecisionIsLate() throws Exception {
    List<Watching> readers = new ArrayList<>();
    List<Watching> others = new ArrayList<>();
    try (OperatedGovernor governor = start()) {
      for (int i = 0; i < 20; i++) {
        boolean reads = i >= 5;
        (reads ? readers : others).add(new Watching(governor, "", "", reads));
      }
      await().atMost(LONG).until(() -> readers.stream().noneMatch(e -> e.of("state").isEmpty()));
      await().atMost(LONG).until(() -> dial().equals("9"));
      var told = governor.service().notes().decisions();
      long before = told.last();
      int most = 12_000;
      for (int i = 0; i < most; i++) {
        told.add("shop", decided(i));
        long added = before + i + 1;
        if (i % 1000 == 999) {
          await().atMost(LONG).until(() -> told.last() >= added);
        }
      }
      long last = told.last();
      assertThat(last).as("all are numbered").isGreaterThanOrEqualTo(before + most);
      await()
          .atMost(LONG)
          .until(
              () ->
                  readers.stream()
                      .allMatch(
                          each -> {
                            List<Long> ids = each.ids();
                            return !ids.isEmpty() && ids.get(ids.size() - 1) >= last;
                          }));
      assertThat(readers)
          .allSatisfy(each -> assertThat(each.ids()).isSorted().doesNotHaveDuplicates());
      await()
          .atMost(LONG)
          .until(
              () -> {
                told.add("shop", decided(most));
                return metrics(governor).contains("calando_governor_viewers 15.0");
              });
      assertThat(governor.get("/healthz").status()).isEqualTo(200);
    } finally {
      readers.forEach(Watching::close);
      others.forEach(Watching::close);
    }
  }

  private static String metrics(OperatedGovernor governor) {
    return OperatedGovernor.send(
            OperatedGovernor.request(
                    governor.address(), "/metrics", Optional.of(OperatedGovernor.VIEWER))
                .build())
        .body();
  }

  @Test
  void thereAreSixtyFourViewersAtMostAndWhatIsNoIdIsRefused() throws Exception {
    List<Watching> watching = new ArrayList<>();
    try (OperatedGovernor governor = start()) {
      assertThat(governor.get("/api/v1/events?after=x").status()).isEqualTo(400);
      for (int i = 0; i < 64; i++) {
        watching.add(new Watching("127.0.0." + (1 + i % 4), governor, "", "", true));
      }
      await()
          .atMost(LONG)
          .until(
              () -> IntStream.range(0, 64).allMatch(i -> !watching.get(i).of("state").isEmpty()));
      assertThat(governor.get("/api/v1/events").status()).isEqualTo(503);
      watching.get(0).close();
      await().atMost(LONG).until(() -> metrics(governor).contains("calando_governor_viewers 63.0"));
      watching.set(0, watch(governor, ""));
      await().atMost(LONG).until(() -> !watching.get(0).of("state").isEmpty());
    } finally {
      watching.forEach(Watching::close);
    }
  }

  @Test
  void oneAddressTakesHalfOfThePlacesAtMost() throws Exception {
    List<Watching> watching = new ArrayList<>();
    try (OperatedGovernor governor = start()) {
      for (int i = 0; i < 32; i++) {
        watching.add(watch(governor, ""));
      }
      await().atMost(LONG).until(() -> metrics(governor).contains("calando_governor_viewers 32.0"));
      HttpResponse<String> refused =
          OperatedGovernor.send(
              OperatedGovernor.request(
                      governor.address(), "/api/v1/events", Optional.of(OperatedGovernor.VIEWER))
                  .build());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("32 viewers from 127.0.0.1 already; close one");
      watching.add(new Watching("127.0.0.2", governor, "", "", true));
      await().atMost(LONG).until(() -> !watching.get(32).of("state").isEmpty());
    } finally {
      watching.forEach(Watching::close);
    }
  }

  @Test
  void whoseTokenIsTakenBackHearsNoMore() throws Exception {
    List<Watching> watching = new ArrayList<>();
    try (OperatedGovernor governor = start()) {
      Path tokens = folder.resolve("tokens");
      String kept = "operator ann " + OperatedGovernor.OPERATOR + "\n";
      Watching bob = watch(governor, "");
      watching.add(bob);
      await().atMost(LONG).until(() -> !bob.of("state").isEmpty());
      Files.writeString(tokens, kept + "viewer bob " + OperatedGovernor.VIEWER + "\n");
      governor.reload();
      governor.service().notes().decisions().add("shop", decided(1));
      await()
          .atMost(LONG)
          .until(() -> bob.of("decision").stream().anyMatch(GovernorEventsTest::isOne));
      Files.writeString(tokens, kept);
      governor.reload();
      await().atMost(LONG).until(() -> bob.ended);
      assertThat(governor.get("/api/v1/clusters").status()).isEqualTo(401);
    } finally {
      watching.forEach(Watching::close);
    }
  }

  private static boolean isOne(Event event) {
    return event.data().path("settings").toString().contains("dial of x: 1 ");
  }
}
