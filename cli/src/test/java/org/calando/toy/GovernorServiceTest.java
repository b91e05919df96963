package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.clock.LeaseFolders;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.governor.ClusterState;
import org.calando.governor.DecisionFolders;
import org.calando.governor.GovernorService;
import org.calando.governor.ServiceDoctor;
import org.calando.governor.ServiceDryRun;
import org.calando.governor.http.GovernorHttp;
import org.calando.http.Listening;
import org.calando.http.server.HttpService;
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

  /** Its knobs need no claim in the cluster, which is not there. */
  private static final String CONTROLLED =
      "{name: %s, engine: redis, inventory: {nodes: [{name: n1, address: 127.0.0.9}]},"
          + " period: 100ms, control: [%s]}";

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
        List.of(),
        folder::resolve);
  }

  private static String observed(String name) {
    return CLUSTER.formatted(name, "");
  }

  private static String controlled(String name, String control) {
    return CONTROLLED.formatted(name, control);
  }

  private GovernorService start(ServiceSpec spec) throws InterruptedException {
    GovernorService service = unbegun(spec);
    boolean begun = false;
    try {
      service.begin();
      begun = true;
      return service;
    } finally {
      if (!begun) {
        service.close();
      }
    }
  }

  private GovernorService unbegun(ServiceSpec spec) {
    return GovernorService.of(
        spec, folder, LeaseFolders.in(folder.resolve("state")), "test", decisions(), news::add);
  }

  private DecisionFolders decisions() {
    return new DecisionFolders(
        name -> folder.resolve("decisions-" + name), target -> folder.resolve("gear-decisions"));
  }

  private static JsonNode decisions(HttpService http) throws Exception {
    return new ObjectMapper()
        .readTree(
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(
                            URI.create(http.address() + "/api/v1/clusters/shop/decisions"))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .body());
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
      assertThat(state(service, "seen").works()).as("it is not observed").isFalse();
    }
    assertThat(dial()).isEqualTo("1");
    assertThat(news).anyMatch(line -> line.startsWith("seen: observing: "));
  }

  /** To begin to ask Redis servers takes none of them. */
  @Test
  void aClusterOfWhichNoNodeAnswersIsNotObserved() throws Exception {
    try (GovernorService service =
        start(
            file(
                "{name: gone, engine: redis, inventory: {nodes: [{name: n1, address: 127.0.0.9}]},"
                    + " period: 100ms}"))) {
      await()
          .atMost(LONG)
          .until(() -> state(service, "gone").observing().problem().orElse("").contains("n1"));
      assertThat(state(service, "gone").observing().works()).isFalse();
      assertThat(state(service, "gone").isReady()).isFalse();
    }
  }

  @Test
  void whatAPolicyWouldSetIsReportedAndNotSet() throws Exception {
    ServiceSpec spec = file(CLUSTER.formatted("shop", ", consider: [{climb: {most: 3}}]"));
    try (GovernorService service = start(spec);
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      await()
          .atMost(LONG)
          .until(
              () ->
                  state(service, "shop").considered().orElseThrow().knobs().stream()
                      .anyMatch(knob -> knob.value().isPresent() && knob.decisions() > 2));
      JsonNode shop = new ObjectMapper().readTree(get(http, "/api/v1/clusters/shop").body());
      assertThat(shop.at("/mode").asText()).isEqualTo("observe");
      assertThat(shop.at("/considered/knobs/0/value").asText()).isEqualTo("2");
      assertThat(shop.at("/considered/knobs/0/saves_w").isNull()).isTrue();
      assertThat(shop.at("/knobs")).isEmpty();
    }
    assertThat(news).anyMatch(line -> line.startsWith("shop: would set dial of "));
    assertThat(dial()).isEqualTo("1");
  }

  @Test
  void onlyPoliciesOfKnobsThatAreNotControlledAreConsidered() {
    assertThatThrownBy(() -> file(CLUSTER.formatted("shop", ", consider: [{dial: 4}]")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("consider[0]: is a value of dial, which decides nothing");
    assertThatThrownBy(
            () ->
                file(
                    CLUSTER.formatted(
                        "shop", ", control: [{dial: 4}], consider: [{climb: {most: 3}}]")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("consider[0]: decides on dial, as control does");
  }

  @Test
  void clocksAreOfAClockInControl() {
    String redis =
        "{name: roles, engine: redis, inventory: {nodes: [{name: n1, address: 127.0.0.9}]}%s}";
    String clocks = ", clocks: {cpus: {n1: 0}}";
    assertThatThrownBy(() -> file(redis.formatted(clocks)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[0].clocks: given, though control has no clock")
        .hasMessageContaining("add clock to control, or remove it");
    assertThatThrownBy(() -> file(redis.formatted(", consider: [{clock: concerto}]")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("consider[0]: decides on clock, which is decided in control only")
        .hasMessageContaining("leave it out, or write it in control");
    assertThatThrownBy(() -> file(redis.formatted(", control: [{clock: concerto}]")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("write on which processors the nodes run");
    assertThatCode(() -> file(redis.formatted(clocks + ", control: [{clock: concerto}]")))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsPromisedIsSaidWithItsPlaceWhereItIsWrong() {
    assertThatThrownBy(
            () ->
                file(
                    CLUSTER.formatted(
                        "shop",
                        ", promise: {window: 1h}, clients: {popularity: uniform, canary: shop,"
                            + " propagation: 1ms}")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[0].promise: promises nothing")
        .hasMessageContaining("clusters[0].clients.popularity: is of keys")
        .hasMessageContaining("clusters[0].clients.canary: measures what propagation says");
    assertThatThrownBy(() -> file(CLUSTER.formatted("shop", ", promise: {stale: 200%, copies: 0}")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[0].promise.stale")
        .hasMessageContaining("clusters[0].promise.copies");
    assertThatThrownBy(() -> start(file(CLUSTER.formatted("shop", ", promise: {survive: 1}"))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters.shop.promise.survive")
        .hasMessageContaining("say at what level clients read");
  }

  @Test
  void anotherFileEndsWhatIsGoneKeepsWhatIsTheSameAndBeginsWhatIsNew() throws Exception {
    try (GovernorService service = start(file(observed("seen"), controlled("shop", "{dial: 4}")))) {
      assertThat(dial()).isEqualTo("4");
      service.reload(file(observed("seen"), controlled("shop", "{dial: 5}")).clusters());
      await().atMost(LONG).until(() -> dial().equals("5"));
      service.reload(file(observed("shop"), observed("other")).clusters());
      await().atMost(LONG).until(() -> dial().equals("1"));
      assertThat(service.states()).extracting(ClusterState::name).containsExactly("shop", "other");
      assertThat(state(service, "shop").control()).isEmpty();
    }
  }

  @Test
  void aFileOfTheOtherFormDoesNotTakeItsPlace() throws Exception {
    ServiceSpec clusters = file(observed("shop"));
    ServiceSpec attended = new ServiceSpec(clusters.clusters(), Optional.empty(), true);
    try (GovernorService service = unbegun(clusters);
        GovernorService seenTo = unbegun(attended)) {
      assertThatThrownBy(() -> service.requireReloadable(attended))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("now a short form of one cluster");
      assertThatThrownBy(() -> seenTo.requireReloadable(clusters))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("now a file of clusters");
      assertThatCode(() -> service.requireReloadable(clusters)).doesNotThrowAnyException();
      assertThatCode(() -> seenTo.requireReloadable(attended)).doesNotThrowAnyException();
    }
  }

  @Test
  void aClusterThatEndsSlowlyKeepsNoOtherWaitingAndItsKnobHasOneOwner() throws Exception {
    CountDownLatch ends = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    ToyDial.BEFORE_UNDO.set(
        () -> {
          ending.countDown();
          try {
            ends.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    try (GovernorService service = start(file(controlled("shop", "{dial: 4}")))) {
      service.reload(file(controlled("shop", "{dial: 5}"), observed("other")).clusters());
      assertThat(ending.await(1, TimeUnit.MINUTES)).isTrue();
      await().atMost(LONG).until(() -> state(service, "other").observing().failures() > 0);
      assertThat(dial()).isEqualTo("4");
      assertThat(state(service, "shop").control().orElseThrow().problem())
          .contains("not begun yet");
      service.reload(file(controlled("shop", "{dial: 6}"), observed("other")).clusters());
      ToyDial.BEFORE_UNDO.set(() -> {});
      ends.countDown();
      await().atMost(LONG).until(() -> dial().equals("6"));
      assertThat(state(service, "shop").control().orElseThrow().failures()).isZero();
    } finally {
      ToyDial.BEFORE_UNDO.set(() -> {});
      ends.countDown();
    }
    assertThat(dial()).isEqualTo("1");
    assertThat(news).noneMatch(line -> line.contains("another owner"));
  }

  @Test
  void aDryRunGoesOnAfterAClusterThatFailsAndEndsWithItsFailure() throws Exception {
    ServiceSpec spec =
        file(
            controlled("shop", "{climb: {most: 3}}"),
            controlled("cart", "{dial: 4}"),
            CLUSTER.formatted("seen", ", consider: [{climb: {most: 7}}]"));
    List<String> lines = new ArrayList<>();
    ServiceDryRun dryRun = new ServiceDryRun(folder, decisions(), lines::add);
    ToyDial.UNSEEN.set("nobody answers");
    try {
      assertThatThrownBy(() -> dryRun.of(spec))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("nobody answers");
    } finally {
      ToyDial.UNSEEN.set("");
    }
    assertThat(lines)
        .anyMatch(line -> line.startsWith("shop: could not be looked at: "))
        .contains("cart: dial of " + dial + " is 1; 4 would set 4")
        .anyMatch(line -> line.startsWith("seen: could not be looked at: "));
    lines.clear();
    new ServiceDryRun(folder, decisions(), lines::add).of(spec);
    assertThat(lines)
        .contains(
            "seen: considered only: dial of "
                + dial
                + " is 1; climb to 7 would set 2; what that saves is unknown");
    assertThat(dial()).isEqualTo("1");
    assertThat(ServiceDoctor.of(spec, folder).examine())
        .anyMatch(found -> found.ok() && found.subject().equals("considered dial"));
  }

  @Test
  void aKnobOfSomebodyElseIsRefusedAtTheStartAndTriedAgainLater() throws Exception {
    try (GovernorService first = start(file(controlled("shop", "{dial: 4}")))) {
      ServiceSpec second = file(observed("seen"), controlled("mine", "{dial: 6}"));
      assertThatThrownBy(() -> start(second))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is held by another owner");
      assertThat(dial()).isEqualTo("4");
      try (GovernorService later = start(file(observed("seen")))) {
        later.reload(second.clusters());
        await()
            .atMost(LONG)
            .until(() -> state(later, "mine").control().orElseThrow().failures() > 0);
        assertThat(state(later, "mine").control().orElseThrow().problem().orElseThrow())
            .contains("is held by another owner");
        assertThat(state(later, "mine").knobs()).as("none of them is set").isEmpty();
        first.reload(List.of());
        await().atMost(LONG).until(() -> dial().equals("6"));
      }
    }
    assertThat(dial()).isEqualTo("1");
  }

  /** That of another cluster, which may not answer, is left to its own governor or to restore. */
  @Test
  void whatEndedProcessesLeftOfAnotherClustersKnobIsNotTouched() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "5\n");
    LeaseFolders leases = LeaseFolders.in(folder.resolve("state")).ofClusters();
    Path left = leases.journals().resolve("clock-99999999-1-1.journal");
    Files.createDirectories(leases.journals());
    try (Journal journal = Journal.open(left)) {
      for (JournalEntry.Event event :
          List.of(JournalEntry.Event.PLANNED, JournalEntry.Event.BEGUN)) {
        journal.append(
            new JournalEntry(
                Instant.EPOCH,
                1,
                event,
                "dial",
                other.toString(),
                "5",
                "1",
                Knob.Lifetime.LEASED,
                event == JournalEntry.Event.BEGUN ? "turn" : "",
                ""));
      }
    }
    try (GovernorService service = start(file(controlled("shop", "{dial: 4}")))) {
      assertThat(dial()).isEqualTo("4");
      assertThat(service.isAlive()).isTrue();
      assertThat(Files.readString(other)).isEqualTo("5\n");
      assertThat(left).exists();
    }
    System.setProperty(ToyDial.FILE, other.toString());
    try (GovernorService service = start(file(controlled("other", "{dial: 4}")))) {
      assertThat(service.isAlive()).isTrue();
      assertThat(left).doesNotExist();
    }
    assertThat(Files.readString(other).strip())
        .as("as before the one that was killed")
        .isEqualTo("1");
  }

  @Test
  void whatTheFileMayNotSayIsSaidWithItsPlace() {
    assertThatThrownBy(() -> file(observed("shop"), observed("shop")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[1].name");
    assertThatThrownBy(() -> file(controlled("shop", "{gear: 1}")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("clusters[0].gears: is missing");
    assertThatThrownBy(() -> file(CLUSTER.formatted("shop", ", gears: {capacity: 60MB}")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("though control has no gear, nor has consider");
    Path wrong = folder.resolve("wrong.yaml");
    for (String listen : List.of("0.0.0.0:7474", "10.0.0.1:7474", "127.0.0.1:65536", "7474")) {
      assertThatThrownBy(
              () ->
                  StudyFile.readService(
                      Files.writeString(
                          wrong, "clusters: [" + observed("a") + "]\nlisten: '" + listen + "'\n"),
                      List.of(),
                      folder::resolve))
          .as(listen)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("listen");
    }
  }

  @Test
  void anAddressOfTheNetworkNeedsEncryptionAndAnotherKey() throws IOException {
    Path file = folder.resolve("network.yaml");
    String begin = "clusters: [" + observed("a") + "]\nlisten: 10.0.0.1:7474\n";
    for (String lacking :
        List.of("token-file: tokens\n", "tls: {certificate: a.pem, key: a.key}\n")) {
      Files.writeString(file, begin + lacking);
      assertThatThrownBy(() -> StudyFile.readService(file, List.of(), folder::resolve))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("listen");
    }
    Files.writeString(file, begin + "tls: {certificate: a.pem, key: a.key}\ntoken-file: tokens\n");
    Listening where =
        StudyFile.readService(file, List.of(), folder::resolve).listen().orElseThrow();
    assertThat(where.tls().orElseThrow().key()).isEqualTo(folder.resolve("a.key"));
    assertThat(where.tokens()).contains(folder.resolve("tokens"));
    Files.writeString(
        file, begin + "tls: {certificate: a.pem, key: a.key, client-ca: clients.pem}\n");
    assertThat(
            StudyFile.readService(file, List.of(), folder::resolve).listen().orElseThrow().tokens())
        .isEmpty();
  }

  private HttpResponse<String> get(HttpService http, String path, String... headers)
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
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      await().atMost(LONG).until(() -> state(service, "seen").observing().failures() > 0);
      assertThat(get(http, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> ready = get(http, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("seen: ");
      JsonNode clusters = new ObjectMapper().readTree(get(http, "/api/v1/clusters").body());
      assertThat(clusters.at("/own_cost/cpu_seconds").asDouble()).isPositive();
      assertThat(clusters.at("/own_cost/resident_bytes").asDouble()).isGreaterThan(1e6);
      assertThat(clusters.at("/clusters/0/mode").asText()).isEqualTo("observe");
      assertThat(clusters.at("/clusters/1/knobs/0/value").asText()).isEqualTo("3");
      assertThat(clusters.at("/clusters/1/figures/mean_joules_per_kop").isNull()).isTrue();
      await().atMost(LONG).until(() -> decisions(http).size() >= 2);
      JsonNode decisions = decisions(http);
      assertThat(decisions.get(0).at("/settings/0").asText()).contains("dial of ");
      String metrics = get(http, "/metrics").body();
      assertThat(metrics)
          .contains("calando_cluster_observed{cluster=\"seen\",engine=\"cassandra\"} 0.0")
          .contains("calando_cluster_controlled{cluster=\"shop\",engine=\"redis\"} 1.0")
          .containsPattern("process_cpu_seconds_total [1-9]")
          .containsPattern("process_resident_memory_bytes [1-9]")
          .contains("calando_knob_info{choice=\"climb to 3\",cluster=\"shop\",knob=\"dial\"")
          .as("what is not known is absent")
          .doesNotContain("calando_node_power_watts{")
          .doesNotContain("calando_joules_per_kop{");
      assertThat(get(http, "/api/v1/clusters/nobody").statusCode()).isEqualTo(404);
      assertThat(get(http, "/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aKnobOfSeveralTargetsIsOneSeriesOfDecisions() throws Exception {
    ServiceSpec spec = file(controlled("shop", "{pair: {most: 3}}"));
    try (GovernorService service = start(spec);
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      await()
          .atMost(LONG)
          .until(
              () ->
                  state(service, "shop").knobs().stream()
                          .filter(knob -> knob.value().equals(Optional.of("3")))
                          .count()
                      == 2);
      HttpResponse<String> metrics = get(http, "/metrics");
      assertThat(metrics.statusCode()).isEqualTo(200);
      List<String> series =
          metrics
              .body()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.substring(0, line.lastIndexOf(' ')))
              .toList();
      assertThat(series)
          .doesNotHaveDuplicates()
          .contains(
              "calando_decisions_total{cluster=\"shop\",knob=\"dial\"}",
              "calando_knob_paused{cluster=\"shop\",knob=\"dial\"}")
          .filteredOn(line -> line.startsWith("calando_knob_info{"))
          .hasSize(2);
    }
  }

  @Test
  void aPolicyThatCannotDecideIsNotReadyUntilItDecides() throws Exception {
    ServiceSpec spec = file(controlled("shop", "{climb: {most: 3}}"));
    try (GovernorService service = start(spec)) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      ToyDial.UNSEEN.set("nobody answers");
      await()
          .atMost(LONG)
          .until(
              () ->
                  state(service, "shop")
                      .control()
                      .orElseThrow()
                      .problem()
                      .orElse("")
                      .contains("nobody answers"));
      assertThat(state(service, "shop").isReady()).isFalse();
      ToyDial.UNSEEN.set("");
      await()
          .atMost(LONG)
          .until(() -> state(service, "shop").control().orElseThrow().problem().isEmpty());
    } finally {
      ToyDial.UNSEEN.set("");
    }
  }

  @Test
  void itAnswersBeforeAnyClusterIsReached() throws Exception {
    ServiceSpec spec = file(observed("seen"), controlled("shop", "{dial: 4}"));
    try (GovernorService service = unbegun(spec);
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      assertThat(get(http, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> ready = get(http, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("seen: not begun yet").contains("shop: not begun yet");
      assertThat(dial()).isEqualTo("1");
      service.begin();
      assertThat(dial()).isEqualTo("4");
    }
    assertThat(dial()).isEqualTo("1");
  }

  @Test
  void nobodyElseThanThisMachineIsAnsweredAndNothingIsChanged() throws Exception {
    ServiceSpec spec = file(observed("seen"));
    try (GovernorService service = start(spec);
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
      assertThat(raw(http, request("GET", "evil.example"))).startsWith("HTTP/1.1 403");
      assertThat(raw(http, request("POST", "localhost"))).startsWith("HTTP/1.1 405");
      Listening taken = Listening.plain("127.0.0.1", URI.create(http.address()).getPort());
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
        HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service)) {
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

  private static Socket socket(HttpService http) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(http.address()).getPort());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** The answer to bytes; empty if the connection was closed without one. */
  private static String raw(HttpService http, String request) throws IOException {
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
