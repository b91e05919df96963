package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.calando.clock.LeaseFolders;
import org.calando.core.BadRequestException;
import org.calando.governor.ClusterState;
import org.calando.governor.GovernorService;
import org.calando.governor.http.GovernorHttp;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The governor as a service, of clusters that do not answer and whose toy knob can be set. */
class GovernorServiceTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String CLUSTER =
      "{name: %s, engine: cassandra, inventory: {nodes: [{name: n1, address: 127.0.0.9}]}, rf: 1,"
          + " period: 100ms%s}";

  @TempDir Path folder;
  private Path dial;
  private final Queue<String> news = new ConcurrentLinkedQueue<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void aDialAtOne() throws IOException {
    dial = folder.resolve("dial");
    Files.writeString(dial, "1\n");
    System.setProperty(ToyDial.FILE, dial.toString());
  }

  @AfterEach
  void noDial() {
    System.clearProperty(ToyDial.FILE);
  }

  private ServiceSpec file(String... clusters) throws IOException {
    return StudyFile.readService(
        Files.writeString(
            folder.resolve("govern.yaml"),
            "clusters: [" + String.join(", ", clusters) + "]\nlisten: 127.0.0.1:0\n"),
        List.of());
  }

  private static String observed(String name) {
    return CLUSTER.formatted(name, "");
  }

  private static String controlled(String name, String control) {
    return CLUSTER.formatted(name, ", control: [" + control + "]");
  }

  private GovernorService start(ServiceSpec spec) throws InterruptedException {
    return GovernorService.start(
        spec.clusters(),
        folder,
        LeaseFolders.in(folder.resolve("state")),
        "test",
        name -> folder.resolve("decisions-" + name),
        news::add);
  }

  private String dial() throws IOException {
    return Files.readString(dial).strip();
  }

  private static ClusterState state(GovernorService service, String name) {
    return service.states().stream()
        .filter(state -> state.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneIsControlledWhileAnotherCannotBeObserved() throws Exception {
    try (GovernorService service =
        start(file(observed("seen"), controlled("shop", "{climb: {most: 3}}")))) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      await().atMost(LONG).until(() -> state(service, "seen").observing().failures() > 0);
      assertThat(state(service, "seen").control()).isEmpty();
      ClusterState shop = state(service, "shop");
      assertThat(shop.control().orElseThrow().works()).isTrue();
      assertThat(shop.knobs())
          .singleElement()
          .matches(knob -> knob.knob().equals("dial") && knob.choice().equals("climb to 3"))
          .matches(knob -> knob.value().orElseThrow().equals("3") && knob.decisions() >= 2);
      assertThat(shop.works()).as("it is not observed").isFalse();
    }
    assertThat(dial()).isEqualTo("1");
    assertThat(news).anyMatch(line -> line.startsWith("seen: observing: "));
  }

  @Test
  void anotherFileEndsWhatIsGoneKeepsWhatIsTheSameAndBeginsWhatIsNew() throws Exception {
    try (GovernorService service = start(file(observed("seen"), controlled("shop", "{dial: 4}")))) {
      assertThat(dial()).isEqualTo("4");
      service.reload(file(observed("seen"), controlled("shop", "{dial: 5}")).clusters());
      await().atMost(LONG).until(() -> dial().equals("5"));
      service.reload(file(observed("shop"), observed("other")).clusters());
      assertThat(dial()).isEqualTo("1");
      assertThat(service.states()).extracting(ClusterState::name).containsExactly("shop", "other");
      assertThat(state(service, "shop").control()).isEmpty();
    }
  }

  @Test
  void aKnobOfSomebodyElseIsRefusedAtTheStartAndTriedAgainLater() throws Exception {
    try (GovernorService first = start(file(controlled("shop", "{dial: 4}")))) {
      ServiceSpec second = file(observed("seen"), controlled("mine", "{dial: 6}"));
      assertThatThrownBy(() -> start(second))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is in the hands of another owner");
      assertThat(dial()).isEqualTo("4");
      try (GovernorService later = start(file(observed("seen")))) {
        later.reload(second.clusters());
        await()
            .atMost(LONG)
            .until(() -> state(later, "mine").control().orElseThrow().failures() > 0);
        assertThat(state(later, "mine").control().orElseThrow().problem().orElseThrow())
            .contains("is in the hands of another owner");
        assertThat(state(later, "mine").knobs()).as("none of them is set").isEmpty();
        first.reload(List.of());
        await().atMost(LONG).until(() -> dial().equals("6"));
      }
    }
    assertThat(dial()).isEqualTo("1");
  }

  @Test
  void whatTheFileMayNotSayIsSaidWithItsPlace() {
    assertThatThrownBy(() -> file(observed("shop"), observed("shop")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[1].name");
    Path wrong = folder.resolve("wrong.yaml");
    for (String listen : List.of("0.0.0.0:7474", "10.0.0.1:7474", "127.0.0.1:65536", "7474")) {
      assertThatThrownBy(
              () ->
                  StudyFile.readService(
                      Files.writeString(
                          wrong, "clusters: [" + observed("a") + "]\nlisten: '" + listen + "'\n"),
                      List.of()))
          .as(listen)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("listen");
    }
  }

  private HttpResponse<String> get(GovernorHttp http, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(http.address() + path)).timeout(LONG);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void itsStateIsAskedForOverHttp() throws Exception {
    ServiceSpec spec = file(observed("seen"), controlled("shop", "{climb: {most: 3}}"));
    try (GovernorService service = start(spec);
        GovernorHttp http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      await().atMost(LONG).until(() -> state(service, "seen").observing().failures() > 0);
      assertThat(get(http, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> ready = get(http, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("seen: ");
      JsonNode clusters = new ObjectMapper().readTree(get(http, "/api/v1/clusters").body());
      assertThat(clusters.at("/clusters/0/mode").asText()).isEqualTo("observe");
      assertThat(clusters.at("/clusters/1/knobs/0/value").asText()).isEqualTo("3");
      assertThat(clusters.at("/clusters/1/figures/mean_joules_per_kop").isNull()).isTrue();
      JsonNode decisions =
          new ObjectMapper().readTree(get(http, "/api/v1/clusters/shop/decisions").body());
      assertThat(decisions).hasSizeGreaterThanOrEqualTo(2);
      assertThat(decisions.get(0).at("/settings/0").asText()).contains("dial of ");
      String metrics = get(http, "/metrics").body();
      assertThat(metrics)
          .contains("calando_cluster_observed{cluster=\"seen\",engine=\"cassandra\"} 0.0")
          .contains("calando_cluster_controlled{cluster=\"shop\",engine=\"cassandra\"} 1.0")
          .contains("calando_knob_info{choice=\"climb to 3\",cluster=\"shop\",knob=\"dial\"")
          .as("what is not known is absent")
          .doesNotContain("calando_node_power_watts{")
          .doesNotContain("calando_joules_per_kop{");
      assertThat(get(http, "/api/v1/clusters/nobody").statusCode()).isEqualTo(404);
      assertThat(get(http, "/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void nobodyElseThanThisMachineIsAnsweredAndNothingIsChanged() throws Exception {
    ServiceSpec spec = file(observed("seen"));
    try (GovernorService service = start(spec);
        GovernorHttp http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      assertThat(raw(http, request("GET", "evil.example"))).startsWith("HTTP/1.1 403");
      assertThat(raw(http, request("POST", "localhost"))).startsWith("HTTP/1.1 405");
      ServiceSpec.Listen taken =
          new ServiceSpec.Listen("127.0.0.1", URI.create(http.address()).getPort());
      assertThatThrownBy(() -> GovernorHttp.listen(taken, service))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("listen");
    }
  }

  @Test
  void requestsThatAreNoneAreRefusedAndHarmNobody() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    ServiceSpec spec = file(observed("seen"));
    try (GovernorService service = start(spec);
        GovernorHttp http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      List<Socket> slow = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Socket socket = socket(http);
        socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      for (int i = 0; i < 200; i++) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        String request =
            random.nextBoolean()
                ? new String(bytes, StandardCharsets.ISO_8859_1) + "\r\n\r\n"
                : "GET /"
                    + "x".repeat(random.nextInt(20_000))
                    + " HTTP/1.1\r\nHost: localhost\r\n"
                    + "A: "
                    + new String(bytes, StandardCharsets.ISO_8859_1)
                    + "\r\n\r\n";
        assertThat(raw(http, request)).as("seed %d", seed).doesNotContain("HTTP/1.1 5");
      }
      assertThat(get(http, "/healthz").statusCode()).isEqualTo(200);
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static String request(String method, String host) {
    return String.join(
        "\r\n",
        method + " /metrics HTTP/1.1",
        "Host: " + host,
        "Content-Length: 0",
        "Connection: close",
        "",
        "");
  }

  private static Socket socket(GovernorHttp http) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(http.address()).getPort());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** The answer to bytes; empty if the connection was closed without one. */
  private static String raw(GovernorHttp http, String request) throws IOException {
    try (Socket socket = socket(http)) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException reset) {
      return "";
    }
  }
}
