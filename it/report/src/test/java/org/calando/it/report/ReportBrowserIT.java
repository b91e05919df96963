package org.calando.it.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.awaitility.Awaitility;
import org.calando.knob.buffer.BufferSample;
import org.calando.knob.level.AdaptiveSample;
import org.calando.report.Csv;
import org.calando.report.SampleFiles;
import org.calando.report.SampleStudy;
import org.calando.report.browser.Browser;
import org.calando.report.browser.BrowserPage;
import org.calando.report.page.ReportWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** The page in a real browser: in both themes, on a desk, a phone and paper, and by keyboard. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReportBrowserIT {
  private static final int PHONE = 360;
  private static final int DESK = 1280;
  private static final String OPEN_ALL =
      "document.querySelectorAll('section.folded button.fold').forEach(b => b.click())";

  @TempDir static Path folder;

  /** Pages that were only looked at so far; to draw one takes seconds. */
  private static final Map<String, BrowserPage> UNTOUCHED = new HashMap<>();

  private static Browser browser;
  private static Path thesis;
  private static Path demo;
  private static Path adaptive;
  private static Path buffers;

  @BeforeAll
  static void start() {
    SampleStudy study = SampleStudy.thesis(3);
    SampleStudy.fail(study.rows().get(4), "node n2 died: <exit 137>");
    study.write(folder.resolve("thesis"));
    thesis = ReportWriter.write(folder.resolve("thesis"), SampleFiles.claims());
    SampleStudy twice = SampleStudy.demo(2);
    // Repeats so far apart that their interval goes on below 0.
    twice.rows().get(0).put("throughput_ops_s", "50");
    demo = ReportWriter.write(twice.write(folder.resolve("demo")));
    AdaptiveSample sample = AdaptiveSample.of(2, List.of("800/s", "20"));
    adaptive = ReportWriter.write(sample.write(folder.resolve("adaptive")));
    BufferSample writes = BufferSample.of(2);
    buffers = ReportWriter.write(writes.write(folder.resolve("buffers")), writes.claims());
    browser = Browser.start();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  /** First, so that others have its pages. */
  @Order(1)
  @ParameterizedTest
  @CsvSource({"1280,light", "1280,dark", "360,light", "360,dark"})
  void everyChartIsDrawnAndNothingIsAskedOfANetwork(int width, String scheme) {
    for (Path report : List.of(thesis, demo, adaptive, buffers)) {
      BrowserPage page = untouched(report, width, scheme);
      JsonNode empty =
          page.evaluate(
              "[...document.querySelectorAll('.chart')].filter(box => { const r ="
                  + " box.getBoundingClientRect(); const drawn = box.querySelectorAll('svg path,"
                  + " svg text').length; return drawn < 5 || r.width < 200 || r.height < 60;"
                  + " }).map(box => box.id)");
      assertThat(empty).isEmpty();
      assertThat(page.evaluate("document.querySelectorAll('.chart').length").asInt())
          .isGreaterThan(5);
      assertClean(page);
    }
  }

  @ParameterizedTest
  @CsvSource({"360,light", "360,dark", "1280,light"})
  void pageDoesNotScrollSidewaysEvenWithEverythingOpen(int width, String scheme) {
    for (Path report : List.of(thesis, adaptive, buffers)) {
      assertDoesNotScrollSideways(report, width, scheme);
    }
  }

  private static void assertDoesNotScrollSideways(Path report, int width, String scheme) {
    BrowserPage page = open(report, width, scheme);
    assertThat(page.evaluate("document.documentElement.scrollWidth").asInt()).isEqualTo(width);
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
    JsonNode wide =
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
                + " done([...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll')"
                + " && !e.closest('pre, svg') && !e.matches('.skip') &&"
                + " e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + ' ' +"
                + " e.className)))))");
    assertThat(wide).isEmpty();
    assertThat(page.evaluate("document.documentElement.scrollWidth").asInt()).isEqualTo(width);
    assertClean(page);
  }

  @Order(2)
  @Test
  void darkThemeIsDarkAndItsTextIsReadable() {
    for (String scheme : List.of("light", "dark")) {
      BrowserPage page = untouched(thesis, DESK, scheme);
      JsonNode contrasts = page.evaluate(CONTRASTS);
      assertThat(contrasts).hasSizeGreaterThan(4);
      for (JsonNode contrast : contrasts) {
        // WCAG 2.2, success criterion 1.4.3
        assertThat(contrast.path(1).asDouble()).as(contrast.toString()).isGreaterThan(4.5);
      }
    }
  }

  @Order(2)
  @Test
  void everyLinkOfTheContentsLeadsToASectionWithAHeading() {
    BrowserPage page = untouched(thesis, DESK, "light");
    JsonNode links =
        page.evaluate(
            "[...document.querySelectorAll('nav.contents a')].map(a =>"
                + " !!document.querySelector(a.getAttribute('href') + ' > h2'))");
    assertThat(links).hasSizeGreaterThan(9).allMatch(JsonNode::asBoolean);
    JsonNode ids =
        page.evaluate(
            "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) =>"
                + " all.indexOf(id) !== i)");
    assertThat(ids).isEmpty();
    assertThat(page.evaluate("document.querySelectorAll('main, header.top, footer').length"))
        .hasToString("3");
    assertThat(
            page.evaluate(
                "document.querySelectorAll('[role=img]:not([aria-label]), table:not(:has(caption)),"
                    + " th:not([scope]), button:not([aria-label])').length"))
        .hasToString("0");
  }

  @Test
  void keyboardReachesDetailsPickersAndDownloads() {
    BrowserPage page = open(demo, DESK, "light");
    page.press("Tab");
    assertThat(page.evaluate("document.activeElement.className").asText()).isEqualTo("skip");
    boolean details = false;
    boolean picker = false;
    boolean download = false;
    boolean table = false;
    for (int i = 0; i < 200 && !(details && picker && download && table); i++) {
      page.press("Tab");
      String at =
          page.evaluate(
                  "document.activeElement.tagName + '.'" + " + document.activeElement.className")
              .asText();
      table |= at.startsWith("DIV.scroll");
      picker |= at.startsWith("SELECT");
      download |= at.equals("BUTTON.download");
      if (at.startsWith("SUMMARY") && !details) {
        assertThat(page.evaluate("getComputedStyle(document.activeElement).outlineStyle").asText())
            .isNotEqualTo("none");
        page.press("Enter");
        details = page.evaluate("document.activeElement.parentElement.open").asBoolean();
      }
    }
    assertThat(List.of(details, picker, download, table)).doesNotContain(false);
    assertClean(page);
  }

  @Test
  void downloadHoldsTheTablesFigures() throws IOException {
    BrowserPage page = open(thesis, DESK, "light");
    Path saved = Files.createDirectories(folder.resolve("saved"));
    page.downloadsTo(saved);
    page.evaluate(
        "(() => { const d = document.querySelector('#chart-thesis-10').parentElement"
            + ".querySelector('details'); d.open = true; d.querySelector('button').focus(); })()");
    page.press("Enter");
    Path file = saved.resolve("data-thesis-10.csv");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.isRegularFile(file));
    List<Map<String, String>> rows = Csv.parse(text(file), file.toString());
    assertThat(rows).hasSize(27);
    assertThat(rows.get(0)).containsKeys("panel", "load", "level", "mean", "low", "high");
    double mean =
        page.evaluate(
                "JSON.parse(document.getElementById('charts-data').textContent).find(c => c.id ==="
                    + " 'chart-thesis-10').panels[0].groups[0].bars[0].mean")
            .asDouble();
    // A download has nine digits.
    assertThat(Double.parseDouble(rows.get(0).getOrDefault("mean", "")))
        .isCloseTo(mean, withinPercentage(1e-6));
    assertClean(page);
  }

  @Test
  void pickedRunIsDrawnAndItsSecondsCanBeSaved() throws IOException {
    BrowserPage page = open(thesis, DESK, "light");
    Path saved = Files.createDirectories(folder.resolve("seconds"));
    page.downloadsTo(saved);
    String before =
        page.evaluate("document.querySelector('#chart-timelines svg').outerHTML").asText();
    page.evaluate(
        "(() => { const s = document.querySelector('#timelines select'); s.value = '3';"
            + " s.dispatchEvent(new Event('change')); })()");
    assertThat(page.evaluate("document.querySelector('#chart-timelines svg').outerHTML").asText())
        .isNotEqualTo(before);
    assertThat(page.evaluate("document.querySelector('#chart-timelines').ariaLabel").asText())
        .contains("Shown: heavy-update, 20 threads, ONE, repeat 1");
    page.evaluate("document.querySelector('#timelines button.download').click()");
    Path file = saved.resolve("data-timelines.csv");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.isRegularFile(file));
    List<Map<String, String>> rows = Csv.parse(text(file), file.toString());
    assertThat(rows).hasSize(SampleFiles.BASELINE + SampleFiles.WARM_UP + SampleFiles.MEASURED);
    int gap = SampleFiles.BASELINE + SampleFiles.WARM_UP + SampleFiles.GAPS.get(0);
    assertThat(rows.get(gap)).containsEntry("power_n2", "gap");
    assertThat(rows.get(gap - 1).getOrDefault("power_n2", "")).matches("\\d+(\\.\\d+)?");
    assertClean(page);
  }

  @Test
  void pickedRunsDecisionsAreDrawnWithTheirEventsAndCanBeSaved() throws IOException {
    BrowserPage page = open(adaptive, DESK, "light");
    Path saved = Files.createDirectories(folder.resolve("decisions"));
    page.downloadsTo(saved);
    page.evaluate(
        "(() => { const s = document.querySelector('#adaptive select'); s.value ="
            + " [...s.options].find(o => o.text.includes('800/s, pbs')).value;"
            + " s.dispatchEvent(new Event('change')); })()");
    assertThat(page.evaluate("document.querySelector('#chart-decisions').ariaLabel").asText())
        .contains("Shown: heavy-update, 800/s, pbs(5%)/ONE, repeat 1");
    assertThat(page.evaluate("document.querySelector('#chart-decisions svg').textContent").asText())
        .contains("20 s: link delay 5ms -> 50ms", "Replicas that a read asks");
    page.evaluate(
        "document.querySelector('#data-decisions').closest('details')"
            + ".querySelector('button.download').click()");
    Path file = saved.resolve("data-decisions.csv");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.isRegularFile(file));
    List<Map<String, String>> rows = Csv.parse(text(file), file.toString());
    assertThat(rows).hasSize(AdaptiveSample.WARM_UP + AdaptiveSample.MEASURED);
    assertThat(rows.get(10)).containsKeys("load_reads", "stale_reads_measured", "stale_reads_pbs");
    assertClean(page);
  }

  @Test
  void aLongReportFoldsItsSectionsAndALinkOpensTheOneItLeadsTo() {
    BrowserPage page = folded(thesis, DESK, "light");
    String folded = "[...document.querySelectorAll('section.folded')].map(s => s.id)";
    assertThat(page.evaluate(folded)).isNotEmpty();
    assertThat(page.evaluate(folded).toString())
        .contains("\"timelines\"", "\"provenance\"")
        .doesNotContain("\"results\"", "\"charts\"");
    page.evaluate(
        "new Promise(done => { document.querySelector('.contents a[href=\"#timelines\"]').click();"
            + " setTimeout(done, 100); })");
    assertThat(page.evaluate(folded).toString()).doesNotContain("\"timelines\"");
    assertThat(page.evaluate("document.querySelector('#chart-timelines svg').clientWidth").asInt())
        .isGreaterThan(600);
    page.evaluate("document.querySelector('nav.contents button.all').click()");
    assertThat(page.evaluate(folded)).isEmpty();
    page.evaluate("document.querySelector('nav.contents button.all').click()");
    assertThat(page.evaluate(folded).size())
        .isEqualTo(page.evaluate("document.querySelectorAll('main > section[id]').length").asInt());
    assertThat(page.evaluate("document.querySelector('#b-results').offsetHeight").asInt()).isZero();
    assertClean(page);
  }

  @Test
  void aChartIsSavedWithItsTitleCaptionAndOrigin() throws Exception {
    BrowserPage page = open(thesis, DESK, "light");
    Path saved = Files.createDirectories(folder.resolve("pictures"));
    page.downloadsTo(saved);
    assertThat(page.evaluate("document.querySelectorAll('figure button.save').length"))
        .isEqualTo(page.evaluate("document.querySelectorAll('.chart').length"));
    page.evaluate(
        "document.querySelector('#chart-thesis-10').parentElement.querySelector('button.save').click()");
    Path file = saved.resolve("thesis-chart-thesis-10.svg");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.isRegularFile(file));
    Document svg =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg.getElementsByTagName("path").getLength()).isGreaterThan(20);
    String words = svg.getDocumentElement().getTextContent().replaceAll("\\s+", " ");
    assertThat(words)
        .contains("Energy", "As Figure 10", "QUORUM", "meter model")
        .contains("joule and watt here is");
    assertClean(page);
  }

  @Test
  void aMeansNumberStandsAtItsTickAndAnIntervalBelowZeroEndsInAnArrow() {
    BrowserPage page = open(demo, DESK, "light");
    JsonNode labels =
        page.evaluate(
            """
            (() => {
              const chart = JSON.parse(document.getElementById('charts-data').textContent)
                .find(c => c.id === 'chart-energy');
              const drawn = window.calandoCharts.drawn('chart-energy');
              const left = document.getElementById('chart-energy').getBoundingClientRect().left;
              const texts = [...document.querySelectorAll('#chart-energy svg text')];
              return chart.groups.flatMap(g => g.rows).map(p => {
                const words = window.calandoChartKit.number(p.mean);
                const at = drawn.convertToPixel({xAxisIndex: 0}, p.mean) + left;
                return [p.high > p.mean, Math.min(...texts.filter(t => t.textContent === words)
                  .map(t => Math.abs(t.getBoundingClientRect().left - at)))];
              });
            })()
            """);
    assertThat(labels).hasSize(6);
    for (JsonNode label : labels) {
      assertThat(label.path(0).asBoolean()).isTrue();
      assertThat(label.path(1).asDouble()).isLessThan(9);
    }
    JsonNode arrows =
        page.evaluate(
            """
            JSON.parse(document.getElementById('charts-data').textContent)
              .filter(c => c.kind === 'bars')
              .map(c => [c.groups.flatMap(g => g.rows).filter(p => p.low < 0).length,
                window.calandoCharts.drawn(c.id).getZr().storage.getDisplayList()
                  .filter(e => e.type === 'polygon').length])
            """);
    assertThat(arrows).anyMatch(pair -> pair.path(0).asInt() > 0);
    assertThat(arrows).allMatch(pair -> pair.path(0).equals(pair.path(1)));
    assertClean(page);
  }

  @Test
  void aTableThatIsWiderThanThePhoneSaysSo() {
    String hint =
        "(() => { const box = document.querySelector('#summary').parentElement; return"
            + " [!box.previousElementSibling.hidden, box.classList.contains('more-right')]; })()";
    assertThat(open(demo, PHONE, "light").evaluate(hint).toString()).isEqualTo("[true,true]");
    BrowserPage desk = open(demo, 2000, "light");
    assertThat(
            desk.evaluate(
                    "[...document.querySelectorAll('.scroll')].every(box =>"
                        + " box.previousElementSibling.hidden === (box.scrollWidth -"
                        + " box.clientWidth < 2))")
                .asBoolean())
        .isTrue();
  }

  @Test
  void paperHasEveryChartInLightColoursAndEveryTableOpen() {
    BrowserPage page = open(thesis, DESK, "dark");
    page.media("print", "light");
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    assertThat(
            page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')")
                .asText()
                .strip())
        .isEqualTo("#fff");
    assertThat(
            page.evaluate("document.querySelectorAll('main details:not([open])').length").asInt())
        .isEqualTo(1);
    assertThat(page.evaluate("document.querySelectorAll('.chart svg').length"))
        .isEqualTo(page.evaluate("document.querySelectorAll('.chart').length"));
    page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    assertThat(page.evaluate("document.querySelectorAll('main details[open]').length").asInt())
        .isZero();
    assertThat(new String(page.pdf(), 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
    assertClean(page);
  }

  private static BrowserPage untouched(Path report, int width, String scheme) {
    return UNTOUCHED.computeIfAbsent(
        key(report, width, scheme), key -> drawn(report, width, scheme));
  }

  /** A page of the caller's own, to do with as it likes. */
  private static BrowserPage open(Path report, int width, String scheme) {
    BrowserPage looked = UNTOUCHED.remove(key(report, width, scheme));
    if (looked == null) {
      return drawn(report, width, scheme);
    }
    looked.toFront();
    return looked;
  }

  private static String key(Path report, int width, String scheme) {
    return report + " " + width + " " + scheme;
  }

  /** With all sections open. */
  private static BrowserPage drawn(Path report, int width, String scheme) {
    BrowserPage page = folded(report, width, scheme);
    page.evaluate(OPEN_ALL);
    return page;
  }

  private static BrowserPage folded(Path report, int width, String scheme) {
    BrowserPage page = browser.newPage();
    page.emulate(width, width == PHONE ? 740 : 900, scheme);
    page.go(report.toUri());
    return page;
  }

  private static void assertClean(BrowserPage page) {
    assertThat(page.problems()).isEmpty();
    assertThat(page.requests())
        .isNotEmpty()
        .allSatisfy(address -> assertThat(address).matches("(file|data|blob|about):.*"));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Contrast of the page's kinds of text with what is behind them. */
  private static final String CONTRASTS =
      """
      (() => {
        const light = c => {
          const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => {
            x /= 255;
            return x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
          });
          return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
        };
        const paper = light(getComputedStyle(document.body).backgroundColor);
        return ['body', '.note', '.lead', 'summary', 'button', '.contents a', 'th small', '.bad']
          .filter(s => document.querySelector(s))
          .map(s => {
            const ink = light(getComputedStyle(document.querySelector(s)).color);
            return [s, (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)];
          });
      })()
      """;
}
