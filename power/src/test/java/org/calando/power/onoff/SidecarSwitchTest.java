package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;
import org.calando.power.Ticker;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sidecar as its documentation has it. */
class SidecarSwitchTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private final List<String> orders = new CopyOnWriteArrayList<>();
  private volatile String state = "RUNNING";
  private volatile int status = 200;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/cassandra/lifecycle",
        exchange -> {
          String order =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          if (exchange.getRequestMethod().equals("PUT")) {
            orders.add(order);
            state = order.contains("start") ? "RUNNING" : "STOPPED";
          }
          byte[] body =
              ("{\"current_state\":\"" + state + "\",\"desired_state\":\"RUNNING\"}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private SwitchSpec spec() {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new SwitchSpec(
        new SwitchSpec.Sidecar(uri, HttpPeer.Access.NONE),
        PATIENT,
        SwitchTimes.USUAL.within(PATIENT, PATIENT));
  }

  @Test
  void startsAndStopsACassandra() throws InterruptedException {
    VerifiedSwitch verified = spec().verified("n1", Optional.empty(), Ticker.system());
    assertThat(verified.read()).isEqualTo(State.ON);
    verified.off();
    assertThat(verified.read()).isEqualTo(State.OFF);
    verified.on();
    assertThat(orders).containsExactly("{\"state\":\"stop\"}", "{\"state\":\"start\"}");
    state = "UNKNOWN";
    assertThat(verified.read()).isEqualTo(State.UNKNOWN);
    assertThat(verified.canForce()).isFalse();
  }

  @Test
  void aRefusalSaysWhatIsToBeDone() {
    status = 403;
    assertThatThrownBy(() -> spec().plain("n1", Ticker.system()).read())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("HTTP status 403")
        .hasMessageContaining("lifecycle provider");
  }
}
