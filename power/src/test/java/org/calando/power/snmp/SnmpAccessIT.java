package org.calando.power.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Secret;
import org.calando.power.Ticker;
import org.calando.power.snmp.SnmpAccess.Authentication;
import org.calando.power.snmp.SnmpAccess.Cipher;
import org.calando.power.snmp.SnmpAccess.Digest;
import org.calando.power.snmp.SnmpAccess.Privacy;
import org.calando.power.snmp.SnmpAccess.User;
import org.calando.power.snmp.SnmpDevice.Prefer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read a real snmpd, and what is said to those who may not. */
class SnmpAccessIT {
  private static final int OUTLET = 7;
  private static final String WRONG = "not the password";

  @TempDir static Path folder;
  private static RealSnmpd agent;
  private final Ticker ticker = Ticker.system();

  @BeforeAll
  static void start() throws IOException {
    agent = RealSnmpd.start(folder.resolve("agent")).showApc(OUTLET, 137, 1);
    Files.writeString(folder.resolve("wrong"), WRONG + "\n");
    Files.writeString(folder.resolve("short"), "short\n");
  }

  @AfterAll
  static void stop() {
    agent.close();
  }

  private static Secret file(String name) {
    return new Secret.InFile(folder.resolve(name));
  }

  private static User signer(Digest digest, Secret password) {
    return new User("signer", Optional.of(new Authentication(digest, password)), Optional.empty());
  }

  private static User hider(Cipher cipher, Secret password) {
    Authentication authentication = new Authentication(Digest.SHA256, agent.secret("auth"));
    return new User(
        "hider", Optional.of(authentication), Optional.of(new Privacy(cipher, password)));
  }

  private static SnmpSource source(SnmpAccess access) {
    return new SnmpSource(agent.device(PduMib.apc(), access), List.of(OUTLET));
  }

  /** For what is never answered. */
  private static SnmpSource impatient(SnmpAccess access) {
    SnmpDevice device = agent.device(PduMib.apc(), access, Prefer.AUTO, 200_000_000L, 1);
    return new SnmpSource(device, List.of(OUTLET));
  }

  private void assertReads(SnmpAccess access) throws Exception {
    try (PowerProbe probe = source(access).open(ticker)) {
      PowerSample sample = probe.sample(ticker.nanos() + TimeUnit.SECONDS.toNanos(10));
      assertThat(((PowerSample.Power) sample).watts()).isEqualTo(137);
    }
  }

  private MeterException refusal(SnmpSource source) {
    MeterException refusal =
        catchThrowableOfType(MeterException.class, () -> source.open(ticker).close());
    assertThat(refusal).isNotNull();
    String all = refusal + refusal.what() + refusal.where() + refusal.remedy() + source;
    assertThat(all)
        .doesNotContain(WRONG, RealSnmpd.AUTH_PASSWORD, RealSnmpd.PRIVACY_PASSWORD)
        .contains("PDU pdu1");
    return refusal;
  }

  @Test
  void readsByCommunityAndAsSigningOrHidingUser() throws Exception {
    assertReads(agent.byCommunity());
    assertReads(signer(Digest.SHA256, agent.secret("auth")));
    assertReads(hider(Cipher.AES128, agent.secret("privacy")));
  }

  @Test
  void saysThatAWrongCommunityGetsNoAnswer() {
    MeterException refusal = refusal(impatient(new SnmpAccess.Community(Optional.empty())));
    assertThat(refusal.what()).startsWith("no answer by SNMP v2c within ");
    assertThat(refusal.remedy()).contains("community: a wrong one gets no answer");
  }

  @Test
  void tellsAWrongPasswordFromAWrongUser() {
    assertThat(refusal(source(signer(Digest.SHA256, file("wrong")))).what())
        .isEqualTo("the PDU refused the authentication of the user 'signer'");
    assertThat(refusal(source(signer(Digest.SHA1, agent.secret("auth")))).remedy())
        .isEqualTo("check the auth password and the auth algorithm");
    User stranger =
        new User(
            "stranger",
            Optional.of(new Authentication(Digest.SHA256, agent.secret("auth"))),
            Optional.empty());
    assertThat(refusal(source(stranger)).what())
        .isEqualTo("the PDU does not know the user 'stranger'");
  }

  @Test
  void saysWhenThePrivacyPasswordMayBeWrong() {
    MeterException refusal = refusal(impatient(hider(Cipher.AES128, file("wrong"))));
    assertThat(refusal.remedy()).contains("the privacy password");
  }

  @Test
  void saysWhenTheUserMayNotReadWithoutPrivacy() {
    User open =
        new User(
            "hider",
            Optional.of(new Authentication(Digest.SHA256, agent.secret("auth"))),
            Optional.empty());
    assertThat(refusal(source(open)).what()).contains("'Authorization error'");
  }

  @Test
  void refusesPasswordsThatSnmpCannotUse() {
    assertThat(refusal(source(signer(Digest.SHA256, file("short")))).what())
        .isEqualTo("its auth password is shorter than SNMP v3 allows");
    MeterException missing = refusal2(source(signer(Digest.SHA256, file("absent"))));
    assertThat(missing.what()).isEqualTo("the password file cannot be read");
  }

  private MeterException refusal2(SnmpSource source) {
    return catchThrowableOfType(MeterException.class, () -> source.open(ticker).close());
  }

  @Test
  void learnsTheIdentityOfADeviceAgainThatRestarted() throws Exception {
    try (RealSnmpd mortal = RealSnmpd.start(folder.resolve("mortal")).showApc(1, 99, 1)) {
      SnmpAccess access = hider(Cipher.AES128, agent.secret("privacy"));
      SnmpSource source = new SnmpSource(mortal.device(PduMib.apc(), access), List.of(1));
      try (PowerProbe probe = source.open(ticker)) {
        mortal.kill();
        assertThat(
                catchThrowableOfType(
                    MeterException.class, () -> probe.sample(ticker.nanos() + 300_000_000L)))
            .hasMessageContaining("no answer by SNMP v3");
        mortal.restart();
        PowerSample sample = probe.sample(ticker.nanos() + TimeUnit.SECONDS.toNanos(10));
        assertThat(((PowerSample.Power) sample).watts()).isEqualTo(99);
      }
    }
  }

  @Test
  void endsAReadingSoonWhenItIsClosed() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RealSnmpd mortal = RealSnmpd.start(folder.resolve("closed")).showApc(1, 99, 1)) {
      SnmpDevice device =
          mortal.device(PduMib.apc(), mortal.byCommunity(), Prefer.AUTO, 30_000_000_000L, 0);
      PowerProbe probe = new SnmpSource(device, List.of(1)).open(ticker);
      mortal.kill();
      Future<PowerSample> reading =
          thread.submit(() -> probe.sample(ticker.nanos() + TimeUnit.SECONDS.toNanos(30)));
      probe.close();
      assertThat(catchThrowableOfType(Exception.class, () -> reading.get(25, TimeUnit.SECONDS)))
          .hasRootCauseInstanceOf(MeterException.class)
          .hasMessageContaining("the reading was ended");
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void saysWhenTheHostIsUnknown() {
    SnmpDevice device =
        new SnmpDevice(
            "pdu1",
            "no-such-host.invalid",
            161,
            agent.byCommunity(),
            PduMib.apc(),
            Prefer.AUTO,
            1_000_000_000L,
            1,
            0);
    assertThat(refusal(new SnmpSource(device, List.of(1))).what())
        .isEqualTo("the host name is not known");
  }
}
