package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.calando.control.file.FolderLock;
import org.calando.governor.http.api.Api;
import org.calando.studyfile.StudyFile;
import org.calando.toy.OperatedGovernor.Told;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators may ask of a governor, and who may. */
@Timeout(180)
class GovernorApiTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String SHOP = "/api/v1/clusters/shop";
  private static final String FILE =
      """
      clusters:
        - {name: seen, engine: cassandra, rf: 1, period: 100ms, promise: {copies: 2},
           consider: [{climb: {most: 7}}], inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
        - {name: shop, engine: redis, period: 100ms, control: [{climb: {most: 3}}],
           inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
      listen: 127.0.0.1:0
      token-file: tokens
      """;

  /** What each kind of call says, beside its reason. */
  private static final Map<String, String> BODIES =
      Map.of(
          SHOP + "/pause",
          "\"until\": \"1h\"",
          SHOP + "/resume",
          "",
          SHOP + "/knobs/dial/hold",
          "\"value\": 5, \"until\": \"2h\"",
          SHOP + "/knobs/dial/resume",
          "",
          SHOP + "/plans/dial/undo",
          "",
          "/api/v1/clusters/seen/promise",
          "\"promise\": \"copies\", \"limit\": 3");

  @TempDir Path folder;
  private final Queue<String> news = new ConcurrentLinkedQueue<>();
  private Path dial;

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

  private OperatedGovernor start() throws Exception {
    return OperatedGovernor.start(folder, FILE, news::add);
  }

  private String dial() throws IOException {
    return Files.readString(dial).strip();
  }

  private static String body(String more, boolean isDryRun) {
    return "{\"reason\": \"a test\""
        + (more.isEmpty() ? "" : ", " + more)
        + (isDryRun ? "" : ", \"dry_run\": false")
        + "}";
  }

  private static Told done(OperatedGovernor governor, String path) {
    Told told = governor.post(path, body(BODIES.get(path), false));
    assertThat(told.status()).as(path + " " + told.body()).isEqualTo(200);
    assertThat(told.body().path("dry_run").asBoolean(true)).isFalse();
    return told;
  }

  private static JsonNode knob(OperatedGovernor governor) {
    return governor.get(SHOP).body().at("/knobs/0");
  }

  /** Paths of routes that change something, as the OpenAPI document has them. */
  private static List<String> changing() {
    List<String> paths = new ArrayList<>();
    Api.document(true)
        .path("paths")
        .properties()
        .forEach(
            path -> {
              if (path.getValue().at("/post/security").isArray()) {
                String cluster = path.getKey().endsWith("promise") ? "seen" : "shop";
                paths.add(path.getKey().replace("{cluster}", cluster).replace("{knob}", "dial"));
              }
            });
    return paths;
  }

  @Test
  void aHoldIsSetWhateverThePolicyDecidesAndEndsByAResume() throws Exception {
    try (OperatedGovernor governor = start()) {
      await().atMost(LONG).until(() -> knob(governor).path("in_force").asText().equals("3"));
      Told dry =
          governor.post(SHOP + "/knobs/dial/hold", body("\"value\": 5, \"until\": \"2h\"", true));
      assertThat(dry.body().path("dry_run").asBoolean()).isTrue();
      assertThat(dry.body().at("/before/value").asText()).isEqualTo("3");
      assertThat(dry.body().at("/after/held/value").asText()).isEqualTo("5");
      assertThat(dry.body().at("/steps/0").asText()).startsWith("dial is set to 5, until ");
      assertThat(knob(governor).path("held").isNull()).isTrue();
      done(governor, SHOP + "/knobs/dial/hold");
      await().atMost(LONG).until(() -> dial().equals("5"));
      await().atMost(LONG).until(() -> knob(governor).path("in_force").asText().equals("5"));
      JsonNode held = knob(governor).path("held");
      assertThat(held.path("who").asText()).isEqualTo("ann");
      assertThat(held.path("reason").asText()).isEqualTo("a test");
      assertThat(Instant.parse(held.path("until").asText())).isAfter(Instant.now());
      assertThat(knob(governor).path("barred").asText()).isEqualTo("held");
      assertThat(governor.get("/readyz").body().asText())
          .as("an order is nothing amiss")
          .doesNotContain("shop: dial");
      done(governor, SHOP + "/knobs/dial/resume");
      await().atMost(LONG).until(() -> dial().equals("3"));
    }
    assertThat(dial()).as("restored").isEqualTo("1");
  }

  @Test
  void whilePausedPoliciesDecideAndNothingIsSetAndWhatTheyDecideIsKept() throws Exception {
    try (OperatedGovernor governor = start()) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      done(governor, SHOP + "/pause");
      Files.writeString(dial, "1\n");
      await().atMost(LONG).until(() -> governor.get(SHOP).body().at("/paused/barred").asInt() > 0);
      assertThat(dial()).isEqualTo("1");
      assertThat(governor.get(SHOP).body().at("/paused/who").asText()).isEqualTo("ann");
      JsonNode rows = governor.get(SHOP + "/decisions?knob=dial").body();
      JsonNode last = rows.get(rows.size() - 1);
      assertThat(last.path("barred").asText()).isEqualTo("paused");
      assertThat(last.at("/settings/0").asText()).endsWith(": 2");
      assertThat(governor.get(SHOP + "/decisions?after=" + last.path("id").asText() + "&limit=1"))
          .isEqualTo(new Told(200, governor.get(SHOP + "/decisions?knob=none").body()));
      done(governor, SHOP + "/resume");
      await().atMost(LONG).until(() -> dial().equals("3"));
      assertThat(governor.get(SHOP).body().path("paused").isNull()).isTrue();
    }
  }

  @Test
  void ordersOutliveTheGovernor() throws Exception {
    try (OperatedGovernor governor = start()) {
      done(governor, SHOP + "/knobs/dial/hold");
      done(governor, "/api/v1/clusters/seen/promise");
      await().atMost(LONG).until(() -> dial().equals("5"));
    }
    assertThat(dial()).isEqualTo("1");
    try (OperatedGovernor governor = start()) {
      await().atMost(LONG).until(() -> dial().equals("5"));
      JsonNode promise = governor.get("/api/v1/clusters/seen").body().at("/promises/states/0");
      assertThat(promise.path("limit").asInt()).isEqualTo(3);
      assertThat(promise.path("file_limit").asInt()).isEqualTo(2);
      assertThat(promise.at("/changed/who").asText()).isEqualTo("ann");
      assertThat(governor.get("/api/v1/audit").body()).hasSize(2);
      done(governor, SHOP + "/knobs/dial/resume");
      Told back =
          governor.post(
              "/api/v1/clusters/seen/promise",
              body("\"promise\": \"copies\", \"limit\": null", false));
      assertThat(back.body().at("/after/limit").asInt()).isEqualTo(2);
    }
  }

  /** The disk fills between the order and its second line. */
  @Test
  void whatIsInForceThoughTheAuditCannotSaySoIsAnsweredSo() throws Exception {
    try (OperatedGovernor governor = start()) {
      done(governor, SHOP + "/pause");
      Path file;
      try (Stream<Path> all = Files.walk(folder)) {
        file = all.filter(each -> each.endsWith("audit.jsonl")).findFirst().orElseThrow();
      }
      Path aside = folder.resolve("aside.jsonl");
      Runnable full = governor.service().notes().orders().onChange(() -> fill(file, aside));
      Told told = done(governor, SHOP + "/knobs/dial/hold");
      full.run();
      assertThat(told.body().path("recorded").asBoolean(true)).isFalse();
      assertThat(told.body().path("steps").toString()).contains("it is in force", "remedy: ");
      assertThat(knob(governor).at("/held/value").asText()).isEqualTo("5");
      assertThat(governor.post(SHOP + "/resume", body("", false)).status()).isEqualTo(503);
      Files.delete(file);
      Files.move(aside, file);
      assertThat(done(governor, SHOP + "/resume").body().path("recorded").asBoolean()).isTrue();
      assertThat(governor.get("/api/v1/audit").body())
          .extracting(line -> line.path("what").asText() + " " + line.path("outcome").asText())
          .containsExactly("pause done", "hold dial done", "resume done");
    }
  }

  /**
   * The governor that begins later, or reads the file again, takes back what that does not allow.
   */
  @Test
  void ordersThatAChangedFileDoesNotAllowAreTakenBackWithALineOfTheAudit() throws Exception {
    String stricter = FILE.replace("copies: 2", "copies: 4");
    String considered = stricter.replace("control:", "consider:");
    try (OperatedGovernor governor = start()) {
      done(governor, SHOP + "/pause");
      done(governor, SHOP + "/knobs/dial/hold");
      done(governor, "/api/v1/clusters/seen/promise");
    }
    try (OperatedGovernor governor = OperatedGovernor.start(folder, stricter, news::add)) {
      JsonNode copies = governor.get("/api/v1/clusters/seen").body().at("/promises/states/0");
      assertThat(copies.path("limit").asDouble()).isEqualTo(4);
      assertThat(copies.path("changed").isNull()).isTrue();
      assertThat(knob(governor).at("/held/value").asText()).isEqualTo("5");
      Path yaml = Files.writeString(folder.resolve("govern.yaml"), considered);
      governor.service().reload(StudyFile.readService(yaml, List.of(), folder::resolve).clusters());
      assertThat(governor.get("/api/v1/audit").body())
          .extracting(
              line ->
                  line.path("what").asText()
                      + ", "
                      + line.path("reason").asText()
                      + ", "
                      + line.path("outcome").asText())
          .containsSequence(
              "promise copies, the governor: the file was changed, and copies 3 is weaker than"
                  + " the file's 4, done",
              "resume dial, the governor: the file was changed, and the knob dial of shop is not"
                  + " controlled, done");
      assertThat(news)
          .anyMatch(line -> line.contains("what ann ordered of dial is taken back: the knob dial"));
      assertThat(governor.get(SHOP).body().path("paused").isObject()).isTrue();
    }
  }

  private static void fill(Path file, Path aside) {
    try {
      Files.move(file, aside);
      Files.createSymbolicLink(file, Path.of("/dev/full"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsNotLegalIsRefusedWithItsRemedy() throws Exception {
    try (OperatedGovernor governor = start()) {
      refused(governor, 422, SHOP + "/knobs/dial/hold", "\"value\": 10, \"until\": \"2h\"");
      refused(governor, 422, SHOP + "/knobs/dial/hold", "\"value\": \"x\", \"until\": \"2h\"");
      refused(governor, 400, SHOP + "/knobs/dial/hold", "\"value\": [4], \"until\": \"2h\"");
      refused(governor, 400, SHOP + "/knobs/dial/hold", "\"until\": \"2h\"");
      refused(governor, 400, SHOP + "/knobs/dial/hold", "\"value\": 4");
      refused(governor, 400, SHOP + "/knobs/dial/hold", "\"value\": 4, \"until\": \"169h\"");
      refused(governor, 400, SHOP + "/knobs/dial/hold", "\"value\": 4, \"until\": \"soon\"");
      refused(
          governor,
          400,
          SHOP + "/knobs/dial/hold",
          "\"value\": 4, \"until\": \"2020-01-01T00:00:00Z\"");
      refused(
          governor, 400, SHOP + "/knobs/dial/hold", "\"value\": 4, \"until\": \"2h\", \"x\": 1");
      refused(governor, 404, SHOP + "/knobs/gear/hold", "\"value\": 4, \"until\": \"2h\"");
      refused(
          governor,
          404,
          "/api/v1/clusters/seen/knobs/dial/hold",
          "\"value\": 4, \"until\": \"2h\"");
      refused(governor, 404, "/api/v1/clusters/nobody/pause", "");
      refused(governor, 409, SHOP + "/resume", "");
      refused(governor, 409, SHOP + "/knobs/dial/resume", "");
      refused(governor, 409, SHOP + "/plans/dial/undo", "");
      refused(governor, 404, SHOP + "/promise", "\"promise\": \"stale\", \"limit\": 0.1");
      String seen = "/api/v1/clusters/seen/promise";
      refused(governor, 422, seen, "\"promise\": \"copies\", \"limit\": 1");
      refused(governor, 409, seen, "\"promise\": \"copies\", \"limit\": null");
      refused(governor, 400, seen, "\"promise\": \"copies\"");
      for (String body :
          List.of("", "[]", "{", "{\"reason\": 1}", "{\"reason\": \"a\", \"reason\": \"b\"}")) {
        assertThat(governor.post(SHOP + "/pause", body).status()).as(body).isEqualTo(400);
      }
      assertThat(
              governor.post(SHOP + "/pause", "{\"reason\": \"" + "x".repeat(501) + "\"}").status())
          .isEqualTo(400);
      assertThat(governor.get("/api/v1/audit").body()).as("nothing was changed").isEmpty();
      assertThat(governor.get(SHOP).body().path("paused").isNull()).isTrue();
    }
  }

  private static void refused(OperatedGovernor governor, int status, String path, String more) {
    Told told = governor.post(path, body(more, false));
    assertThat(told.status()).as(path + " " + more + ": " + told.body()).isEqualTo(status);
    assertThat(told.body().path("status").asInt()).isEqualTo(status);
    assertThat(told.body().path("problem").asText()).isNotEmpty();
    assertThat(told.body().path("remedy").asText()).isNotEmpty();
  }

  @Test
  void everyRouteThatChangesSomethingRefusesWhoHasNoRight() throws Exception {
    List<String> paths = changing();
    assertThat(paths).containsExactlyInAnyOrderElementsOf(BODIES.keySet());
    try (OperatedGovernor governor = start()) {
      String address = governor.address();
      for (String path : paths) {
        String body = body(BODIES.get(path), false);
        Optional<String> operator = Optional.of(OperatedGovernor.OPERATOR);
        assertThat(
                OperatedGovernor.post(address, path, body, Optional.empty(), more -> {}).status())
            .as("without a token")
            .isEqualTo(401);
        assertThat(
                OperatedGovernor.post(
                        address, path, body, Optional.of(OperatedGovernor.VIEWER), more -> {})
                    .status())
            .as("with a viewer's")
            .isEqualTo(403);
        for (Map.Entry<String, String> header :
            Map.of(
                    "X-Forwarded-For", "10.0.0.7",
                    "Forwarded", "for=10.0.0.7",
                    "Origin", "http://evil.example",
                    "Sec-Fetch-Site", "cross-site")
                .entrySet()) {
          assertThat(
                  OperatedGovernor.post(
                          address,
                          path,
                          body,
                          operator,
                          more -> more.setHeader(header.getKey(), header.getValue()))
                      .status())
              .as(path + " with " + header)
              .isEqualTo(403);
        }
        assertThat(
                OperatedGovernor.post(
                        address,
                        path,
                        body,
                        operator,
                        more -> more.setHeader("Content-Type", "text/plain"))
                    .status())
            .isEqualTo(415);
        assertThat(governor.post(path, "{\"dry_run\": false}").status())
            .as("without a reason: " + path)
            .isEqualTo(400);
        assertThat(governor.get(path).status()).isEqualTo(405);
      }
      JsonNode audit = governor.get("/api/v1/audit").body();
      assertThat(audit).hasSize(6 * paths.size());
      assertThat(audit)
          .allMatch(line -> line.path("outcome").asText().startsWith("refused: "))
          .allMatch(line -> line.path("address").asText().equals("127.0.0.1"));
      assertThat(audit.toString()).doesNotContain(OperatedGovernor.OPERATOR.substring(0, 20));
      assertThat(governor.get(SHOP).body().path("paused").isNull()).isTrue();
      assertThat(knob(governor).path("held").isNull()).isTrue();
      // The governor's own page, as browsers say it.
      Told own =
          OperatedGovernor.post(
              address,
              SHOP + "/pause",
              body("", true),
              Optional.of(OperatedGovernor.OPERATOR),
              more -> more.setHeader("Origin", address).setHeader("Sec-Fetch-Site", "same-origin"));
      assertThat(own.status()).isEqualTo(200);
    }
  }

  @Test
  void withoutATokenFileNothingIsChangedAndItIsSaidHowToMakeOne() throws Exception {
    try (OperatedGovernor governor =
        OperatedGovernor.start(folder, FILE.replace("token-file: tokens\n", ""), news::add)) {
      for (String path : changing()) {
        Told told =
            OperatedGovernor.post(
                governor.address(), path, body(BODIES.get(path), false), Optional.empty(), m -> {});
        assertThat(told.status()).isEqualTo(403);
        assertThat(told.body().path("remedy").asText()).contains("operator NAME TOKEN");
      }
      JsonNode me = governor.get("/api/v1/me").body();
      assertThat(me.path("may_change").asBoolean(true)).isFalse();
      assertThat(me.path("why_not").asText()).contains("operator NAME TOKEN");
    }
  }

  @Test
  void everyAnswerIsAsTheDocumentSays() throws Exception {
    try (OperatedGovernor governor = start()) {
      await().atMost(LONG).until(() -> dial().equals("3"));
      await()
          .atMost(LONG)
          .until(
              () ->
                  governor
                      .get("/api/v1/clusters/seen")
                      .body()
                      .at("/considered/knobs/0/value")
                      .isTextual());
      for (String path : changing()) {
        requireAsDeclared(path, governor.post(path, body(BODIES.get(path), true)));
        requireAsDeclared(path, governor.post(path, body(BODIES.get(path), false)));
        requireAsDeclared(path, governor.post(path, "{}"));
      }
      done(governor, SHOP + "/pause");
      done(governor, SHOP + "/knobs/dial/hold");
      for (String path :
          List.of(
              "/api/v1/clusters",
              "/api/v1/clusters/seen",
              SHOP,
              SHOP + "/decisions",
              "/api/v1/audit",
              "/api/v1/me",
              "/api/v1/openapi.json")) {
        Told told = governor.get(path);
        assertThat(told.status()).isEqualTo(200);
        requireAsDeclared(path, told);
      }
      assertThat(governor.get("/api/v1/openapi.json").body()).isEqualTo(Api.document(false));
    }
  }

  /** Each path of the document is answered, and none with what it does not declare. */
  private static void requireAsDeclared(String path, Told told) {
    ObjectNode document = Api.document(true);
    String template =
        Api.routes().stream()
            .filter(route -> route.names(path).isPresent())
            .map(route -> route.path())
            .findFirst()
            .orElseThrow();
    JsonNode operations = document.path("paths").path(template);
    JsonNode operation = operations.has("get") ? operations.path("get") : operations.path("post");
    JsonNode response = operation.path("responses").path(told.status() == 200 ? "200" : "default");
    JsonNode schema = response.at("/content/application~1json/schema");
    assertThat(schema.isObject()).as(path).isTrue();
    ObjectNode root = document.deepCopy();
    root.setAll((ObjectNode) schema.deepCopy());
    assertThat(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(root.toString(), InputFormat.JSON)
                .validate(told.body().toString(), InputFormat.JSON))
        .as(path + ": " + told.body())
        .isEmpty();
  }

  @Test
  void aGovernorWhoseFolderIsAnothersHasNoAuditRatherThanAnEmptyOne() throws Exception {
    Path kept = Files.createDirectories(folder.resolve("decisions-the governor"));
    FolderLock other = FolderLock.tryLock(kept).orElseThrow();
    try (other;
        OperatedGovernor governor = start()) {
      Told told = governor.get("/api/v1/audit");
      assertThat(told.status()).isEqualTo(404);
      assertThat(told.body().asText()).contains("takes no orders, and keeps no audit");
    }
  }

  @Test
  void everyRouteOfTheDocumentIsAnswered() throws Exception {
    try (OperatedGovernor governor = start()) {
      Api.routes()
          .forEach(
              route -> {
                String path = route.path().replace("{cluster}", "shop").replace("{knob}", "dial");
                if (!path.endsWith("/events") && route.method().equals("GET")) {
                  HttpRequest request =
                      OperatedGovernor.request(
                              governor.address(), path, Optional.of(OperatedGovernor.VIEWER))
                          .build();
                  HttpResponse<String> answer = OperatedGovernor.send(request);
                  assertThat(answer.statusCode()).as(path).isIn(200, 503);
                  assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                      .startsWith(route.answer().type());
                }
              });
    }
  }
}
