package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.calando.clock.LeaseFolders;
import org.calando.governor.DecisionFolders;
import org.calando.governor.GovernorService;
import org.calando.governor.http.GovernorHttp;
import org.calando.http.server.HttpService;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.report.browser.Browser;
import org.calando.report.browser.BrowserPage;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a governor that runs, of a real Redis whose toy knob is controlled. */
class GovernorPageLiveIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String TOKEN = "an-operators-token-of-a-test";

  @TempDir Path folder;
  private final Queue<String> news = new ConcurrentLinkedQueue<>();
  private LocalRedis redis;
  private Browser browser;
  private BrowserPage page;
  private String nodes = "";

  @BeforeEach
  void begin() throws IOException {
    System.setProperty(ToyDial.FILE, Files.writeString(folder.resolve("dial"), "1\n").toString());
    redis = LocalRedis.start(LocalRedisConfig.builder().nodes(3).build());
    nodes =
        redis.nodes().stream()
            .map(
                node ->
                    "{name: %s, address: 127.0.0.1, port: %d, rack: r1, pid: %d}"
                        .formatted(node.name(), node.port(), node.pid()))
            .collect(Collectors.joining(", "));
    Files.writeString(folder.resolve("tokens"), "operator ann " + TOKEN + "\n");
    Files.setPosixFilePermissions(
        folder.resolve("tokens"), PosixFilePermissions.fromString("rw-------"));
    browser = Browser.start();
    page = browser.newPage();
    page.emulate(1400, 900, "light");
  }

  @AfterEach
  void end() {
    System.clearProperty(ToyDial.FILE);
    if (browser != null) {
      browser.close();
    }
    redis.close();
  }

  private ServiceSpec file(int port, int most) throws IOException {
    return StudyFile.readService(
        Files.writeString(
            folder.resolve("govern.yaml"),
            """
            clusters:
              - name: shop
                engine: redis
                inventory: {nodes: [%s]}
                period: 1s
                promise: {copies: 2}
                control: [{climb: {most: %d}}]
            listen: 127.0.0.1:%d
            token-file: tokens
            """
                .formatted(nodes, most, port)),
        List.of(),
        folder::resolve);
  }

  /** A governor and where it listens. */
  private final class Governor implements AutoCloseable {
    private final GovernorService service;
    private final HttpService http;

    Governor(ServiceSpec spec) throws InterruptedException {
      service =
          GovernorService.of(
              spec,
              folder,
              LeaseFolders.in(folder.resolve("state")),
              "test",
              new DecisionFolders(
                  name -> folder.resolve("decisions-" + name.replace(' ', '-')),
                  target -> folder.resolve("gear-decisions")),
              news::add);
      http = GovernorHttp.listen(spec.listen().orElseThrow(), service);
      service.begin();
    }

    URI address() {
      return URI.create(http.address() + "/");
    }

    @Override
    public void close() {
      http.close();
      service.close();
    }
  }

  private void awaitTrue(String expression) {
    await().atMost(LONG).until(() -> page.evaluate(expression).asBoolean());
  }

  private void awaitText(String id, String words) {
    awaitTrue("document.getElementById('" + id + "').textContent.includes('" + words + "')");
  }

  private void click(String id) {
    awaitTrue("document.getElementById('" + id + "') !== null");
    page.evaluate("document.getElementById('" + id + "').click()");
  }

  private void type(String id, String text) {
    page.evaluate("document.getElementById('" + id + "').focus()");
    page.type(text);
  }

  private void showToken() {
    awaitText("link", "asks for a token");
    awaitText("token-state", "Looking needs a token here.");
    click("token");
    type("token-text", TOKEN);
    page.press("Enter");
    awaitText("link", "Live since");
  }

  private void order(String button, String reason) {
    click(button);
    type("act-reason", reason);
    page.press("Enter");
    awaitTrue("!document.getElementById('act-apply').disabled");
    click("act-apply");
    awaitText("act-answer", "This is ordered");
    click("act-cancel");
  }

  @Test
  void anOperatorSeesPausesAndResumesAndAClusterThatDiesIsSaid() throws Exception {
    try (Governor governor = new Governor(file(0, 9))) {
      page.go(governor.address());
      showToken();
      awaitText("token-state", "You are ann, operator");
      awaitText("promise-list", "copies");
      awaitText("lead", "The promise is kept");
      awaitTrue("document.querySelectorAll('#node-map .node.on').length === 3");
      awaitText("decision-list", "dial of");
      order("cluster-act", "a test looks");
      awaitText("cluster-actions", "by ann: a test looks");
      assertThat(governor.service.states().get(0).name()).isEqualTo("shop");
      order("cluster-act", "it has looked");
      awaitTrue("!document.getElementById('cluster-actions').textContent.includes('paused')");
      assertThat(page.barriers()).isEmpty();

      redis.close();
      awaitTrue("document.querySelectorAll('#node-map .node.silent').length === 3");
      awaitTrue("document.getElementById('lead').textContent.includes('1 unknown of 1 promise')");
      awaitTrue("document.getElementById('problems').textContent.length > 20");
      // What the token was asked for with is no defect of the page.
      assertThat(page.problems()).allMatch(each -> each.contains("401"));
    }
    assertThat(page.requests()).noneMatch(each -> each.contains(TOKEN));
  }

  @Test
  void aRestartedGovernorIsFoundAndItsDecisionsMeanwhileFollow() throws Exception {
    int port;
    try (Governor governor = new Governor(file(0, 3))) {
      port = governor.address().getPort();
      page.go(governor.address());
      showToken();
      awaitText("knob-list", "climb to 3");
      awaitText("decision-list", ": 3");
    }
    awaitText("link", "Without news since");
    String before = page.evaluate("window.calandoModel.last()").asText();
    try (Governor governor = new Governor(file(port, 6))) {
      awaitText("link", "Live since");
      awaitText("knob-list", "climb to 6");
      awaitText("decision-list", ": 6");
      awaitTrue(
          "(() => { const ids = window.calandoModel.of('shop').map(row => row.id); return"
              + " Math.max(...ids) - Math.min(...ids) === ids.length - 1; })()");
      assertThat(Long.parseLong(page.evaluate("window.calandoModel.last()").asText()))
          .isGreaterThan(Long.parseLong(before));
      assertThat(page.evaluate("window.calandoModel.gaps().length").asInt()).isZero();
      assertThat(governor.address().getPort()).isEqualTo(port);
    }
  }
}
