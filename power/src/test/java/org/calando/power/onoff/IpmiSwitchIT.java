package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.FailedWorkException;
import org.calando.power.Secret;
import org.calando.power.Ticker;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiAddress.Privilege;
import org.calando.power.ipmi.IpmiSimulator;
import org.calando.power.ipmi.IpmiSimulator.Sensor;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real {@code ipmitool} switching the chassis of a real {@code ipmi_sim}. */
class IpmiSwitchIT {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  @TempDir Path folder;
  private IpmiSimulator simulator;

  @BeforeEach
  void startController() throws Exception {
    simulator =
        IpmiSimulator.start(
            Files.createDirectory(folder.resolve("bmc")), new Sensor("Pwr Consumption", 7, 7, 20));
  }

  @AfterEach
  void stopController() throws Exception {
    simulator.close();
  }

  @Test
  void switchesTheMachineOffAndOn() throws Exception {
    PowerSwitch verified = verified(SwitchTimes.USUAL.within(PATIENT, PATIENT));
    assertThat(verified.read()).isEqualTo(State.ON);
    verified.off();
    assertThat(verified.read()).isEqualTo(State.OFF);
    verified.on();
    assertThat(verified.read()).isEqualTo(State.ON);
    assertThat(simulator.chassisOrders()).anyMatch(order -> order.contains("set shutdown"));
  }

  @Test
  void forcesAMachineThatDoesNotShutDown() throws Exception {
    simulator.obeyShutdown(false);
    SwitchTimes times = SwitchTimes.USUAL.within(PATIENT, PATIENT);
    verified(times.forcing(Duration.ofMillis(300))).off();
    assertThat(simulator.chassisOrders())
        .anyMatch(order -> order.contains("set shutdown"))
        .anyMatch(order -> order.contains("set power 0"));
  }

  @Test
  void tellsAMachineThatDoesNotShutDown() throws Exception {
    simulator.obeyShutdown(false);
    PowerSwitch verified = verified(SwitchTimes.USUAL.within(PATIENT, Duration.ofSeconds(1)));
    assertThat(catchThrowableOfType(FailedWorkException.class, verified::off))
        .hasMessageContaining("not off")
        .hasMessageContaining("force-after");
    assertThat(verified.read()).isEqualTo(State.ON);
  }

  @Test
  void tellsAUserWhoMayNotSwitch() throws Exception {
    IpmiSwitch plain = plain(IpmiSimulator.USER, Privilege.USER, PATIENT);
    assertThat(plain.read()).as("who may look").isEqualTo(State.ON);
    assertThat(catchThrowableOfType(FailedWorkException.class, plain::forceOff))
        .hasMessageContaining("does not take 'chassis power off'")
        .hasMessageContaining("privilege operator");
    assertThat(plain.read()).isEqualTo(State.ON);
  }

  @Test
  void tellsAControllerThatDoesNotAnswer() throws Exception {
    simulator.kill();
    IpmiSwitch plain = plain(IpmiSimulator.OPERATOR, Privilege.OPERATOR, Duration.ofSeconds(2));
    assertThat(catchThrowableOfType(FailedWorkException.class, plain::read))
        .hasMessageContaining("127.0.0.1 port " + simulator.port());
  }

  private PowerSwitch verified(SwitchTimes times) throws Exception {
    IpmiSwitch plain = plain(IpmiSimulator.OPERATOR, Privilege.OPERATOR, PATIENT);
    return new VerifiedSwitch(plain, Optional.empty(), times, Ticker.system());
  }

  private IpmiSwitch plain(String user, Privilege privilege, Duration askWithin) throws Exception {
    Path password = Files.writeString(folder.resolve("password"), IpmiSimulator.PASSWORD + "\n");
    IpmiAddress bmc =
        new IpmiAddress(
            Optional.of("127.0.0.1"),
            simulator.port(),
            user,
            Optional.of(new Secret.InFile(password)),
            OptionalInt.of(IpmiSimulator.CIPHER_SUITE),
            privilege);
    return new IpmiSwitch("n1", bmc, askWithin, Ticker.system());
  }
}
