package org.calando.power.ipmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.calando.power.MeterException;
import org.calando.power.ipmi.IpmiChassis.PowerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What ipmitool writes, in several vendors' variants. DCMI is tested in this way only: no free
 * simulator of a controller answers it. The transcripts have the form of ipmitool's output and
 * values of our own.
 */
class IpmiTranscriptTest {
  private static final IpmiAddress BMC = IpmiAddress.local();

  @Test
  void readsTheUsualDcmiReading() throws Exception {
    double watts =
        DcmiReading.watts(
            BMC,
            lines(
                """

                    Instantaneous power reading:                   187 Watts
                    Minimum during sampling period:                 91 Watts
                    Maximum during sampling period:                303 Watts
                    Average power reading over sample period:      164 Watts
                    IPMI timestamp:                           Tue Mar  3 10:11:12 2026
                    Sampling period:                          00000001 Seconds.
                    Power reading state is:                   activated

                """));
    assertThat(watts).isEqualTo(187);
  }

  @Test
  void readsALineThatRunsIntoTheNext() throws Exception {
    double watts =
        DcmiReading.watts(
            BMC,
            lines(
                """
                    Instantaneous power reading:                  1042 Watts
                    IPMI timestamp:                           03/03/26 10:11:12 UTC    Sampling\
                 period:                          00065530 Seconds.
                    Power reading state is:                   activated
                """));
    assertThat(watts).isEqualTo(1042);
  }

  @Test
  void believesAControllerThatMeasuresThoughItSaysNo() throws Exception {
    double watts =
        DcmiReading.watts(
            BMC,
            lines(
                """
                    Instantaneous power reading:                   318 Watts
                    IPMI timestamp:                           Thu Jan  1 00:00:00 1970
                    Power reading state is:                   deactivated
                """));
    assertThat(watts).isEqualTo(318);
  }

  @Test
  void refusesZeroWattsOfADeactivatedMeasurement() {
    MeterException problem =
        dcmiProblem(
            """
                Instantaneous power reading:                     0 Watts
                Power reading state is:                   deactivated
            """);
    assertThat(problem.what()).contains("deactivated");
    assertThat(problem.remedy()).contains("dcmi power activate");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DCMI request failed because: Invalid command (c1)              | mode: sensor
          DCMI request failed because: Insufficient privilege level (d4) | privilege: operator
          DCMI request failed because: Command response could not be provided (ce) | mode: sensor
          Unable to get DCMI power reading                               | mode: sensor
          """)
  void tellsWhyThereIsNoDcmi(String output, String remedy) {
    MeterException problem = dcmiProblem(output);
    assertThat(problem.what()).startsWith("DCMI reports no power");
    assertThat(problem.remedy()).contains(remedy);
  }

  @Test
  void prefersTheSystemsSensorToItsParts() throws Exception {
    assertThat(
            chosen(
                """
                Fan1A            | 30h | ok  |  7.1 | 3600 RPM
                Current 1        | 6Ah | ok  | 10.1 | 0.40 Amps
                CPU1 Power       | 70h | ok  |  3.1 | 45 Watts
                Pwr Consumption  | 77h | ok  |  7.1 | 126 Watts
                """))
        .containsExactly("Pwr Consumption");
    assertThat(
            chosen(
                """
                PS1 Input Power  | 52h | ok  | 10.1 | 132 Watts
                PS2 Input Power  | 53h | ok  | 10.2 | 160 Watts
                Peak Sys Power   | 54h | ok  |  7.1 | 410 Watts
                Sys_Power        | 55h | ok  |  7.1 | 290 Watts
                """))
        .containsExactly("Sys_Power");
  }

  @Test
  void addsTheSuppliesInputsAndSaysWhichAreSilent() throws Exception {
    SensorChoice choice =
        choice(
            """
            PS1 Power In     | 52h | ok  | 10.1 | 132 Watts
            PS1 Power Out    | 53h | ok  | 10.1 | 120 Watts
            PS2 Power In     | 54h | ok  | 10.2 | 0 Watts
            PS2 Power Out    | 55h | ok  | 10.2 | 0 Watts
            PS3 Power In     | 56h | ns  | 10.3 | No Reading
            MEM Power        | 60h | ok  |  8.1 | 20 Watts
            """);
    assertThat(choice.names()).containsExactly("PS1 Power In", "PS2 Power In");
    assertThat(choice.reason()).contains("2 power supplies", "PS3 Power In (no reading)");
  }

  @Test
  void saysThatOutputsLeaveLossesOut() throws Exception {
    SensorChoice choice = choice("PSU1_POUT        | 53h | ok  | 10.1 | 120 Watts\n");
    assertThat(choice.names()).containsExactly("PSU1_POUT");
    assertThat(choice.reason()).contains("losses");
  }

  @Test
  void asksWhichSensorItIsWhereNamesDoNotTell() {
    MeterException problem =
        catchThrowableOfType(
            MeterException.class,
            () ->
                choice(
                    """
                    Rail A           | 52h | ok  |  7.1 | 132 Watts
                    Rail B           | 53h | ok  |  7.2 | 120 Watts
                    """));
    assertThat(problem.remedy()).contains("sensors", "Rail A, Rail B");
  }

  @ParameterizedTest
  @CsvSource({
    "Disabled",
    "No Reading",
    "Not Readable",
    "na",
    "0x01",
    "Presence detected",
    "12 Amps",
    "-5 Watts"
  })
  void takesNothingElseForWatts(String shown) {
    String line = "Pwr Consumption  | 77h | ns  |  7.1 | " + shown;
    assertThat(PowerSensor.fromList(List.of(line)))
        .singleElement()
        .satisfies(sensor -> assertThat(sensor.watts()).isEmpty());
  }

  @Test
  void readsDetailsOfSeveralSensors() {
    List<PowerSensor> sensors =
        PowerSensor.fromDetails(
            lines(
                """
                Sensor ID              : PS1 Input Power (0x34)
                 Entity ID             : 10.1 (Power Supply)
                 Sensor Reading        : 98,5 (+/- 0) Watts
                 Status                : ok

                Sensor ID              : Sys (total) (0x35)
                 Sensor Reading        : No Reading
                Unable to find sensor id 'X'
                """));
    assertThat(sensors)
        .extracting(PowerSensor::name)
        .containsExactly("PS1 Input Power", "Sys (total)");
    assertThat(sensors.get(0).watts()).hasValue(98.5);
    assertThat(sensors.get(1).watts()).isEmpty();
  }

  @Test
  void readsThePowerSwitch() throws Exception {
    assertThat(IpmiChassis.parse(BMC, List.of("Chassis Power is off"))).isEqualTo(PowerState.OFF);
    assertThat(
            catchThrowableOfType(
                MeterException.class,
                () -> IpmiChassis.parse(BMC, List.of("Unable to get Chassis Power Status"))))
        .isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stdbuf: failed to run command 'ipmitool': No such file or directory | package ipmitool
          RAKP 2 message indicates an error : unauthorized role               | privilege
          RAKP 2 message indicates an error : insufficient resources          | sessions
          Error in open session response message : invalid authentication algorithm | cipher-suite
          Could not open device at /dev/ipmi0 or /dev/ipmi/0: No such file    | ipmi_devintf
          Address lookup for bmc.example failed                               | host
          """)
  void tellsTheRemedyOfARefusedSession(String output, String remedy) {
    List<String> all = List.of(output, "Error: Unable to establish IPMI v2 / RMCP+ session");
    assertThat(IpmiProblems.explain(BMC, all).remedy()).contains(remedy);
  }

  private static MeterException dcmiProblem(String output) {
    return catchThrowableOfType(MeterException.class, () -> DcmiReading.watts(BMC, lines(output)));
  }

  private static List<String> chosen(String list) throws MeterException {
    return choice(list).names();
  }

  private static SensorChoice choice(String list) throws MeterException {
    return SensorChoice.find(BMC, PowerSensor.fromList(lines(list)));
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).toList();
  }
}
