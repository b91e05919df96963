package org.calando.power.ipmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Secret;
import org.calando.power.Ticker;
import org.calando.power.ipmi.IpmiAddress.Privilege;
import org.calando.power.ipmi.IpmiChassis.PowerState;
import org.calando.power.ipmi.IpmiSimulator.Sensor;
import org.calando.power.ipmi.IpmiSource.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real {@code ipmitool} against a real {@code ipmi_sim}: sensors, chassis state, refused users, a
 * controller that dies and returns. DCMI, which ipmi_sim does not answer, is tested with
 * transcripts ({@link IpmiTranscriptTest}).
 */
class IpmiMeterIT {
  private static final Ticker TICKER = Ticker.system();

  @TempDir Path folder;
  private IpmiSimulator simulator;

  @BeforeEach
  void startController() throws Exception {
    simulator =
        IpmiSimulator.start(
            Files.createDirectory(folder.resolve("bmc")),
            new Sensor("Pwr Consumption", 7, 7, 20),
            new Sensor("PS1 Input Power", 10, 2, 40),
            new Sensor("PS2 Input Power", 10, 2, 30),
            new Sensor("PS3 Input Power", 10, 2, -1),
            new Sensor("CPU1 Power", 3, 1, 55));
  }

  @AfterEach
  void stopController() throws Exception {
    simulator.close();
  }

  @Test
  void followsTheSystemsSensor() throws Exception {
    try (PowerProbe probe = IpmiSource.of(address()).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(140);
      simulator.show("Pwr Consumption", 31);
      assertThat(watts(probe)).isEqualTo(217);
      assertThat(probe.info().resolution()).contains("Pwr Consumption", "whole system");
      assertThat(probe.info().scope()).isEqualTo(Scope.HOST);
      assertThat(probe.info().cumulative()).isFalse();
    }
  }

  @Test
  void addsTheSensorsThatWereNamed() throws Exception {
    List<String> names = List.of("PS1 Input Power", "ps2 input power");
    try (PowerProbe probe = new IpmiSource(address(), Mode.AUTO, names).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(140);
      simulator.show("PS2 Input Power", 0);
      assertThat(watts(probe)).as("a supply may rest").isEqualTo(80);
    }
  }

  @Test
  void tellsAMissingSensorAndThoseThereAre() {
    IpmiSource source = new IpmiSource(address(), Mode.SENSOR, List.of("PS9 Input Power"));
    MeterException problem = refusal(source);
    assertThat(problem.what()).contains("PS9 Input Power");
    assertThat(problem.remedy()).contains("PS1 Input Power", "Pwr Consumption");
  }

  @Test
  void neverTakesAMissingReadingForNoPower() throws Exception {
    try (PowerProbe probe = IpmiSource.of(address()).open(TICKER)) {
      simulator.scan("Pwr Consumption", false);
      assertThat(failure(probe).what()).contains("Pwr Consumption", "reports no watts");
      simulator.scan("Pwr Consumption", true);
      assertThat(watts(probe)).isEqualTo(140);
      simulator.show("Pwr Consumption", 0);
      // Its controller may still have none for a moment after it was scanned again.
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(
              () -> assertThat(failure(probe).what()).contains("0 W for a machine that is on"));
      simulator.switchPower(false);
      assertThat(watts(probe)).isZero();
    }
  }

  @Test
  void goesOnWhenAControllerReturns() throws Exception {
    try (PowerProbe probe = IpmiSource.of(address()).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(140);
      simulator.kill();
      MeterException problem =
          catchThrowableOfType(MeterException.class, () -> probe.sample(inSeconds(1)));
      assertThat(problem.what()).contains("did not answer in time");
      assertThat(problem.where()).contains("127.0.0.1 port " + simulator.port());
      simulator.start();
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .pollDelay(0, TimeUnit.SECONDS)
          .ignoreExceptionsInstanceOf(MeterException.class)
          .untilAsserted(() -> assertThat(watts(probe)).isEqualTo(140));
    }
  }

  @Test
  void tellsWhyASessionIsRefused() throws Exception {
    Path wrong = Files.writeString(folder.resolve("wrong"), "not-it\n");
    IpmiAddress stranger = address(IpmiSimulator.USER, wrong, Privilege.USER);
    assertThat(refusal(IpmiSource.of(stranger)).what()).contains("refuses the password");
    assertThat(refusal(IpmiSource.of(stranger)).toString()).doesNotContain("not-it");
    IpmiAddress nobody = address("nobody", password(), Privilege.USER);
    assertThat(refusal(IpmiSource.of(nobody)).what()).contains("does not know the user");
  }

  @Test
  void saysThatTheSimulatorHasNoDcmi() {
    MeterException problem = refusal(new IpmiSource(address(), Mode.DCMI, List.of()));
    assertThat(problem.what()).contains("DCMI reports no power");
  }

  @Test
  void tellsWhetherTheMachineIsOn() throws Exception {
    IpmiChassis chassis = new IpmiChassis(address());
    assertThat(chassis.powerState(TICKER, inSeconds(20))).isEqualTo(PowerState.ON);
    simulator.switchPower(false);
    assertThat(chassis.powerState(TICKER, inSeconds(20))).isEqualTo(PowerState.OFF);
  }

  @Test
  void keepsThePasswordOutOfTheProcessListAndLeavesNoProcess() throws Exception {
    PowerProbe probe = IpmiSource.of(address()).open(TICKER);
    List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
    assertThat(commandLines(children))
        .anyMatch(line -> line.contains("ipmitool"))
        .noneMatch(line -> line.contains(IpmiSimulator.PASSWORD));
    probe.close();
    probe.close();
    children.stream()
        .filter(child -> child.info().command().orElse("").endsWith("ipmitool"))
        .forEach(child -> assertThat(child.isAlive()).isFalse());
    assertThat(failure(probe).what()).contains("closed");
  }

  private static List<String> commandLines(List<ProcessHandle> processes) throws IOException {
    return processes.stream()
        .map(child -> Path.of("/proc", Long.toString(child.pid()), "cmdline"))
        .map(
            file -> {
              try {
                return Files.readString(file).replace('\0', ' ');
              } catch (IOException e) {
                return "";
              }
            })
        .toList();
  }

  private IpmiAddress address() {
    return address(IpmiSimulator.USER, password(), Privilege.USER);
  }

  private IpmiAddress address(String user, Path password, Privilege privilege) {
    return new IpmiAddress(
        Optional.of("127.0.0.1"),
        simulator.port(),
        user,
        Optional.of(new Secret.InFile(password)),
        OptionalInt.of(IpmiSimulator.CIPHER_SUITE),
        privilege);
  }

  private Path password() {
    try {
      return Files.writeString(folder.resolve("password"), IpmiSimulator.PASSWORD + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long inSeconds(long seconds) {
    return TICKER.nanos() + TimeUnit.SECONDS.toNanos(seconds);
  }

  private static double watts(PowerProbe probe) throws Exception {
    return ((PowerSample.Power) probe.sample(inSeconds(20))).watts();
  }

  private static MeterException failure(PowerProbe probe) {
    return catchThrowableOfType(MeterException.class, () -> probe.sample(inSeconds(20)));
  }

  private static MeterException refusal(IpmiSource source) {
    return catchThrowableOfType(MeterException.class, () -> source.open(TICKER).close());
  }
}
