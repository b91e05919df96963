package org.calando.power.redfish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Secret;
import org.calando.power.Ticker;
import org.calando.power.redfish.RedfishSource.Login;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trees of several vendors' shapes over HTTP. */
class RedfishSourceTest {
  private static final Ticker TICKER = Ticker.system();

  @TempDir Path folder;
  private RedfishServer server;

  @BeforeEach
  void startServer() throws Exception {
    server = RedfishServer.plain();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void readsTheMachinesPowerControl() throws Exception {
    RedfishTrees.powerShape(server);
    try (PowerProbe probe = anonymous().open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(231);
      int before = server.requests().size();
      RedfishTrees.powerShows(server, "240.5");
      assertThat(watts(probe)).isEqualTo(240.5);
      assertThat(server.requests()).as("one request a sample").hasSize(before + 1);
      assertThat(probe.info().scope()).isEqualTo(Scope.HOST);
      assertThat(probe.info().cumulative()).isFalse();
      assertThat(probe.info().resolution()).contains("PowerControl/1");
    }
  }

  @Test
  void prefersAFineCounterOfEnergy() throws Exception {
    String readings = "\"PowerWatts\": {\"Reading\": 150}, \"EnergyJoules\": {\"Reading\": %s}";
    RedfishTrees.metricsShape(server, readings.formatted("1200300.5"));
    try (PowerProbe probe = anonymous().open(TICKER)) {
      assertThat(probe.info().cumulative()).isTrue();
      assertThat(energy(probe).joules()).isZero();
      RedfishTrees.metricsShape(server, readings.formatted("1200450.75"));
      assertThat(energy(probe).joules()).isCloseTo(150.25, within(1e-6));
      RedfishTrees.metricsShape(server, readings.formatted("12.5"));
      PowerSample.Energy after = energy(probe);
      assertThat(after.reset()).as("the controller started again").isTrue();
      assertThat(after.joules()).isCloseTo(150.25, within(1e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"812.5, false", "812.500, false", "812.12345, true", "812.300000000000011, false"})
  void takesKilowattHoursOnlyWhereTheyAreFine(String kwh, boolean cumulative) throws Exception {
    RedfishTrees.metricsShape(
        server, "\"PowerWatts\": {\"Reading\": 150}, \"EnergykWh\": {\"Reading\": " + kwh + "}");
    try (PowerProbe probe = anonymous().open(TICKER)) {
      assertThat(probe.info().cumulative()).isEqualTo(cumulative);
    }
  }

  @Test
  void takesACoarseCounterWhereThereIsNothingElse() throws Exception {
    RedfishTrees.metricsShape(server, "\"EnergykWh\": {\"Reading\": 812.1}");
    try (PowerProbe probe = anonymous().open(TICKER)) {
      assertThat(probe.info().resolution()).contains("steps of 360000 J");
      energy(probe);
      RedfishTrees.metricsShape(server, "\"EnergykWh\": {\"Reading\": 812.2}");
      assertThat(energy(probe).joules()).isCloseTo(360_000, within(1.0));
    }
  }

  @Test
  void addsThePowerSuppliesInputs() throws Exception {
    RedfishTrees.suppliesShape(server, "101.5", "98");
    try (PowerProbe probe = anonymous().open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(199.5);
      assertThat(probe.info().resolution()).contains("sum of 2 power supplies");
    }
  }

  @Test
  void readsAnOutletOfADistributionUnit() throws Exception {
    String outlet = "/redfish/v1/PowerEquipment/RackPDUs/1/Outlets/A7";
    server.show(outlet, "{\"PowerState\": \"On\", \"PowerWatts\": {\"Reading\": 61.25}}");
    try (PowerProbe probe = at(server.uri().resolve(outlet)).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(61.25);
    }
  }

  @Test
  void asksWhichChassisWhereSeveralShowPower() throws Exception {
    RedfishTrees.service(server, "/redfish/v1/Chassis/A", "/redfish/v1/Chassis/B");
    for (String id : new String[] {"A", "B"}) {
      String path = "/redfish/v1/Chassis/" + id;
      server.show(path, "{\"Id\": \"" + id + "\", \"EnvironmentMetrics\": \"@" + path + "/Env\"}");
      int watts = id.equals("A") ? 100 : 200;
      server.show(path + "/Env", "{\"PowerWatts\": {\"Reading\": " + watts + "}}");
    }
    assertThat(refusal(anonymous()).remedy()).contains("A, B");
    try (PowerProbe probe = chassis("b").open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(200);
    }
    assertThat(refusal(chassis("C")).remedy()).contains("A, B");
  }

  @Test
  void neverTakesAMissingReadingForNoPower() throws Exception {
    RedfishTrees.powerShape(server);
    try (PowerProbe probe = anonymous().open(TICKER)) {
      RedfishTrees.powerShows(server, "null");
      assertThat(failure(probe).what()).contains("null");
      RedfishTrees.powerShows(server, "\"231\"");
      assertThat(failure(probe).where()).contains(RedfishTrees.POWER);
      RedfishTrees.powerShows(server, "0");
      assertThat(failure(probe).what()).contains("0 W");
      RedfishTrees.powerShows(server, "17");
      assertThat(watts(probe)).isEqualTo(17);
    }
    RedfishTrees.metricsShape(server, "\"PowerWatts\": {\"Reading\": null}");
    assertThat(refusal(anonymous()).what()).contains("null");
  }

  @Test
  void opensASessionRenewsItAndClosesIt() throws Exception {
    RedfishTrees.powerShape(server).askForLogin(true);
    try (PowerProbe probe = known(RedfishServer.PASSWORD).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(231);
      assertThat(server.openSessions()).hasSize(1);
      server.expireSessions();
      assertThat(watts(probe)).isEqualTo(231);
      assertThat(server.openSessions()).hasSize(1);
    }
    assertThat(server.openSessions()).isEmpty();
  }

  @Test
  void logsInWithEachRequestWhereThereAreNoSessions() throws Exception {
    RedfishTrees.powerShape(server).askForLogin(false);
    try (PowerProbe probe = known(RedfishServer.PASSWORD).open(TICKER)) {
      assertThat(watts(probe)).isEqualTo(231);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void tellsAWrongPasswordWithoutShowingIt(boolean sessions) throws Exception {
    RedfishTrees.powerShape(server).askForLogin(sessions);
    MeterException problem = refusal(known("guess-what"));
    assertThat(problem.what()).contains("refuses the user or the password");
    assertThat(problem.toString() + problem.remedy()).doesNotContain("guess-what");
    assertThat(refusal(anonymous()).remedy()).contains("give user and password");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | may not read",
        "404 | no such resource",
        "503 | busy or still starting",
        "418 | HTTP 418"
      })
  void tellsWhatARefusalMeans(int status, String what) throws Exception {
    RedfishTrees.powerShape(server);
    try (PowerProbe probe = anonymous().open(TICKER)) {
      server.refuse(RedfishTrees.POWER, status);
      assertThat(failure(probe).what()).contains(what);
      assertThat(failure(probe).where()).endsWith(RedfishTrees.POWER);
      server.refuse(RedfishTrees.POWER, 200);
      assertThat(watts(probe)).isEqualTo(231);
    }
  }

  @Test
  void refusesAnswersThatAreNoResources() throws Exception {
    RedfishTrees.powerShape(server);
    try (PowerProbe probe = anonymous().open(TICKER)) {
      server.show(RedfishTrees.POWER, "<html>busy</html>");
      assertThat(failure(probe).what()).contains("not a Redfish resource");
      server.show(RedfishTrees.POWER, "{\"a\": \"" + "x".repeat(3 << 20) + "\"}");
      assertThat(failure(probe).what()).contains("longer than");
    }
  }

  @Test
  void followsRedirectsOnTheSameServiceOnly() throws Exception {
    RedfishTrees.powerShape(server).askForLogin(true);
    try (PowerProbe probe = known(RedfishServer.PASSWORD).open(TICKER)) {
      server.show(
          RedfishTrees.POWER + "/", "{\"PowerControl\": [{}, {\"PowerConsumedWatts\": 5}]}");
      server.redirect(RedfishTrees.POWER, RedfishTrees.POWER + "/");
      assertThat(watts(probe)).isEqualTo(5);
      server.redirect(RedfishTrees.POWER, "http://127.0.0.2:1/redfish/v1/");
      assertThat(failure(probe).what()).contains("elsewhere");
    }
  }

  @Test
  void goesOnWhenAServiceReturns() throws Exception {
    RedfishTrees.powerShape(server).askForLogin(true);
    try (PowerProbe probe = known(RedfishServer.PASSWORD).open(TICKER)) {
      server.stop();
      assertThat(failure(probe).where()).contains(server.uri().toString());
      server.start();
      assertThat(watts(probe)).isEqualTo(231);
    }
  }

  @Test
  void sendsNoPasswordInTheClear() {
    Login login = new Login(RedfishServer.USER, new Secret.InVariable("UNUSED"));
    assertThatThrownBy(() -> withLogin(URI.create("http://10.0.1.1"), login))
        .hasMessageContaining("https");
    assertThatThrownBy(() -> withLogin(URI.create("https://me:secret@10.0.1.1"), login))
        .hasMessageNotContaining("secret");
  }

  @Test
  void trustsTheAuthorityThatItIsGiven() throws Exception {
    TestAuthority authority = TestAuthority.create(folder);
    try (RedfishServer encrypted = RedfishServer.encrypted(authority.serverContext())) {
      RedfishTrees.powerShape(encrypted).askForLogin(true);
      URI uri = encrypted.uri();
      Optional<Login> login = known(RedfishServer.PASSWORD).login();
      Optional<Path> ca = Optional.of(authority.certificate());
      RedfishSource trusting = new RedfishSource(uri, login, ca, true, Optional.empty());
      try (PowerProbe probe = trusting.open(TICKER)) {
        assertThat(watts(probe)).isEqualTo(231);
      }
      RedfishSource strange =
          new RedfishSource(uri, login, Optional.empty(), true, Optional.empty());
      assertThat(refusal(strange).what()).contains("no secure connection");
      assertThat(encrypted.requests()).filteredOn(path -> path.endsWith("Sessions")).hasSize(1);
      RedfishSource any = new RedfishSource(uri, login, Optional.empty(), false, Optional.empty());
      try (PowerProbe probe = any.open(TICKER)) {
        assertThat(watts(probe)).isEqualTo(231);
        assertThat(probe.info().resolution()).contains("not verified");
      }
    }
  }

  private static RedfishSource withLogin(URI uri, Login login) {
    return new RedfishSource(uri, Optional.of(login), Optional.empty(), true, Optional.empty());
  }

  private RedfishSource anonymous() {
    return at(server.uri());
  }

  private static RedfishSource at(URI uri) {
    return new RedfishSource(uri, Optional.empty(), Optional.empty(), true, Optional.empty());
  }

  private RedfishSource chassis(String id) {
    return new RedfishSource(
        server.uri(), Optional.empty(), Optional.empty(), true, Optional.of(id));
  }

  private RedfishSource known(String password) throws Exception {
    Path file = Files.writeString(folder.resolve("password"), password + "\n");
    return withLogin(server.uri(), new Login(RedfishServer.USER, new Secret.InFile(file)));
  }

  private static long soon() {
    return TICKER.nanos() + TimeUnit.SECONDS.toNanos(10);
  }

  private static double watts(PowerProbe probe) throws Exception {
    return ((PowerSample.Power) probe.sample(soon())).watts();
  }

  private static PowerSample.Energy energy(PowerProbe probe) throws Exception {
    return (PowerSample.Energy) probe.sample(soon());
  }

  private static MeterException failure(PowerProbe probe) {
    return catchThrowableOfType(MeterException.class, () -> probe.sample(soon()));
  }

  private static MeterException refusal(RedfishSource source) {
    return catchThrowableOfType(MeterException.class, () -> source.open(TICKER).close());
  }
}
