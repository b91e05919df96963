package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.agent.AgentClocks;
import org.calando.agent.AgentNode;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.agent.AgentWire.NodeWish;
import org.calando.agent.ReportedClocks;
import org.calando.clock.ClockOutcome;
import org.calando.clock.FakeTree;
import org.calando.clock.MemoryFolder;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.http.server.Answer;
import org.calando.http.server.HttpService;
import org.calando.power.agent.AgentSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two agents over HTTP, on machines of files. */
@Timeout(60)
class AgentClocksTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeAgent one;
  private FakeAgent two;
  private Map<String, String> before;

  @BeforeEach
  void twoMachines() {
    one = FakeAgent.of(folder.resolve("one"), 2);
    two = FakeAgent.of(folder.resolve("two"), 1);
    before = one.machine.tree.saved();
  }

  @AfterEach
  void end() {
    one.close();
    two.close();
  }

  private List<AgentNode> nodes() {
    return List.of(one.node("a", 0), one.node("b", 1), two.node("c", 0));
  }

  private AgentClocks take(String holder) {
    return AgentClocks.take("shop", holder, nodes(), folder.resolve("state"));
  }

  /** Answers may be late on a busy machine, and are awaited. */
  private static void set(AgentClocks clocks, String node) {
    await().until(() -> clocks.set(node, FakeTree.MIN).ok());
  }

  @Test
  void clocksAreSetThroughEachAgentAndRestored() {
    try (AgentClocks clocks = take("g1")) {
      assertThat(clocks.kiloHertz("a")).isEqualTo(FakeTree.MAX);
      Map<String, Long> wanted = Map.of("a", FakeTree.MIN, "c", FakeTree.MIN);
      await().until(() -> clocks.set(wanted).stream().allMatch(ClockOutcome::ok));
      assertThat(one.kiloHertz(0)).isEqualTo(FakeTree.MIN);
      assertThat(one.kiloHertz(1)).isEqualTo(FakeTree.MAX);
      assertThat(two.kiloHertz(0)).isEqualTo(FakeTree.MIN);
      assertThat(clocks.kiloHertz("c")).isEqualTo(FakeTree.MIN);
      assertThat(clocks.frequencies("b").highest()).isEqualTo(FakeTree.MAX);
      assertThat(clocks.problems()).isEmpty();
    }
    assertThat(one.machine.tree.saved()).isEqualTo(before);
    assertThat(one.news).anyMatch(line -> line.contains("restored: it was given back"));
  }

  @Test
  void aSecondGovernorIsRefusedAndOneAfterItHasAHigherNumber() {
    try (AgentClocks first = take("g1")) {
      set(first, "a");
      // Each look finds the first alive: time stands still for its silence.
      two.nanos.addAndGet(SECOND);
      one.nanos.addAndGet(SECOND);
      assertThatThrownBy(() -> take("g2"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("held by g1, number 1");
      assertThat(one.kiloHertz(0)).isEqualTo(FakeTree.MIN);
    }
    try (AgentClocks second = take("g2")) {
      assertThat(second.problems()).isEmpty();
    }
  }

  @Test
  void whatASilentGovernorHadIsRestoredAndItsOlderNumberIsRefused() {
    AgentClocks cut = take("g1");
    set(cut, "a");
    one.nanos.addAndGet(11 * SECOND);
    two.nanos.addAndGet(11 * SECOND);
    await().until(() -> one.machine.tree.saved().equals(before));
    AgentClocks next = take("g2");
    set(next, "b");
    await().until(() -> cut.set("a", FakeTree.MIN + 200_000).faults().contains("is held by g2"));
    assertThat(one.kiloHertz(0)).isEqualTo(FakeTree.MAX);
    next.close();
    await()
        .until(
            () ->
                cut.set("a", FakeTree.MIN + 400_000)
                    .faults()
                    .contains("number 1 is older than 2, which g2 had since"));
    assertThat(one.machine.tree.saved()).isEqualTo(before);
    cut.close();
  }

  @Test
  void anAgentThatHasStartedAgainIsAsWantedWithTheNextRequest() {
    try (AgentClocks clocks = take("g1")) {
      set(clocks, "a");
      one = one.again();
      await().until(() -> clocks.set("b", FakeTree.MIN).ok());
      assertThat(one.kiloHertz(0)).isEqualTo(FakeTree.MIN);
      assertThat(one.kiloHertz(1)).isEqualTo(FakeTree.MIN);
    }
    assertThat(one.machine.tree.saved()).isEqualTo(before);
  }

  @Test
  void anAgentThatIsGoneHindersNoOther() {
    AgentClocks clocks = take("g1");
    two.close();
    List<ClockOutcome> outcomes = clocks.set(Map.of("a", FakeTree.MIN, "c", FakeTree.MIN));
    await().until(() -> one.kiloHertz(0) == FakeTree.MIN);
    assertThat(outcomes)
        .filteredOn(outcome -> outcome.node().equals("c"))
        .noneMatch(ClockOutcome::ok);
    await()
        .untilAsserted(
            () ->
                assertThat(clocks.problems())
                    .singleElement()
                    .asString()
                    .contains("does not answer: it cannot be connected to"));
    assertThatThrownBy(clocks::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("it restores by itself");
    assertThat(one.machine.tree.saved()).isEqualTo(before);
  }

  @Test
  void whatIsNoAgentIsAFailure() {
    for (String answer : List.of("<html>", "null", "[]")) {
      try (HttpService other =
          HttpService.listen(Listening.plain("127.0.0.1", 0), call -> Answer.json(answer))) {
        AgentSource source = new AgentSource(URI.create(other.address()), HttpPeer.Access.NONE);
        assertThatThrownBy(
                () ->
                    AgentClocks.take(
                        "shop",
                        "g1",
                        List.of(new AgentNode("a", source, CpuSet.of(0))),
                        folder.resolve("state")))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("is it an agent of this version?");
      }
    }
  }

  @Test
  void processorsWithoutAClockAreRefused() {
    assertThatThrownBy(
            () ->
                AgentClocks.take("shop", "g1", List.of(one.node("a", 7)), folder.resolve("state")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("processors 7 have no clock that can be set");
  }

  /** Else each would take what the other has, in turn, and both would report success. */
  @Test
  void anAgentThatIsNamedByTwoAddressesIsRefused() {
    AgentNode other = one.node("b", 1);
    URI alike = URI.create(other.agent().uri().toString().replace("127.0.0.1", "localhost"));
    List<AgentNode> nodes =
        List.of(
            one.node("a", 0),
            new AgentNode("b", new AgentSource(alike, HttpPeer.Access.NONE), CpuSet.of(1)));
    assertThatThrownBy(() -> AgentClocks.take("shop", "g1", nodes, folder.resolve("state")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("name this agent alike at all nodes");
    assertThat(one.machine.tree.saved()).isEqualTo(before);
  }

  @Test
  void aRequestThatALaterOneHasOvertakenSetsNothing() throws Exception {
    try (AgentClocks clocks = take("g1")) {
      set(clocks, "a");
      HttpPeer peer = new HttpPeer(one.node("a", 0).agent().uri(), HttpPeer.Access.NONE);
      String path = "/v1/leases/shop";
      LeaseState held =
          AgentWire.read(peer.ask(peer.request(path, LONG).build()).get().body(), LeaseState.class);
      LeaseRequest late =
          new LeaseRequest(
              held.holder(),
              held.id(),
              held.fence(),
              1,
              Map.of(
                  "a", new NodeWish("0", FakeTree.MAX, 0, List.of()),
                  "b", new NodeWish("1", FakeTree.MAX, 0, List.of())),
              Map.of());
      var refused =
          peer.ask(
                  peer.request(path, LONG)
                      .PUT(HttpRequest.BodyPublishers.ofString(AgentWire.text(late)))
                      .build())
              .get();
      assertThat(refused.statusCode()).isEqualTo(409);
      assertThat(refused.body()).contains("a later request was taken");
      assertThat(one.kiloHertz(0)).isEqualTo(FakeTree.MIN);
    }
  }

  @Test
  void whatCouldBeSetIsReportedAndNothingIsTaken() {
    List<String> lines = new ArrayList<>();
    ReportedClocks clocks = ReportedClocks.of(nodes()).telling(lines::add);
    assertThat(clocks.nodes()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(clocks.conflicts()).isEmpty();
    long lowest = clocks.frequencies("c").lowest();
    assertThat(clocks.set("c", lowest).kiloHertz()).isEqualTo(lowest);
    assertThat(lines).singleElement().asString().contains(two.address().toString(), "policy0");
    assertThat(one.machine.tree.saved()).isEqualTo(before);
    assertThat(clocks.movesThreads()).isFalse();
    assertThatThrownBy(() -> ReportedClocks.of(List.of(one.node("a", 7))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("processors 7 have no clock that can be set")
        .hasMessageContaining("node a");
    List<AgentNode> nodes = nodes();
    two.close();
    assertThatThrownBy(() -> ReportedClocks.of(nodes))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer");
    two = FakeAgent.of(folder.resolve("three"), 1);
  }
}
