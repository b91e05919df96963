package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.core.FailedWorkException;
import org.calando.power.Secret;
import org.calando.power.Ticker;
import org.calando.power.onoff.PowerSwitch.State;
import org.calando.power.redfish.RedfishServer;
import org.calando.power.redfish.RedfishSource.Login;
import org.calando.power.redfish.RedfishSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services with machines whose power is switched, over HTTP. */
class RedfishSwitchTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);
  private static final String ROOT = "/redfish/v1/";
  private static final String SYSTEMS = "/redfish/v1/Systems";
  private static final String MACHINE = SYSTEMS + "/437XR1138R2";
  private static final String RESET = MACHINE + "/Actions/ComputerSystem.Reset";

  @TempDir Path folder;
  private final List<String> orders = new CopyOnWriteArrayList<>();
  private RedfishServer server;

  @BeforeEach
  void startService() throws Exception {
    server =
        RedfishServer.plain()
            .show(
                ROOT,
                """
                {"Systems": "@/redfish/v1/Systems",
                 "Links": {"Sessions": "@/redfish/v1/SessionService/Sessions"}}""")
            .collection(SYSTEMS, MACHINE)
            .act(RESET, this::obey);
    machine("On", "[\"On\", \"GracefulShutdown\", \"ForceOff\"]");
  }

  @AfterEach
  void stopService() {
    server.close();
  }

  @Test
  void switchesASystemOffAndOn() throws Exception {
    VerifiedSwitch verified = verified(system(server.uri(), Optional.empty()));
    assertThat(verified.read()).isEqualTo(State.ON);
    verified.off();
    assertThat(verified.read()).isEqualTo(State.OFF);
    verified.on();
    assertThat(verified.read()).isEqualTo(State.ON);
    assertThat(orders)
        .containsExactly("{\"ResetType\":\"GracefulShutdown\"}", "{\"ResetType\":\"On\"}");
  }

  @Test
  void forcesASystemThatDoesNotShutDown() throws Exception {
    server.act(RESET, body -> body.contains("Graceful") ? 202 : obey(body));
    SwitchTimes times = SwitchTimes.USUAL.within(PATIENT, PATIENT).forcing(Duration.ofMillis(300));
    SwitchSpec.Kind kind = new SwitchSpec.Redfish(system(server.uri(), Optional.empty()));
    new SwitchSpec(kind, PATIENT, times).verified("n1", Optional.empty(), Ticker.system()).off();
    assertThat(orders).containsExactly("{\"ResetType\":\"ForceOff\"}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void logsInAndOut(boolean sessions) throws Exception {
    server.askForLogin(sessions);
    Path file = Files.writeString(folder.resolve("password"), RedfishServer.PASSWORD + "\n");
    Login login = new Login(RedfishServer.USER, new Secret.InFile(file));
    RedfishSwitch plain = plain(system(server.uri(), Optional.of(login)));
    plain.off();
    assertThat(plain.read()).isEqualTo(State.OFF);
    assertThat(server.openSessions()).isEmpty();
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .hasMessageContaining("user");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PoweringOn", "PoweringOff", "Paused"})
  void waitsWhileTheSystemIsBetween(String state) throws Exception {
    machine(state, "[]");
    assertThat(plain(system(server.uri(), Optional.empty())).read()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void tellsASystemThatDoesNotTell() {
    machine("Sideways", "[]");
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .hasMessageContaining("does not report whether the machine is on, but 'Sideways'");
    server.show(MACHINE, "{\"PowerState\": null}");
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .hasMessageContaining("does not report");
    server.show(MACHINE, "{\"PowerState\": \"O");
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .as("half an answer")
        .hasMessageContaining("not a Redfish resource");
  }

  @Test
  void tellsAnOrderThatThereIsNotAndOneThatIsRefused() {
    RedfishSwitch plain = plain(system(server.uri(), Optional.empty()));
    machine("On", "[\"On\", \"ForceOff\"]");
    assertThat(failure(plain::off))
        .hasMessageContaining("no reset of type GracefulShutdown")
        .hasMessageContaining("On, ForceOff");
    server.act(RESET, body -> 409);
    assertThat(failure(plain::forceOff))
        .hasMessageContaining("HTTP 409")
        .hasMessageContaining("cannot be done in this state");
    server.act(RESET, body -> 403);
    assertThat(failure(plain::on)).hasMessageContaining("role Operator");
    server.show(MACHINE, "{\"PowerState\": \"On\"}");
    assertThat(failure(plain::on)).hasMessageContaining("does not let this user");
  }

  @Test
  void readsWhatTheActionTakesFromItsDescription() throws Exception {
    server.show(
        MACHINE,
        """
        {"PowerState": "On", "Actions": {"#ComputerSystem.Reset": {
          "target": "%s", "@Redfish.ActionInfo": "%s/ResetActionInfo"}}}"""
            .formatted(RESET, MACHINE));
    server.show(
        MACHINE + "/ResetActionInfo",
        """
        {"Parameters": [{"Name": "Other"},
          {"Name": "ResetType", "AllowableValues": ["On", "GracefulShutdown"]}]}""");
    RedfishSwitch plain = plain(system(server.uri(), Optional.empty()));
    assertThat(failure(plain::forceOff)).hasMessageContaining("no reset of type ForceOff");
    plain.off();
    assertThat(orders).hasSize(1);
  }

  @Test
  void asksWhichSystemWhereThereAreSeveral() throws Exception {
    String other = SYSTEMS + "/2";
    server
        .collection(SYSTEMS, MACHINE, other)
        .show(other, "{\"Id\": \"2\", \"PowerState\": \"Off\"}");
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .hasMessageContaining("several systems")
        .hasMessageContaining("437XR1138R2, 2");
    assertThat(plain(named("2")).read()).isEqualTo(State.OFF);
    assertThat(plain(system(server.uri().resolve(other), Optional.empty())).read())
        .isEqualTo(State.OFF);
    assertThat(failure(plain(named("3"))::read)).hasMessageContaining("no such system");
    assertThatThrownBy(
            () ->
                RedfishSystem.of(
                    server.uri().resolve(other),
                    Optional.empty(),
                    Optional.empty(),
                    true,
                    Optional.of("2")))
        .hasMessageContaining("already");
  }

  @Test
  void tellsAServiceThatIsGone() {
    server.stop();
    assertThat(failure(plain(system(server.uri(), Optional.empty()))::read))
        .hasMessageContaining("connection refused");
  }

  private RedfishSystem named(String id) {
    return RedfishSystem.of(
        server.uri(), Optional.empty(), Optional.empty(), true, Optional.of(id));
  }

  private int obey(String body) {
    orders.add(body);
    machine(body.contains("\"On\"") ? "On" : "Off", "[\"On\", \"GracefulShutdown\", \"ForceOff\"]");
    return 204;
  }

  private void machine(String state, String types) {
    server.show(
        MACHINE,
        """
        {"Id": "437XR1138R2", "Name": "node", "PowerState": "%s", "Actions": {
          "#ComputerSystem.Reset": {"target": "%s", "ResetType@Redfish.AllowableValues": %s}}}"""
            .formatted(state, RESET, types));
  }

  private static RedfishSystem system(URI uri, Optional<Login> login) {
    return RedfishSystem.of(uri, login, Optional.empty(), true, Optional.empty());
  }

  private static RedfishSwitch plain(RedfishSystem system) {
    return new RedfishSwitch("n1", system, PATIENT, Ticker.system());
  }

  private static VerifiedSwitch verified(RedfishSystem system) {
    SwitchTimes times = SwitchTimes.USUAL.within(PATIENT, PATIENT);
    return new VerifiedSwitch(plain(system), Optional.empty(), times, Ticker.system());
  }

  /** A call of a switch. */
  @FunctionalInterface
  private interface Call {
    void make() throws Exception;
  }

  private static FailedWorkException failure(Call call) {
    return catchThrowableOfType(FailedWorkException.class, call::make);
  }
}
