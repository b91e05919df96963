package org.calando.power.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.power.Secret;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiAddress.Privilege;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.ipmi.IpmiSource.Mode;
import org.calando.power.redfish.RedfishSource;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Problems;
import org.calando.schema.Type;
import org.calando.schema.YamlTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControllerSchemaTest {
  private static final Path FOLDER = Path.of("/studies");

  private final Problems problems = new Problems();

  @Test
  void takesAnAddressAlone() {
    IpmiSource ipmi = bind(IpmiSchema.TYPE, "10.0.1.1");
    assertThat(ipmi)
        .isEqualTo(
            IpmiSource.of(
                IpmiAddress.remote(
                    "10.0.1.1", "calando", new Secret.InVariable("CALANDO_IPMI_PASSWORD"))));
    assertThat(bind(IpmiSchema.TYPE, "local")).isEqualTo(IpmiSource.of(IpmiAddress.local()));
    RedfishSource redfish = bind(RedfishSchema.TYPE, "\"https://10.0.1.1\"");
    assertThat(redfish.uri()).isEqualTo(URI.create("https://10.0.1.1"));
    assertThat(redfish.login()).isEmpty();
    assertThat(redfish.verify()).isTrue();
  }

  @Test
  void takesAllThatMayBeSaid() {
    IpmiSource ipmi =
        bind(
            IpmiSchema.TYPE,
            "{host: bmc1, port: 6230, user: reader, password-file: bmc, privilege: operator,"
                + " cipher-suite: 17, mode: sensor, sensors: [PS1 Input Power, PS2 Input Power]}");
    IpmiAddress address =
        new IpmiAddress(
            Optional.of("bmc1"),
            6230,
            "reader",
            Optional.of(new Secret.InFile(FOLDER.resolve("bmc"))),
            OptionalInt.of(17),
            Privilege.OPERATOR);
    List<String> sensors = List.of("PS1 Input Power", "PS2 Input Power");
    assertThat(ipmi).isEqualTo(new IpmiSource(address, Mode.SENSOR, sensors));
    RedfishSource redfish =
        bind(
            RedfishSchema.TYPE,
            "{url: \"https://bmc1\", user: reader, password-env: BMC, ca: ca.pem, chassis: \"1\"}");
    assertThat(redfish.login())
        .contains(new RedfishSource.Login("reader", new Secret.InVariable("BMC")));
    assertThat(redfish.ca()).contains(FOLDER.resolve("ca.pem"));
    assertThat(redfish.chassis()).contains("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{host: local, user: me} | has no meaning for this machine's own interface",
        "{host: a, mode: dcmi, sensors: [X]} | has no meaning for DCMI",
        "{host: a, cipher-suite: 0} | is out of range",
        "{host: a, password-file: x, password-env: Y} | given beside password-file",
        "-Hevil | is not a host"
      })
  void refusesWhatIpmiCannotBe(String yaml, String what) {
    assertThat(bind(IpmiSchema.TYPE, yaml)).isNull();
    assertThat(problems.lines()).singleElement().asString().contains(what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://bmc1 | is not an http or https address",
        "{url: 'https://me:secret@bmc1'} | shows a user or password",
        "{url: 'http://bmc1', user: me, password-env: P} | would send the password",
        "{url: 'https://bmc1', user: me} | needs user and password together",
        "{url: 'https://bmc1', verify: false, ca: x.pem} | is not used where verify is false",
        "{user: me, password-env: P} | is missing"
      },
      quoteCharacter = '`')
  void refusesWhatRedfishCannotBe(String yaml, String what) {
    assertThat(bind(RedfishSchema.TYPE, yaml)).isNull();
    assertThat(problems.lines()).singleElement().asString().contains(what);
  }

  private <T> T bind(Type<T> type, String yaml) {
    Bound<T> bound =
        type.bind(
            YamlTree.parse(yaml, "test.yaml", problems).orElseThrow(),
            new Binding(problems, "bmc", FOLDER));
    return bound == null ? null : bound.value();
  }
}
