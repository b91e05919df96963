package org.calando.power.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.power.Secret;
import org.calando.power.snmp.PduMib;
import org.calando.power.snmp.SnmpAccess;
import org.calando.power.snmp.SnmpAccess.Authentication;
import org.calando.power.snmp.SnmpAccess.Cipher;
import org.calando.power.snmp.SnmpAccess.Digest;
import org.calando.power.snmp.SnmpAccess.Privacy;
import org.calando.power.snmp.SnmpDevice;
import org.calando.power.snmp.SnmpDevice.Prefer;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.ObjectType;
import org.calando.schema.Problems;
import org.calando.schema.Tree;
import org.calando.schema.YamlTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnmpSchemaTest {
  private final Problems problems = new Problems();

  private <T> Bound<T> bind(ObjectType<T> type, String yaml) {
    Tree tree = YamlTree.parse(yaml, "f", problems).orElseThrow();
    return type.bind(tree, new Binding(problems, "", Path.of("/studies")));
  }

  private SnmpDevice device(String yaml) {
    Bound<SnmpSpec.Pdu> bound = bind(SnmpSchema.PDU, yaml);
    assertThat(problems.lines()).isEmpty();
    return bound.value().named("pdu1");
  }

  @Test
  void anAddressAndAMakeAreEnough() {
    SnmpAccess anybody = new SnmpAccess.Community(Optional.empty());
    assertThat(device("{address: 10.0.2.1, mib: apc}"))
        .isEqualTo(
            new SnmpDevice(
                "pdu1",
                "10.0.2.1",
                161,
                anybody,
                PduMib.apc(),
                SnmpDevice.Prefer.AUTO,
                1_000_000_000L,
                1,
                1_000_000_000L));
  }

  @Test
  void aUserSignsAndEncrypts() {
    String yaml =
        """
        address: pdu.example.org
        version: 3
        user: meter
        auth: sha256
        auth-password-file: secrets/auth
        privacy: aes128
        privacy-password-env: PDU_PRIVACY
        mib: eaton
        unit: 2
        prefer: energy
        timeout: 300ms
        """;
    SnmpDevice device = device(yaml);
    assertThat(device.access())
        .isEqualTo(
            new SnmpAccess.User(
                "meter",
                Optional.of(
                    new Authentication(
                        Digest.SHA256, new Secret.InFile(Path.of("/studies/secrets/auth")))),
                Optional.of(new Privacy(Cipher.AES128, new Secret.InVariable("PDU_PRIVACY")))));
    assertThat(device.mib()).isEqualTo(PduMib.eaton(2));
    assertThat(device.prefer()).isEqualTo(Prefer.ENERGY);
    assertThat(device.timeoutNanos()).isEqualTo(300_000_000L);
  }

  @Test
  void ownObjectsHaveScalesAndBits() {
    String yaml =
        """
        address: a
        mib:
          power-oid: .1.3.6.1.4.1.9.1.{outlet}.3
          power-scale: 0.1
          energy-oid: 1.3.6.1.4.1.9.2.{outlet}
          energy-scale: 3600
          counter-bits: 64
        """;
    PduMib mib = device(yaml).mib();
    assertThat(mib.power().orElseThrow())
        .isEqualTo(new PduMib.Quantity("power-oid", "1.3.6.1.4.1.9.1.{outlet}.3", 0.1));
    assertThat(mib.energy().orElseThrow().bits()).isEqualTo(64);
    assertThat(mib.energy().orElseThrow().scale()).isEqualTo(3600);
    assertThat(mib.modelled()).isFalse();
  }

  @Test
  void outletsAreOneOrSeveralOrOfSeveralPdus() {
    assertThat(bind(SnmpMibSchema.NODE, "{snmp: p1, outlet: 7}").value().outlets())
        .containsExactly(new SnmpSpec.Outlet("p1", 7));
    assertThat(bind(SnmpMibSchema.NODE, "{snmp: p1, outlets: [7, 8]}").value().outlets())
        .containsExactly(new SnmpSpec.Outlet("p1", 7), new SnmpSpec.Outlet("p1", 8));
    String feeds = "{feeds: [{snmp: p1, outlet: 7}, {snmp: p2, outlet: 7}]}";
    assertThat(bind(SnmpMibSchema.NODE, feeds).value().pdus()).containsExactly("p1", "p2");
    assertThat(problems.lines()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{mib: apc} | address: is missing",
        "{address: a} | mib: is missing",
        "{address: a, mib: acp} | mib: 'acp' is not a make; did you mean apc?",
        "{address: a, mib: apc, user: u} | user: belongs to version 3, and this is version 2c",
        "{address: a, mib: apc, version: 3} | user: is missing; name the user of version 3",
        "{address: a, mib: apc, version: 3, user: u, auth: md5} | auth: 'md5' is not a signature",
        "{address: a, mib: apc, version: 3, user: u, auth: sha1} | auth: has no password; give",
        "{address: a, mib: apc, version: 3, user: u, privacy: aes128, privacy-password-env: P}"
            + " | privacy: SNMP does not encrypt what is not signed; give auth too",
        "{address: a, mib: apc, version: 3, user: u, auth-password-env: P}"
            + " | auth-password-env: is of no use without auth",
        "{address: a, mib: apc, version: 3, user: u, community-env: C}"
            + " | community-env: belongs to version 2c",
        "{address: a, mib: apc-old} | voltage: is missing",
        "{address: a, mib: apc, unit: 2} | unit: is for mib: eaton and raritan only",
        "{address: a, mib: {power-scale: 2}} | mib: power-oid or energy-oid is missing",
        "{address: a, mib: {energy-oid: 1.3.6.1}} | mib.energy-scale: is missing",
        "{address: a, mib: {power-oid: 1.3.9999999999}} | mib.power-oid: is not an OID",
        "{address: a, mib: {power-oid: 1.3.6}, prefer: energy} | prefer: energy is not among"
      })
  void saysWhatIsWrong(String yaml, String problem) {
    assertThat(bind(SnmpSchema.PDU, yaml)).isNull();
    assertThat(problems.lines()).anyMatch(line -> line.contains(problem));
  }

  @Test
  void saysWhatIsWrongWithOutlets() {
    for (String yaml :
        List.of(
            "{outlet: 7}",
            "{snmp: p1}",
            "{snmp: p1, outlet: 0}",
            "{snmp: p1, outlet: 7, outlets: [8]}",
            "{snmp: p1, outlets: [8, 8]}",
            "{snmp: p1, feeds: [{snmp: p1, outlet: 7}]}",
            "{feeds: [{snmp: p1}]}")) {
      assertThat(bind(SnmpMibSchema.NODE, yaml)).as(yaml).isNull();
    }
  }
}
