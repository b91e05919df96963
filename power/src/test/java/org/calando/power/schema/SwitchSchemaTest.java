package org.calando.power.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.power.Secret;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiAddress.Privilege;
import org.calando.power.onoff.CommandSwitch.Commands;
import org.calando.power.onoff.SwitchSpec;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.redfish.RedfishSource.Login;
import org.calando.power.redfish.RedfishSystem;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Problems;
import org.calando.schema.Type;
import org.calando.schema.YamlTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwitchSchemaTest {
  private static final Path FOLDER = Path.of("/studies");

  private final Problems problems = new Problems();

  @Test
  void takesAShortForm() {
    SwitchSpec ipmi = bind(SwitchSchema.TYPE, "{ipmi: 10.0.1.1}");
    assertThat(ipmi.times()).isEqualTo(SwitchTimes.USUAL);
    assertThat(ipmi.askWithin()).isEqualTo(SwitchSpec.USUAL_ASK);
    IpmiAddress bmc = ((SwitchSpec.Ipmi) ipmi.kind()).bmc();
    assertThat(bmc.host()).contains("10.0.1.1");
    assertThat(bmc.privilege()).isEqualTo(Privilege.OPERATOR);
    assertThat(bmc.password()).contains(new Secret.InVariable("CALANDO_IPMI_PASSWORD"));
    assertThat(bind(SwitchSchema.TYPE, "{systemd: dn@1.service}").kind())
        .isEqualTo(new SwitchSpec.Systemd("dn@1.service", List.of("systemctl")));
    SwitchSpec redfish = bind(SwitchSchema.TYPE, "{redfish: 'https://10.0.1.1'}");
    assertThat(((SwitchSpec.Redfish) redfish.kind()).system().service().uri())
        .isEqualTo(URI.create("https://10.0.1.1"));
  }

  @Test
  void takesAllThatMayBeSaid() {
    SwitchSpec command =
        bind(
            SwitchSchema.TYPE,
            "{command: {on: [pdu, '7', on], off: [ssh, c1, poweroff], force-off: [pdu, '7', off],"
                + " status: [pdu, '7'], on-when: 'is on\\b', off-when: 'is off\\b'},"
                + " on-within: 3m, off-within: 2m, force-after: 90s, ask-within: 5s}");
    Commands commands = ((SwitchSpec.Command) command.kind()).commands();
    assertThat(commands.on()).containsExactly("pdu", "7", "on");
    assertThat(commands.forceOff()).contains(List.of("pdu", "7", "off"));
    assertThat(commands.offWhen().orElseThrow().pattern()).isEqualTo("is off\\b");
    assertThat(command.askWithin()).isEqualTo(Duration.ofSeconds(5));
    assertThat(command.times().onWithin()).isEqualTo(Duration.ofMinutes(3));
    assertThat(command.times().offWithin()).isEqualTo(Duration.ofMinutes(2));
    assertThat(command.times().forceAfter()).contains(Duration.ofSeconds(90));
    assertThat(
            bind(
                    SwitchSchema.TYPE,
                    "{systemd: {unit: dn.service, via: [ssh, root@c1], systemctl: /bin/systemctl}}")
                .kind())
        .isEqualTo(
            new SwitchSpec.Systemd("dn.service", List.of("ssh", "root@c1", "/bin/systemctl")));
    SwitchSpec ipmi =
        bind(
            SwitchSchema.TYPE,
            "{ipmi: {host: bmc1, port: 6230, user: me, password-file: p, privilege: administrator,"
                + " cipher-suite: 3}}");
    IpmiAddress bmc = ((SwitchSpec.Ipmi) ipmi.kind()).bmc();
    assertThat(bmc.port()).isEqualTo(6230);
    assertThat(bmc.privilege()).isEqualTo(Privilege.ADMINISTRATOR);
    assertThat(bmc.password()).contains(new Secret.InFile(FOLDER.resolve("p")));
    SwitchSpec redfish =
        bind(
            SwitchSchema.TYPE,
            "{redfish: {url: 'https://bmc1', user: me, password-env: BMC, ca: ca.pem, system: S}}");
    assertThat(((SwitchSpec.Redfish) redfish.kind()).system())
        .isEqualTo(
            RedfishSystem.of(
                URI.create("https://bmc1"),
                Optional.of(new Login("me", new Secret.InVariable("BMC"))),
                Optional.of(FOLDER.resolve("ca.pem")),
                true,
                Optional.of("S")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{on-within: 1m} | command or systemd or ipmi or redfish or sidecar or agent is missing",
        "{ipmi: a, redfish: 'https://a'} | given beside ipmi",
        "{sidecar: 'http://10.0.0.1:9043'} | is no such address",
        "{sidecar: 'https://10.0.0.1:9043', force-after: 1m} | there is no force-off",
        "{ipmi: local} | is not a host",
        "{ipmi: {user: me}} | is missing",
        "{systemd: 'a;reboot'} | is not a unit",
        "{systemd: a.service, force-after: 5m} | is not shorter than off-within",
        "{ipmi: a, on-within: 2h} | is out of range",
        "{redfish: {url: 'https://a', user: me}} | needs user and password together",
        "{redfish: {url: 'https://a/redfish/v1/Systems/1', system: X}} | by the path of url",
        "{command: {on: [a], off: [b]}} | is missing",
        "{command: {on: [a], off: [b], status: [c]}, force-after: 1m} | there is no force-off",
        "{command: {on: [a], off: [b], status: [c], on-when: x}} | is missing",
        "{command: {on: [a], off: [b], status: [c], on-when: '(', off-when: y}} | is not a regular",
        "{command: {on: [], off: [b], status: [c]}} | on",
        "{command: {on: [''], off: [b], status: [c]}} | names no program"
      })
  void refusesWhatASwitchCannotBe(String yaml, String what) {
    assertThat(bind(SwitchSchema.TYPE, yaml)).isNull();
    assertThat(problems.lines()).singleElement().asString().contains(what);
  }

  @Test
  void tellsAllThatIsWrongAtOnce() {
    bind(SwitchSchema.TYPE, "{ipmi: {port: 0}, force-after: 1x, ask-within: 2h, of-within: 1m}");
    assertThat(problems.lines()).hasSize(5);
  }

  private <T> T bind(Type<T> type, String yaml) {
    Bound<T> bound =
        type.bind(
            YamlTree.parse(yaml, "test.yaml", problems).orElseThrow(),
            new Binding(problems, "switch", FOLDER));
    return bound == null ? null : bound.value();
  }
}
