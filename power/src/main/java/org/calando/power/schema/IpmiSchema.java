package org.calando.power.schema;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrList;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.power.Secret;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.ipmi.IpmiAddress.Privilege;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.ipmi.IpmiSource.Mode;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What may be said of a management controller that is read over IPMI. */
final class IpmiSchema {
  private static final String LOCAL = "local";
  private static final String USUAL_USER = "calando";
  private static final Secret USUAL_PASSWORD = new Secret.InVariable("CALANDO_IPMI_PASSWORD");
  private static final int MAX_SENSORS = 16;

  /** One that ipmitool takes, and that its shell-like lines can carry between quotes. */
  private static final ScalarType<String> SENSOR =
      text("a sensor", "[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]{1,32}", "a name of 1 to 32 characters");

  private static final ScalarType<String> HOST_TYPE =
      text(
          "a host",
          "[A-Za-z0-9_.:%][A-Za-z0-9_.:%-]{0,252}",
          "a host name or IP address, or local for this machine's own interface");

  static final Key<String> HOST =
      Key.of(
              "host",
              HOST_TYPE,
              "Name or address of the controller, or local for this machine's own interface, which"
                  + " needs root.")
          .byDefault(LOCAL)
          .example("10.0.1.1");
  private static final Key<Integer> PORT =
      Key.of("port", Types.port(), "UDP port.").byDefault("623").example("623");
  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[\\x21-\\x7e]{1,16}", "1 to 16 printable characters"),
              "User of the controller; the privilege to read (USER) is enough for most.")
          .byDefault(USUAL_USER)
          .example("reader");
  private static final SecretKeys PASSWORD =
      SecretKeys.of(
          "password",
          "the user's password, at most 20 bytes; without a file or variable it is in"
              + " CALANDO_IPMI_PASSWORD");
  private static final Key<Privilege> PRIVILEGE =
      Key.of(
              "privilege",
              choice("a privilege", privileges()),
              "Privilege of the session; some controllers want operator for DCMI.")
          .byDefault("user")
          .example("operator");
  private static final Key<Integer> CIPHER_SUITE =
      Key.of(
              "cipher-suite",
              integer(1, 17),
              "RMCP+ cipher suite, usually 17 or 3; without it the controller is asked, which takes"
                  + " some 10 s where it does not report one.")
          .example("17");
  private static final Key<Mode> MODE =
      Key.of(
              "mode",
              choice("a mode", modes()),
              "What is read: DCMI's power reading, sensors in watts, or the first of both that"
                  + " there is (auto).")
          .byDefault("auto")
          .example("sensor");
  private static final Key<List<String>> SENSORS =
      Key.of(
              "sensors",
              scalarOrList(mapped(SENSOR, List::of), distinctList(SENSOR, 1, MAX_SENSORS)),
              "Names of the sensors to be added up, as ipmitool sdr elist shows them; without it"
                  + " the system's or the power supplies' are found by their names.")
          .example("[PS1 Input Power, PS2 Input Power]");

  private static final ObjectType<IpmiSource> MAPPING =
      ObjectType.named(
              "a controller with IPMI",
              "A management controller (BMC) that is read over IPMI with ipmitool; its address"
                  + " alone is enough for the usual user calando with the password in"
                  + " CALANDO_IPMI_PASSWORD.")
          .keys(HOST, PORT, USER, PASSWORD.file(), PASSWORD.variable())
          .keys(PRIVILEGE, CIPHER_SUITE, MODE, SENSORS)
          .check(IpmiSchema::check)
          .build(IpmiSchema::source);

  /** A controller's address, or all that may be said of it. */
  static final Type<IpmiSource> TYPE =
      scalarOrMapping(mapped(HOST_TYPE, IpmiSchema::usual), MAPPING);

  private static final ScalarType<String> REMOTE_TYPE =
      text(
          "a host",
          "(?!local$)[A-Za-z0-9_.:%][A-Za-z0-9_.:%-]{0,252}",
          "a host name or IP address; this machine's own interface would turn Calando off");
  private static final Key<String> REMOTE =
      Key.of("host", REMOTE_TYPE, "Name or address of the controller.")
          .mandatory()
          .example("10.0.1.1");
  private static final Key<String> OPERATOR =
      Key.of("user", USER.type(), "User of the controller; it needs the privilege operator.")
          .byDefault(USUAL_USER)
          .example("operator");
  private static final Key<Privilege> SWITCHING =
      Key.of("privilege", PRIVILEGE.type(), "Privilege of the session.")
          .byDefault("operator")
          .example("administrator");

  private static final ObjectType<IpmiAddress> SWITCH_MAPPING =
      ObjectType.named(
              "a switch with IPMI",
              "A management controller (BMC) that switches the node over IPMI with ipmitool; its"
                  + " address alone is enough for the usual user calando with the password in"
                  + " CALANDO_IPMI_PASSWORD.")
          .keys(REMOTE, PORT, OPERATOR, PASSWORD.file(), PASSWORD.variable())
          .keys(SWITCHING, CIPHER_SUITE)
          .check(PASSWORD::check)
          .build(IpmiSchema::address);

  /** A controller that switches: its address, or all that may be said of it. */
  static final Type<IpmiAddress> SWITCH =
      scalarOrMapping(mapped(REMOTE_TYPE, IpmiSchema::usualSwitch), SWITCH_MAPPING);

  private IpmiSchema() {}

  private static IpmiAddress usualSwitch(String host) {
    return new IpmiAddress(
        Optional.of(host),
        IpmiAddress.USUAL_PORT,
        USUAL_USER,
        Optional.of(USUAL_PASSWORD),
        OptionalInt.empty(),
        Privilege.OPERATOR);
  }

  private static Map<String, Privilege> privileges() {
    Map<String, Privilege> names = new LinkedHashMap<>();
    names.put("user", Privilege.USER);
    names.put("operator", Privilege.OPERATOR);
    names.put("administrator", Privilege.ADMINISTRATOR);
    return names;
  }

  private static Map<String, Mode> modes() {
    Map<String, Mode> names = new LinkedHashMap<>();
    names.put("auto", Mode.AUTO);
    names.put("dcmi", Mode.DCMI);
    names.put("sensor", Mode.SENSOR);
    return names;
  }

  private static void check(Values ipmi) {
    PASSWORD.check(ipmi);
    if (ipmi.find(HOST).orElse("").equals(LOCAL)) {
      ipmi.forbid(
          "has no meaning for this machine's own interface",
          PORT,
          USER,
          PASSWORD.file(),
          PASSWORD.variable(),
          PRIVILEGE,
          CIPHER_SUITE);
    }
    if (ipmi.find(MODE).orElse(Mode.AUTO) == Mode.DCMI) {
      ipmi.forbid("has no meaning for DCMI", SENSORS);
    }
  }

  private static IpmiSource usual(String host) {
    return IpmiSource.of(
        host.equals(LOCAL)
            ? IpmiAddress.local()
            : IpmiAddress.remote(host, USUAL_USER, USUAL_PASSWORD));
  }

  private static IpmiSource source(Values ipmi) {
    return new IpmiSource(address(ipmi), ipmi.get(MODE), ipmi.find(SENSORS).orElse(List.of()));
  }

  private static IpmiAddress address(Values ipmi) {
    String host = ipmi.get(HOST);
    if (host.equals(LOCAL)) {
      return IpmiAddress.local();
    }
    Optional<Integer> suite = ipmi.find(CIPHER_SUITE);
    return new IpmiAddress(
        Optional.of(host),
        ipmi.get(PORT),
        ipmi.get(USER),
        Optional.of(PASSWORD.find(ipmi).orElse(USUAL_PASSWORD)),
        suite.isPresent() ? OptionalInt.of(suite.get()) : OptionalInt.empty(),
        ipmi.get(PRIVILEGE));
  }
}
