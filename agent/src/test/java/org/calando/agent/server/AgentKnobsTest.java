package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.calando.agent.AgentKnobs;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.KnobState;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.toy.ToyLimit;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.clock.MemoryFolder;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.http.HttpPeer;
import org.calando.power.jmx.JmxSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Knobs of processes on two machines, set through their agents. */
@Timeout(120)
class AgentKnobsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeAgent one;
  private FakeAgent two;

  @BeforeEach
  void twoMachines() {
    one = agent("one", 1);
    two = agent("two", 2);
    ToyLimit.LIMITS.put("127.0.0.1:1", 48);
    ToyLimit.LIMITS.put("127.0.0.1:2", 48);
  }

  @AfterEach
  void end() {
    ToyLimit.between = () -> {};
    ToyLimit.STUCK.clear();
    one.close();
    two.close();
    assertThat(limits()).containsExactly(48, 48);
  }

  private FakeAgent agent(String name, int port) {
    return FakeAgent.of(
        folder.resolve(name),
        1,
        new AgentServer.Offers(
            folder.resolve("powercap"),
            Optional.empty(),
            Map.of(),
            Map.of("database", new JmxSource("127.0.0.1", port, Optional.empty()))));
  }

  private static List<Integer> limits() {
    return List.of(ToyLimit.LIMITS.get("127.0.0.1:1"), ToyLimit.LIMITS.get("127.0.0.1:2"));
  }

  private Knob<Integer> knob() {
    return new AgentKnobs(
            List.of(
                new AgentKnobs.NodeProcess("n1", one.node("n1", 0).agent(), "database"),
                new AgentKnobs.NodeProcess("n2", two.node("n2", 0).agent(), "database")))
        .knob(new ToyLimit());
  }

  private HttpResponse<String> ask(String method, String path, String body) {
    HttpPeer peer = new HttpPeer(one.address(), HttpPeer.Access.NONE);
    HttpRequest.BodyPublisher text = HttpRequest.BodyPublishers.ofString(body);
    return peer.ask(peer.request(path, LONG).method(method, text).build()).join();
  }

  private HttpResponse<String> want(
      String id, long fence, long number, Map<String, Map<String, String>> knobs) {
    return ask(
        "PUT",
        "/v1/leases/shop",
        AgentWire.text(new LeaseRequest("the governor " + id, id, fence, number, Map.of(), knobs)));
  }

  private static Map<String, Map<String, String>> limit(String value) {
    return Map.of("database", Map.of("toy-limit", value));
  }

  private KnobState state() {
    return AgentWire.read(ask("GET", "/v1/knobs/database/toy-limit", "").body(), KnobState.class);
  }

  @Test
  void aKnobIsSetThroughEachAgentAndGivenBack() throws Exception {
    Knob<Integer> knob = knob();
    try (Lease lease = Lease.ofProcess("g1")) {
      lease.own(knob);
      assertThat(knob.current()).isEqualTo(48);
      long unused = lease.set(knob, 48, 16, "48");
      assertThat(limits()).containsExactly(16, 16);
      assertThat(knob.current()).isEqualTo(16);
      unused = lease.set(knob, 48, 17, "48");
      assertThat(limits()).containsExactly(17, 17);
      assertThat(state()).isEqualTo(new KnobState("17", "48"));
      unused = lease.set(knob, 48, 48, "48");
      assertThat(limits()).containsExactly(48, 48);
      assertThat(state().before()).as("it is held").isEqualTo("48");
      unused = lease.set(knob, 48, 18, "48");
      assertThat(limits()).containsExactly(18, 18);
    }
    assertThat(limits()).containsExactly(48, 48);
  }

  @Test
  void aValueThatItHasAnywayIsHeldUntilTheEnd() throws Exception {
    Knob<Integer> knob = knob();
    try (Lease lease = Lease.ofProcess("g1")) {
      lease.own(knob);
      long unused = lease.set(knob, 48, 48, "48");
      assertThat(state().before()).isEqualTo("48");
      ToyLimit.LIMITS.put("127.0.0.1:2", 64);
      assertThat(lease.verify(knob)).singleElement().asString().contains("is done again");
      assertThat(limits()).containsExactly(48, 48);
    }
    assertThat(state().before()).isNull();
  }

  @Test
  void whatOthersChangedIsSetAgainAndGoesBackToHowItWas() throws Exception {
    Knob<Integer> knob = knob();
    try (Lease lease = Lease.ofProcess("g1")) {
      lease.own(knob);
      long unused = lease.set(knob, 48, 16, "48");
      assertThat(lease.verify(knob)).isEmpty();
      ToyLimit.LIMITS.put("127.0.0.1:2", 64);
      assertThat(lease.verify(knob)).singleElement().asString().contains("is done again");
      assertThat(limits()).containsExactly(16, 16);
    }
  }

  @Test
  void aSecondGovernorIsRefused() throws Exception {
    Knob<Integer> knob = knob();
    try (Lease lease = Lease.ofProcess("g1")) {
      lease.own(knob);
      long unused = lease.set(knob, 48, 16, "48");
      // Each look finds the first alive: time stands still for its silence.
      one.nanos.addAndGet(SECOND);
      two.nanos.addAndGet(SECOND);
      Knob<Integer> alike = knob();
      assertThatThrownBy(() -> alike.plan(48, 24).steps().get(0).perform())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the knobs are held by ");
      assertThat(limits()).containsExactly(16, 16);
    }
  }

  @Test
  void aGovernorThatIsSilentLosesItAndWhatItSetIsNotTakenForHowItWas() {
    assertThat(want("dead/1", 1, 1, limit("16")).statusCode()).isEqualTo(200);
    assertThat(limits()).containsExactly(16, 48);
    assertThat(state()).isEqualTo(new KnobState("16", "48"));
    assertThat(knob().current()).isEqualTo(48);
    assertThat(knob().plan(48, 16).steps().get(0).isDone()).as("it is not ours").isFalse();
    one.nanos.addAndGet(11 * SECOND);
    await().atMost(LONG).until(() -> limits().equals(List.of(48, 48)));
    assertThat(want("other/1", 2, 1, limit("24")).statusCode()).isEqualTo(200);
    assertThat(want("dead/1", 1, 2, limit("16")).body()).contains("is held by the governor other");
    assertThat(want("other/1", 2, 2, Map.of()).statusCode()).isEqualTo(200);
    assertThat(limits()).as("nothing is wanted").containsExactly(48, 48);
  }

  @Test
  void atTheEndOfTheAgentAllIsAsBeforeAndWithTheNextRequestAsWanted() {
    assertThat(want("own/1", 1, 1, limit("16")).statusCode()).isEqualTo(200);
    one = one.again();
    assertThat(limits()).containsExactly(48, 48);
    assertThat(want("own/1", 1, 2, limit("16")).statusCode()).isEqualTo(200);
    assertThat(limits()).containsExactly(16, 48);
  }

  /** What a killed agent leaves: files, and what the process is set to. */
  private record Killed(Map<Path, String> files, int limit) {
    static Killed now(Path folder) {
      Map<Path, String> files = new TreeMap<>();
      try (Stream<Path> all = Files.walk(folder.resolve("knobs"))) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          files.put(file, Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Killed(files, limits().get(0));
    }

    /** The next agent of the same folder. */
    ProcessKnobs successor(Path folder) throws IOException {
      for (Map.Entry<Path, String> file : files.entrySet()) {
        Files.writeString(file.getKey(), file.getValue());
      }
      ToyLimit.LIMITS.put("127.0.0.1:1", limit);
      LeaseFolders folders = LeaseFolders.in(folder);
      return new ProcessKnobs(
          Map.of("database", new JmxSource("127.0.0.1", 1, Optional.empty())),
          owner -> KnobLease.begin(folders, owner, line -> {}),
          folders.ofClusters()::before,
          OneAtATime.PATIENCE);
    }
  }

  /** Removes what a killed agent left. */
  private static void forget(Killed killed) throws IOException {
    for (Path file : killed.files().keySet()) {
      Files.deleteIfExists(file);
    }
  }

  private static String atRest(ProcessKnobs knobs) {
    KnobState state =
        AgentWire.read(
            knobs.read("database/toy-limit").toCompletableFuture().join(), KnobState.class);
    return state.before() == null ? state.value() : state.before();
  }

  @Test
  void whereverAnAgentIsKilledItsSuccessorTellsHowTheKnobWas() throws Exception {
    Path mine = folder.resolve("one");
    List<Killed> killed = new CopyOnWriteArrayList<>();
    assertThat(want("own/1", 1, 1, limit("15")).statusCode()).isEqualTo(200);
    ToyLimit.between = () -> killed.add(Killed.now(mine));
    assertThat(want("own/1", 1, 2, Map.of()).statusCode()).isEqualTo(200);
    assertThat(want("own/1", 1, 3, limit("16")).statusCode()).isEqualTo(200);
    assertThat(want("own/1", 1, 4, limit("17")).statusCode()).isEqualTo(200);
    assertThat(want("own/1", 1, 5, Map.of()).statusCode()).isEqualTo(200);
    ToyLimit.between = () -> {};
    HttpResponse<String> given =
        ask("DELETE", "/v1/leases/shop", AgentWire.text(new AgentWire.Release("own/1", 1)));
    assertThat(given.statusCode()).isEqualTo(200);
    assertThat(killed).extracting(Killed::limit).contains(15, 16, 17, 48);
    for (Killed one : killed) {
      assertThat(atRest(one.successor(mine))).as(one.toString()).isEqualTo("48");
      forget(one);
    }
    // The first after each time that the process was set, and the last before it is set again.
    for (int limit : List.of(15, 16, 17)) {
      List<Killed> there = killed.stream().filter(one -> one.limit() == limit).toList();
      for (Killed one : List.of(there.get(0), there.get(there.size() - 1))) {
        isSucceeded(one, mine);
      }
    }
  }

  /** Its successor restores what it left before it takes the knob. */
  private static void isSucceeded(Killed killed, Path folder) throws Exception {
    ProcessKnobs successor = killed.successor(folder);
    try (WantedKnobs next = successor.begin("the next")) {
      next.set(limit("20"));
      assertThat(limits()).as(killed.toString()).containsExactly(20, 48);
      assertThat(atRest(successor)).isEqualTo("48");
    }
    assertThat(limits()).as(killed.toString()).containsExactly(48, 48);
    assertThat(atRest(successor)).isEqualTo("48");
    forget(killed);
  }

  @Test
  void aLeaseThatIsNotRestoredIsGivenBackAgain() throws Exception {
    Knob<Integer> knob = knob();
    try (Lease lease = Lease.ofProcess("g1")) {
      lease.own(knob);
      long unused = lease.set(knob, 48, 16, "48");
      ToyLimit.STUCK.add("127.0.0.1:2");
      assertThatThrownBy(() -> lease.release(knob)).hasMessageContaining("does not answer");
      assertThatThrownBy(() -> lease.release(knob)).hasMessageContaining("not everything is");
      assertThat(limits()).containsExactly(48, 16);
      assertThat(knob.current()).as("how it was").isEqualTo(48);
      ToyLimit.STUCK.clear();
      two.nanos.addAndGet(2 * SECOND);
      await().atMost(LONG).until(() -> limits().equals(List.of(48, 48)));
      // The agent notes that all is restored a moment after it is.
      await()
          .atMost(LONG)
          .ignoreExceptionsInstanceOf(FailedWorkException.class)
          .until(
              () -> {
                lease.release(knob);
                return true;
              });
      lease.own(knob);
      unused = lease.set(knob, 48, 17, "48");
      assertThat(limits()).containsExactly(17, 17);
    }
  }

  @Test
  void whatIsNoKnobOfAProcessIsRefused() {
    long number = 1;
    for (Map<String, Map<String, String>> wrong :
        List.of(
            limit("101"),
            limit("-1"),
            limit("many"),
            Map.of("redis", Map.of("toy-limit", "1")),
            Map.of("database", Map.of("org.apache.cassandra.db:type=StorageService", "1")),
            Map.of("database", Map.of("cpufreq", "1")))) {
      HttpResponse<String> answer = want("own/1", 1, number++, wrong);
      assertThat(answer.statusCode()).as(wrong + " " + answer.body()).isEqualTo(409);
    }
    for (String path : List.of("redis/toy-limit", "database/clear", "database", "")) {
      assertThat(ask("GET", "/v1/knobs/" + path, "").statusCode()).as(path).isEqualTo(409);
    }
    assertThat(limits()).containsExactly(48, 48);
  }

  @Test
  void nullsAreRefusedAndARequestOfNothingTakesNoLease() {
    String request = "{\"holder\":\"h\",\"id\":\"own/1\",\"fence\":1,\"number\":1,\"knobs\":%s}";
    for (String wrong : List.of("{\"database\":null}", "{\"database\":{\"toy-limit\":null}}")) {
      HttpResponse<String> answer = ask("PUT", "/v1/leases/shop", request.formatted(wrong));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("database").contains("null");
    }
    for (String nothing : List.of("{}", "null")) {
      HttpResponse<String> answer = ask("PUT", "/v1/leases/shop", request.formatted(nothing));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
      assertThat(answer.body()).contains("names neither nodes nor processes");
    }
    assertThat(ask("GET", "/v1/leases/shop", "").body()).contains("\"held\":false");
  }

  @Test
  void anAgentThatDoesNotAnswerIsAFailure() {
    Knob<Integer> knob = knob();
    two.close();
    assertThatThrownBy(knob::current)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer");
    assertThatThrownBy(() -> knob.plan(48, 16).steps().get(0).perform())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer");
  }
}
