package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.agent.AgentWire;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.http.server.Answer;
import org.calando.http.server.HttpService;
import org.calando.power.agent.AgentSource;
import org.calando.power.onoff.AgentSwitch;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may order, and what becomes of orders of those who may not any more. */
@Timeout(60)
class SwitchesTest {
  private static final Duration WITHIN = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final List<String> news = new CopyOnWriteArrayList<>();

  private static AgentWire.SwitchOrder shown(long fence) {
    return new AgentWire.SwitchOrder(null, "shift-" + fence, fence);
  }

  private static AgentWire.SwitchOrder off(long fence) {
    return new AgentWire.SwitchOrder(AgentSwitch.Order.OFF, "shift-" + fence, fence);
  }

  @Test
  void anOrderThatWasTakenUnderAnOlderNumberAndComesLateTurnsNothing() throws Exception {
    Path file = folder.resolve("service");
    Files.writeString(file, "up");
    List<Runnable> late = new ArrayList<>();
    Switches switches =
        new Switches(
            Map.of("cassandra", AgentOffersTest.writes(file)),
            folder.resolve("fences"),
            WITHIN,
            news::add,
            late::add);
    CompletableFuture<AgentWire.SwitchState> taken =
        switches.order("cassandra", off(1)).toCompletableFuture();
    CompletableFuture<AgentWire.SwitchState> next =
        switches.order("cassandra", shown(2)).toCompletableFuture();
    assertThat(next).as("an order is under way").isNotDone();
    late.get(0).run();
    assertThatThrownBy(taken::join).hasMessageContaining("number 1 is older than 2");
    assertThat(next.join().fence()).isEqualTo(2);
    assertThat(Files.readString(file)).startsWith("up");
    assertThat(switches.order("cassandra", shown(3)).toCompletableFuture()).isDone();
    assertThat(news).as("nothing was ordered").isEmpty();
  }

  @Test
  void aHigherNumberIsAnsweredWhenTheOrderUnderWayHasEnded() throws Exception {
    Path file = folder.resolve("go-on");
    Path begun = folder.resolve("begun");
    Switches switches =
        new Switches(
            Map.of("cassandra", AgentOffersTest.waitsFor(file, "touch " + begun + "; ")),
            folder.resolve("fences"),
            WITHIN,
            news::add);
    var unused = switches.order("cassandra", off(1));
    await().atMost(WITHIN).until(() -> Files.exists(begun));
    CompletableFuture<AgentWire.SwitchState> next =
        switches.order("cassandra", shown(2)).toCompletableFuture();
    assertThat(next).isNotDone();
    assertThat(news).containsExactly("cassandra, commands of its switch: is ordered OFF, number 1");
    Files.createFile(file);
    assertThat(next.join().fence()).isEqualTo(2);
  }

  /** An agent that knows nothing of numbers: it takes orders alone. */
  @Test
  void anAgentOfAnOlderVersionIsRefusedWithTheRemedyAndAskedAllTheSame() throws Exception {
    List<String> orders = new CopyOnWriteArrayList<>();
    try (HttpService older =
        HttpService.listen(
            Listening.plain("127.0.0.1", 0),
            call -> {
              if (!call.reads()) {
                orders.add(call.body());
              }
              return !call.reads() && !call.body().contains("order")
                  ? Answer.text(400, "the body has no order\n")
                  : Answer.json("{\"state\":\"ON\",\"canForce\":false}");
            })) {
      PowerSwitch its =
          new AgentSwitch(
              "n1",
              new AgentSource(URI.create(older.address()), HttpPeer.Access.NONE),
              "cassandra",
              WITHIN);
      assertThat(its.read()).isEqualTo(PowerSwitch.State.ON);
      new SwitchBoard(Map.of("n1", its), WITHIN, line -> {}).begin();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(its::off)
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("is of an agent of an older version")
            .hasMessageContaining("n1, switch cassandra");
      }
      assertThatThrownBy(its::begin).hasMessageContaining("update the agents");
      assertThat(orders).isEmpty();
    }
  }

  @Test
  void anAgentThatHungAtTheBeginGetsNoOrderOfThatShift() throws Exception {
    CompletableFuture<Answer> never = new CompletableFuture<>();
    try (HttpService hangs =
        HttpService.listenLater(
            Listening.plain("127.0.0.1", 0),
            call ->
                never.isDone()
                    ? CompletableFuture.completedStage(
                        Answer.json("{\"state\":\"ON\",\"fence\":1}"))
                    : never)) {
      PowerSwitch its =
          new AgentSwitch(
              "n1",
              new AgentSource(URI.create(hangs.address()), HttpPeer.Access.NONE),
              "cassandra",
              Duration.ofMillis(50));
      assertThatThrownBy(its::begin).hasMessageContaining("does not answer in time");
      never.cancel(false);
      assertThatThrownBy(its::off)
          .hasMessageContaining("had no number of its agent")
          .hasMessageContaining("does not answer in time");
    }
  }
}
