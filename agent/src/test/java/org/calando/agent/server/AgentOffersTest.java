package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Scope;
import org.calando.http.HttpPeer;
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

  private SwitchSpec writes(Path file) {
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

  /** A controller that shows 123 W. */
  private static final class Steady implements PowerSource, PowerProbe {
    @Override
    public String kind() {
      return "ipmi";
    }

    @Override
    public String describe() {
      return "a controller";
    }

    @Override
    public PowerProbe open(Ticker ticker) {
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
}
