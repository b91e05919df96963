package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.calando.report.browser.Browser;
import org.calando.report.browser.BrowserPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests of the governor's page in a real browser, over documents that were recorded. */
abstract class GovernorPageCase {
  static final Duration LONG = Duration.ofMinutes(1);
  static final int DESK = 1400;
  static final int PHONE = 390;
  static final String TOKEN = "an-operators-token-of-a-test";

  private static Browser browser;
  PageFixture governor;
  BrowserPage page;

  @BeforeAll
  static void open() {
    browser = Browser.start();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void begin() throws IOException {
    governor = new PageFixture();
    page = browser.newPage();
  }

  @AfterEach
  void end() {
    governor.close();
  }

  final void show(int width, String scheme, String hash) {
    page.toFront();
    page.emulate(width, 900, scheme);
    page.go(governor.address().resolve(hash));
    awaitTrue("document.querySelectorAll('#promise-list .card').length === 4");
    awaitTrue("document.querySelectorAll('#decision-list li.decision').length > 10");
    awaitTrue("document.querySelectorAll('#power-chart svg path').length > 3");
  }

  final void awaitTrue(String expression) {
    await().atMost(LONG).until(() -> page.evaluate(expression).asBoolean());
  }

  final String text(String selector) {
    return page.evaluate("document.querySelector('" + selector + "').textContent").asText();
  }

  final void picture(String name) throws IOException {
    String folder = System.getProperty("calando.pictures", "");
    if (!folder.isEmpty()) {
      page.evaluate("document.querySelectorAll('dialog[open]').forEach(each => each.close())");
      int width = page.evaluate("innerWidth").asInt();
      Path file = Files.createDirectories(Path.of(folder)).resolve(name + ".png");
      page.screenshot(file, 0, 0, width, 2400);
    }
  }

  final String focusedId() {
    return page.evaluate("document.activeElement.id").asText();
  }

  final void tabTo(String id) {
    for (int i = 0; i < 100 && !focusedId().equals(id); i++) {
      page.press("Tab");
    }
    assertThat(focusedId()).isEqualTo(id);
  }
}
