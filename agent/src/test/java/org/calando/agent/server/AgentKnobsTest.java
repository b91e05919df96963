package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.agent.AgentKnobs;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.KnobState;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.toy.ToyLimit;
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
      assertThat(state().before()).isNull();
      unused = lease.set(knob, 48, 18, "48");
      assertThat(limits()).containsExactly(18, 18);
    }
    assertThat(limits()).containsExactly(48, 48);
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
