package org.calando.power.schema;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.calando.power.snmp.PduMib;
import org.calando.power.snmp.SnmpAccess;
import org.calando.power.snmp.SnmpAccess.Authentication;
import org.calando.power.snmp.SnmpAccess.Cipher;
import org.calando.power.snmp.SnmpAccess.Digest;
import org.calando.power.snmp.SnmpAccess.Privacy;
import org.calando.power.snmp.SnmpDevice.Prefer;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What may be said of a power distribution unit that is read by SNMP. */
final class SnmpSchema {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private static final Key<String> ADDRESS =
      Key.of(
              "address",
              text("an address", "[A-Za-z0-9_.:-]{1,253}", "a host name or IP address"),
              "Where the PDU's SNMP agent is.")
          .mandatory()
          .example("10.0.2.1");
  private static final Key<Integer> PORT =
      Key.of("port", integer(1, 65_535), "UDP port of the agent.").byDefault("161").example("161");
  private static final Key<String> VERSION =
      Key.of(
              "version",
              choice("a version", same("2c", "3")),
              "SNMP version: 2c with a community, or 3 with a user.")
          .byDefault("2c")
          .example("3");
  private static final SecretKeys COMMUNITY =
      SecretKeys.of("community", "the community of version 2c; 'public' without one");
  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[\\p{Graph}&&[^\\p{Cntrl}]]{1,32}", "at most 32 visible characters"),
              "User of version 3.")
          .example("meter");
  private static final Key<Digest> AUTH =
      Key.of(
              "auth",
              choice("a signature", byLowerName(Digest.values())),
              "How messages of version 3 are signed; not at all without it.")
          .example("sha256");
  private static final SecretKeys AUTH_PASSWORD =
      SecretKeys.of("auth-password", "the password that signs, 8 characters or more");
  private static final Key<Cipher> PRIVACY =
      Key.of(
              "privacy",
              choice("a cipher", byLowerName(Cipher.values())),
              "How messages of version 3 are encrypted; not at all without it.")
          .example("aes128");
  private static final SecretKeys PRIVACY_PASSWORD =
      SecretKeys.of("privacy-password", "the password that encrypts, 8 characters or more");
  private static final Key<SnmpMibSchema.Kind> MIB =
      Key.of("mib", mib(), "The make of the PDU, or where its figures are.")
          .mandatory()
          .example("apc");
  private static final Key<Integer> UNIT =
      Key.of(
              "unit",
              integer(0, 255),
              "Which PDU of a chain behind one address: Eaton's first is 0, Raritan's 1.")
          .example("1");
  private static final Key<Double> VOLTAGE =
      Key.of(
              "voltage",
              number(50, 500),
              "Mains voltage, for apc-old, which shows amperes: the watts are then modelled.")
          .example("230");
  private static final Key<Prefer> PREFER =
      Key.of(
              "prefer",
              choice("a preference", byLowerName(Prefer.values())),
              "Watts, the energy counter, or (auto) the counter if it is fine enough.")
          .byDefault("auto")
          .example("power");
  private static final Key<Long> TIMEOUT =
      Key.of("timeout", duration(10 * MILLI, 10 * SECOND), "How long one answer may take.")
          .byDefault("1s")
          .example("500ms");
  private static final Key<Integer> RETRIES =
      Key.of(
              "retries",
              integer(0, 5),
              "How often a question is repeated, as far as a sample's time allows.")
          .byDefault("1")
          .example("2");
  private static final Key<Long> RENEWAL =
      Key.of(
              "renewal",
              duration(0, 600 * SECOND),
              "How long the PDU takes to renew its figures; see its manual.")
          .byDefault("1s")
          .example("3s");

  static final ObjectType<SnmpSpec.Pdu> PDU =
      ObjectType.named("a PDU", "A power distribution unit that is read by SNMP.")
          .keys(ADDRESS, PORT, VERSION, COMMUNITY.file(), COMMUNITY.variable())
          .keys(USER, AUTH, AUTH_PASSWORD.file(), AUTH_PASSWORD.variable())
          .keys(PRIVACY, PRIVACY_PASSWORD.file(), PRIVACY_PASSWORD.variable())
          .keys(MIB, UNIT, VOLTAGE, PREFER, TIMEOUT, RETRIES, RENEWAL)
          .check(SnmpSchema::checkAccess)
          .check(SnmpSchema::checkMib)
          .build(SnmpSchema::pdu);

  private SnmpSchema() {}

  private static Map<String, String> same(String... names) {
    Map<String, String> map = new LinkedHashMap<>();
    Arrays.stream(names).forEach(name -> map.put(name, name));
    return map;
  }

  private static <E extends Enum<E>> Map<String, E> byLowerName(E[] values) {
    Map<String, E> map = new LinkedHashMap<>();
    Arrays.stream(values).forEach(value -> map.put(value.name().toLowerCase(Locale.ROOT), value));
    return map;
  }

  private static Type<SnmpMibSchema.Kind> mib() {
    Type<SnmpMibSchema.Kind> maker =
        mapped(
            choice("a make", same("apc", "apc-old", "eaton", "raritan")),
            name -> new SnmpMibSchema.Kind(name, Optional.empty()));
    Function<PduMib, SnmpMibSchema.Kind> own =
        custom -> new SnmpMibSchema.Kind(custom.name(), Optional.of(custom));
    return scalarOrMapping(maker, mapped(SnmpMibSchema.CUSTOM, own));
  }

  private static void checkAccess(Values pdu) {
    COMMUNITY.check(pdu);
    AUTH_PASSWORD.check(pdu);
    PRIVACY_PASSWORD.check(pdu);
    if (pdu.find(VERSION).orElse("").equals("2c")) {
      String why = "belongs to version 3, and this is version 2c";
      pdu.forbid(why, USER, AUTH, AUTH_PASSWORD.file(), AUTH_PASSWORD.variable());
      pdu.forbid(why, PRIVACY, PRIVACY_PASSWORD.file(), PRIVACY_PASSWORD.variable());
    } else if (pdu.find(VERSION).isPresent()) {
      pdu.require("name the user of version 3", USER);
      pdu.forbid(
          "belongs to version 2c, and this is version 3", COMMUNITY.file(), COMMUNITY.variable());
      checkPassword(pdu, AUTH, AUTH_PASSWORD);
      checkPassword(pdu, PRIVACY, PRIVACY_PASSWORD);
      if (pdu.given(PRIVACY) && !pdu.given(AUTH)) {
        pdu.error(PRIVACY, "SNMP does not encrypt what is not signed", "give auth too");
      }
    }
  }

  private static void checkPassword(Values pdu, Key<?> algorithm, SecretKeys password) {
    boolean named = pdu.given(password.file()) || pdu.given(password.variable());
    if (pdu.given(algorithm) && !named) {
      String keys = password.file().name() + " or " + password.variable().name();
      pdu.error(algorithm, "has no password", "give " + keys);
    } else if (!pdu.given(algorithm) && named) {
      Key<?> given = pdu.given(password.file()) ? password.file() : password.variable();
      pdu.error(given, "is of no use without " + algorithm.name(), "give " + algorithm.name());
    }
  }

  private static void checkMib(Values pdu) {
    String make = pdu.find(MIB).map(SnmpMibSchema.Kind::make).orElse("");
    if (make.equals("apc-old")) {
      pdu.require("apc-old shows amperes: write the mains voltage", VOLTAGE);
    } else if (!make.isEmpty()) {
      pdu.forbid("is for mib: apc-old only", VOLTAGE);
    }
    if (!make.isEmpty() && !make.equals("eaton") && !make.equals("raritan")) {
      pdu.forbid("is for mib: eaton and raritan only", UNIT);
    }
    Prefer prefer = pdu.find(PREFER).orElse(Prefer.AUTO);
    Optional<PduMib> custom = pdu.find(MIB).flatMap(SnmpMibSchema.Kind::custom);
    boolean noPower = custom.isPresent() && custom.get().power().isEmpty();
    boolean noEnergy =
        make.equals("apc-old") || (custom.isPresent() && custom.get().energy().isEmpty());
    if ((prefer == Prefer.POWER && noPower) || (prefer == Prefer.ENERGY && noEnergy)) {
      String what = prefer.name().toLowerCase(Locale.ROOT) + " is not among the figures of mib";
      pdu.error(PREFER, what, "remove prefer, or give its OID in mib");
    }
  }

  private static SnmpSpec.Pdu pdu(Values pdu) {
    return new SnmpSpec.Pdu(
        pdu.get(ADDRESS),
        pdu.get(PORT),
        access(pdu),
        mib(pdu),
        pdu.get(PREFER),
        pdu.get(TIMEOUT),
        pdu.get(RETRIES),
        pdu.get(RENEWAL));
  }

  private static SnmpAccess access(Values pdu) {
    if (pdu.get(VERSION).equals("2c")) {
      return new SnmpAccess.Community(COMMUNITY.find(pdu));
    }
    Optional<Authentication> signed =
        pdu.find(AUTH)
            .map(digest -> new Authentication(digest, AUTH_PASSWORD.find(pdu).orElseThrow()));
    Optional<Privacy> hidden =
        pdu.find(PRIVACY)
            .map(cipher -> new Privacy(cipher, PRIVACY_PASSWORD.find(pdu).orElseThrow()));
    return new SnmpAccess.User(pdu.get(USER), signed, hidden);
  }

  private static PduMib mib(Values pdu) {
    SnmpMibSchema.Kind kind = pdu.get(MIB);
    return switch (kind.make()) {
      case "apc" -> PduMib.apc();
      case "apc-old" -> PduMib.apcOld(pdu.get(VOLTAGE));
      case "eaton" -> PduMib.eaton(pdu.find(UNIT).orElse(0));
      case "raritan" -> PduMib.raritan(pdu.find(UNIT).orElse(1));
      default -> kind.custom().orElseThrow();
    };
  }
}
