package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.calando.agent.AgentWire;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Scope;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.http.server.Answer;
import org.calando.http.server.HttpService;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.PowerSource;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;
import org.calando.power.agent.AgentPower;
import org.calando.power.agent.AgentSource;
import org.calando.power.onoff.AgentSwitch;
import org.calando.power.onoff.CommandSwitch.Commands;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchSpec;
import org.calando.power.onoff.SwitchTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent reads and turns for a governor beside clocks. */
class AgentOffersTest {
  private static final Ticker TICKER = Ticker.system();
  private static final Duration WITHIN = Duration.ofSeconds(60);

  @TempDir Path folder;

  /** Orders are written to a file, and read from it. */
  static SwitchSpec writes(Path file) {
    return new SwitchSpec(
        new SwitchSpec.Command(
            new Commands(
                List.of("sh", "-c", "echo up > " + file),
                List.of("sh", "-c", "echo down > " + file),
                Optional.empty(),
                List.of("cat", file.toString()),
                Optional.of(Pattern.compile("up")),
                Optional.of(Pattern.compile("down")))),
        WITHIN,
        SwitchTimes.USUAL);
  }

  private PowerSwitch of(FakeAgent agent, String name) {
    return new SwitchSpec(new SwitchSpec.OfAgent(Optional.empty(), name), WITHIN, SwitchTimes.USUAL)
        .of(agent.node("n1", 0).agent())
        .plain("n1", TICKER);
  }

  @Test
  void aSwitchOfTheAgentsFileIsTurnedByItsName() throws Exception {
    Path file = folder.resolve("service");
    Files.writeString(file, "up");
    AgentServer.Offers offers =
        new AgentServer.Offers(
            folder.resolve("powercap"),
            Optional.empty(),
            Map.of("cassandra", writes(file)),
            Map.of());
    try (FakeAgent agent = FakeAgent.of(folder, 1, offers)) {
      PowerSwitch its = of(agent, "cassandra");
      assertThat(its.read()).isEqualTo(PowerSwitch.State.ON);
      its.off();
      assertThat(Files.readString(file)).startsWith("down");
      assertThat(its.read()).isEqualTo(PowerSwitch.State.OFF);
      assertThatThrownBy(its::forceOff)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("cannot be turned off by force");
      its.on();
      assertThat(its.read()).isEqualTo(PowerSwitch.State.ON);
      assertThatThrownBy(of(agent, "../leases/x")::read).isInstanceOf(RuntimeException.class);
      assertThatThrownBy(of(agent, "redis")::off)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("there is no switch of this name")
          .hasMessageContaining("n1, switch redis");
    }
    assertThatThrownBy(
            () ->
                new AgentSwitch(
                        "n1",
                        new AgentSource(URI.create("http://127.0.0.1:1"), HttpPeer.Access.NONE),
                        "cassandra",
                        WITHIN)
                    .read())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer");
    assertThat(Files.readString(file)).startsWith("up");
  }

  @Test
  void anOlderNumberOrdersNothingAlsoAfterTheAgentHasStartedAgain() throws Exception {
    Path file = folder.resolve("service");
    Files.writeString(file, "up");
    AgentServer.Offers offers =
        new AgentServer.Offers(
            folder.resolve("powercap"),
            Optional.empty(),
            Map.of("cassandra", writes(file)),
            Map.of());
    FakeAgent agent = FakeAgent.of(folder, 1, offers);
    try {
      PowerSwitch cutOff = of(agent, "cassandra");
      cutOff.begin();
      cutOff.off();
      PowerSwitch next = of(agent, "cassandra");
      cutOff.on();
      next.begin();
      assertThatThrownBy(cutOff::off)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("number 1 is older than 2, which another has shown since");
      agent = agent.again();
      assertThatThrownBy(cutOff::off).hasMessageContaining("number 1 is older than 2");
      assertThat(cutOff.read()).isEqualTo(PowerSwitch.State.ON);
      next.off();
      assertThat(next.read()).isEqualTo(PowerSwitch.State.OFF);
      HttpPeer peer = new HttpPeer(agent.address(), HttpPeer.Access.NONE);
      HttpRequest.BodyPublisher on = HttpRequest.BodyPublishers.ofString("{\"order\":\"ON\"}");
      assertThat(
              peer.ask(peer.request(AgentSwitch.PATH + "cassandra", WITHIN).PUT(on).build())
                  .join()
                  .statusCode())
          .as("without a number")
          .isEqualTo(409);
      assertThat(Files.readString(file)).startsWith("down");
    } finally {
      agent.close();
    }
  }

  /** Orders wait for a file, and fail then; so do questions, and tell then that it is on. */
  static SwitchSpec waitsFor(Path file) {
    return waitsFor(file, "");
  }

  /** The same, where they do something at first. */
  static SwitchSpec waitsFor(Path file, String first) {
    String waits = first + "until [ -e " + file + " ]; do sleep 0.02; done; ";
    List<String> fails = List.of("sh", "-c", waits + "exit 7");
    return new SwitchSpec(
        new SwitchSpec.Command(
            new Commands(
                fails,
                fails,
                Optional.empty(),
                List.of("sh", "-c", waits + "echo up"),
                Optional.of(Pattern.compile("up")),
                Optional.of(Pattern.compile("down")))),
        WITHIN,
        SwitchTimes.USUAL);
  }

  @Test
  void anOrderThatFailsWhenItsCallerHasGoneFailsTheNextQuestion() throws Exception {
    Path file = folder.resolve("go-on");
    Switches switches =
        new Switches(
            Map.of("cassandra", waitsFor(file)),
            folder.resolve("fences"),
            Duration.ofMillis(20),
            line -> {});
    AgentWire.SwitchOrder off = new AgentWire.SwitchOrder(AgentSwitch.Order.OFF, null, 0);
    assertThat(switches.order("cassandra", off).toCompletableFuture().join())
        .extracting(AgentWire.SwitchState::state)
        .isEqualTo("UNKNOWN");
    Files.createFile(file);
    await()
        .atMost(WITHIN)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> switches.state("cassandra").toCompletableFuture().join())
                    .isInstanceOf(FailedWorkException.class)
                    .hasMessageContaining(AgentSwitch.ORDER_FAILED)
                    .hasMessageContaining("7"));
    await()
        .atMost(WITHIN)
        .until(() -> switches.state("cassandra").toCompletableFuture().join().state().equals("ON"));
  }

  @Test
  void switchesThatHangKeepNoLeaseWaiting() throws Exception {
    Path file = folder.resolve("go-on");
    Map<String, SwitchSpec> hanging = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      hanging.put("s" + i, waitsFor(file));
    }
    AgentServer.Offers offers =
        new AgentServer.Offers(folder.resolve("powercap"), Optional.empty(), hanging, Map.of());
    try (FakeAgent agent = FakeAgent.of(folder, 1, offers)) {
      HttpPeer peer = new HttpPeer(agent.address(), HttpPeer.Access.NONE);
      List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
      for (String name : hanging.keySet()) {
        for (int i = 0; i < OneAtATime.MOST_WAITING; i++) {
          asked.add(peer.ask(peer.request(AgentSwitch.PATH + name, WITHIN).build()));
        }
      }
      assertThat(peer.ask(peer.request("/v1/leases", WITHIN).build()).join().statusCode())
          .isEqualTo(200);
      assertThat(asked).noneMatch(CompletableFuture::isDone);
      Files.createFile(file);
      assertThat(asked).allMatch(one -> one.join().statusCode() == 200);
    }
  }

  /** A controller that shows 123 W. */
  private static class Steady implements PowerSource, PowerProbe {
    @Override
    public String kind() {
      return "ipmi";
    }

    @Override
    public String describe() {
      return "a controller";
    }

    @Override
    public PowerProbe open(Ticker ticker) throws MeterException {
      return this;
    }

    @Override
    public ProbeInfo info() {
      return new ProbeInfo(Scope.HOST, "1 W", 5, false, false, false);
    }

    @Override
    public PowerSample sample(long deadlineNanos) {
      return new PowerSample.Power(TICKER.nanos(), 123);
    }

    @Override
    public void close() {}
  }

  @Test
  void theMachinesControllerIsReadWhereTheAgentsFileNamesIt() throws Exception {
    AgentServer.Offers offers =
        new AgentServer.Offers(
            folder.resolve("powercap"), Optional.of(new Steady()), Map.of(), Map.of());
    try (FakeAgent agent = FakeAgent.of(folder, 1, offers);
        PowerProbe probe = new AgentPower(agent.node("n1", 0).agent()).open(TICKER)) {
      PowerSample sample = probe.sample(TICKER.nanos() + WITHIN.toNanos());
      assertThat(sample).isInstanceOf(PowerSample.Power.class);
      assertThat(((PowerSample.Power) sample).watts()).isEqualTo(123);
      assertThat(probe.info()).isEqualTo(new Steady().info());
    }
    Path other = Files.createDirectory(folder.resolve("other"));
    try (FakeAgent agent = FakeAgent.of(other, 1)) {
      assertThatThrownBy(() -> new AgentPower(agent.node("n1", 0).agent()).open(TICKER))
          .isInstanceOf(MeterException.class)
          .hasMessageContaining("reads no management controller");
    }
  }

  /** A controller that is opened, or cannot be, as often as it is let. */
  private static final class Slow extends Steady {
    private final Semaphore opens = new Semaphore(0);
    private volatile boolean works = true;

    @Override
    public PowerProbe open(Ticker ticker) throws MeterException {
      try {
        opens.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (!works) {
        throw new MeterException("has no sensor", describe(), "name one");
      }
      return this;
    }
  }

  private static AgentWire.Power read(PowerOfMachine power) {
    return power.read().toCompletableFuture().join();
  }

  @Test
  void aControllerIsOpenedWhileItIsAskedAgain() {
    Slow slow = new Slow();
    try (PowerOfMachine power = new PowerOfMachine(Optional.of(slow), Duration.ofMillis(20))) {
      assertThatThrownBy(() -> read(power)).hasMessageContaining(AgentPower.OPENING);
      assertThatThrownBy(() -> read(power)).hasMessageContaining(AgentPower.OPENING);
      slow.opens.release();
      await()
          .atMost(WITHIN)
          .ignoreException(FailedWorkException.class)
          .until(() -> read(power).watts() == 123);
    }
  }

  @Test
  void whyAControllerCannotBeOpenedIsToldToWhoAsksAgain() {
    Slow slow = new Slow();
    slow.works = false;
    try (PowerOfMachine power = new PowerOfMachine(Optional.of(slow), Duration.ofMillis(20))) {
      assertThatThrownBy(() -> read(power)).hasMessageContaining(AgentPower.OPENING);
      slow.opens.release();
      await()
          .atMost(WITHIN)
          .untilAsserted(
              () -> assertThatThrownBy(() -> read(power)).hasMessageContaining("has no sensor"));
    }
  }

  @Test
  void anAgentThatOpensItsControllerIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HttpService opening =
            HttpService.listen(
                Listening.plain("127.0.0.1", 0),
                call ->
                    asked.incrementAndGet() < 3
                        ? new Answer(503, "application/json", "{\"what\":\"it is being opened\"}")
                        : Answer.json("{\"watts\":5,\"resolution\":\"1 W\"}"));
        PowerProbe probe =
            new AgentPower(new AgentSource(URI.create(opening.address()), HttpPeer.Access.NONE))
                .open(TICKER)) {
      assertThat(probe.info().resolution()).isEqualTo("1 W");
      assertThat(asked).hasValue(3);
    }
  }
}
