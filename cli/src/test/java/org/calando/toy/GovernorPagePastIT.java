package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.calando.core.energy.EnergyPricing;
import org.calando.governor.history.PeriodReport;
import org.calando.governor.history.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the governor's page tells of its past, in a real browser: gaps, orders, calls, reports. */
class GovernorPagePastIT extends GovernorPageCase {
  private int restart() {
    show(DESK, "light", "");
    awaitTrue("document.getElementById('link').textContent.startsWith('Live since')");
    int port = governor.address().getPort();
    governor.end();
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    return port;
  }

  /** The new governor has given out fewer ids than the page has seen, or more. */
  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void idsThatBeginAnewAreNoGap(int decisions) {
    governor.beginAnew(restart(), decisions);
    awaitTrue(
        "document.getElementById('decision-count').textContent.startsWith('"
            + "%1$d of %1$d')".formatted(decisions));
    assertThat(text("#decision-list"))
        .contains("begun to count its decisions anew")
        .doesNotContainPattern("Decisions \\d+ to");
    assertThat(
            page.evaluate(
                    "window.calandoModel.of('shop').every(row => row.at.startsWith('2026-11-28'))")
                .asBoolean())
        .isTrue();
    assertThat(page.evaluate("window.calandoModel.last()").asText())
        .isEqualTo(Integer.toString(decisions));
  }

  /** As many decisions, with the same ids: the page is drawn again all the same. */
  @Test
  void aSecondGovernorWhoseIdsBeginAnewIsShownInPlaceOfTheFirst() {
    int port = restart();
    governor.beginAnew(port, 3);
    awaitTrue("document.getElementById('decision-count').textContent.startsWith('3 of 3')");
    governor.end();
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    governor.beginAnew(port, 3);
    awaitTrue(
        "(all => all.length === 3 && all.every(each => each.dateTime.startsWith('2026-11-29')))"
            + "([...document.querySelectorAll('#decision-list time')])");
    assertThat(
            page.evaluate(
                    "(() => { const m = window.calandoModel; const row = {id: 2, cluster: 'shop',"
                        + " at: '2026-11-30T10:00:02Z', policy: '', settings: [], reasons: []};"
                        + " return m.isAnew([row]) && m.decision(row) && !m.decision(row)"
                        + " && m.of('shop').length === 1 && m.last() === '2'; })()")
                .asBoolean())
        .as("one that is heard live is not dropped")
        .isTrue();
  }

  /** Else what the governor kept would stand in the future of what the page has heard. */
  @Test
  void timeLinesAreOfTheGovernorsTimeWhateverTheClockHere() {
    show(DESK, "light", "");
    String near = "Math.abs(window.calandoModel.now() - Date.now()) < 5000";
    awaitTrue(near);
    // Again where an answer that was under way still has told the time.
    await()
        .atMost(LONG)
        .until(
            () -> {
              page.evaluate(
                  "window.calandoModel.heard(new Date(Date.now() + 600000).toUTCString())");
              governor.keeps("stale", false);
              return page.evaluate(
                      "window.calandoModel.samples('shop').some(each => each.kept.stale === false"
                          + " && each.at > Date.now() + 500000)")
                  .asBoolean();
            });
    int port = governor.address().getPort();
    governor.end();
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    governor.beginAgain(port, 1);
    awaitTrue(near);
    await()
        .atMost(LONG)
        .until(
            () -> {
              governor.keeps("stale", true);
              return text("#news").contains("promise stale is kept");
            });
    assertThat(
            page.evaluate(
                    "window.calandoModel.samples('shop').every((each, i, all) => i === 0"
                        + " || all[i - 1].at < each.at)")
                .asBoolean())
        .as("lines go forwards only")
        .isTrue();
  }

  @Test
  void decisionsThatAreNotKeptAnyMoreAreAGap() {
    int port = restart();
    governor.forget(29);
    governor.beginAgain(port, 9);
    awaitTrue("document.getElementById('decision-count').textContent.startsWith('39 of 39')");
    assertThat(text("#decision-list")).doesNotContain("not kept any more");
    governor.end();
    governor.forget(7);
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    governor.decide(4);
    governor.forget(4);
    governor.beginAgain(port, 3);
    awaitTrue("document.querySelector('#decision-list .bad') !== null");
    assertThat(text("#decision-list")).doesNotContain("anew").contains("#46");
  }

  @Test
  void whatTheGovernorKeptOfATimeWithoutNewsIsInTheTimeLines() {
    show(DESK, "light", "");
    String fill =
        "(() => { const m = window.calandoModel; const before = m.samples('shop').length;"
            + " const at = new Date(m.samples('shop')[before - 1].at + 90000).toISOString();"
            + " m.history('shop', [{at: at, power_w: 1}]); m.history('shop', [{at: at, power_w:"
            + " 1}]); return m.samples('shop').length - before; })()";
    assertThat(page.evaluate(fill).asInt()).isOne();
  }

  @Test
  void aKnobThatIsHeldWithoutAValueStaysAsItIs() {
    ((ObjectNode) governor.knob("compaction-throughput").path("held")).putNull("value");
    show(DESK, "light", "");
    assertThat(text("#knob-list")).contains("held as it is until").doesNotContain("null");
  }

  @Test
  void onlyWhatTheGovernorTakesIsOffered() {
    governor.knob("gear").put("can_hold", false);
    governor.promise("copies").put("can_change", false);
    show(DESK, "light", "");
    assertThat(page.evaluate("document.querySelectorAll('[id^=hold-gear]').length").asInt())
        .isZero();
    assertThat(page.evaluate("document.querySelectorAll('[id^=hold-compaction]').length").asInt())
        .isOne();
    assertThat(page.evaluate("document.getElementById('promise-copies') === null").asBoolean())
        .isTrue();
    assertThat(page.evaluate("document.getElementById('promise-stale') !== null").asBoolean())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {DESK, PHONE})
  void whoDidWhatIsShownAndReachedByKeyboard(int width) {
    governor.calls(12);
    show(width, "light", "");
    awaitTrue("document.querySelectorAll('#audit-list .decision').length === 10");
    assertThat(text("#audit-18"))
        .contains("ann (operator): hold compaction-throughput")
        .contains("value: 32 \u2192 16")
        .contains("held: none \u2192 at 16 until ")
        .contains("Reason: night backup")
        .contains("done")
        .doesNotContain("T09:56");
    page.evaluate("document.getElementById('filter-text').focus()");
    tabTo("audit-more");
    page.press("Enter");
    awaitTrue("document.querySelectorAll('#audit-list .decision').length === 16");
    assertThat(text("#audit-5")).contains("eve (viewer): pause").contains("refused");
    assertThat(text("#audit-4"))
        .contains("the governor: promise stale", "Reason: the governor: the file was changed")
        .doesNotContain("somebody", "from ,", "null");
    assertThat(text("#audit-3")).contains("limit: 0.05 \u2192 0.04").doesNotContain("promise:");
    assertThat(page.evaluate("document.getElementById('audit-1') === null").asBoolean())
        .as("calls on another cluster")
        .isTrue();
    assertThat(page.barriers()).isEmpty();
  }

  @Test
  void thatNobodyHasCalledIsSaidOnlyWhereItIsKnown() {
    governor.onlyCallsOf("cart");
    governor.audit(404);
    show(DESK, "light", "");
    awaitTrue("document.getElementById('audit-list').textContent.includes('keeps no audit')");
    assertThat(text("#audit-list")).doesNotContain("Nobody");
    governor.audit(500);
    page.evaluate("document.dispatchEvent(new Event('calando-ordered'))");
    awaitTrue("document.getElementById('audit-list').textContent.startsWith('Not known yet: ')");
    governor.audit(200);
    page.evaluate("document.dispatchEvent(new Event('calando-ordered'))");
    awaitTrue("document.getElementById('audit-list').textContent.startsWith('No call on this')");
    governor.onlyCallsOf("none");
    page.evaluate("document.dispatchEvent(new Event('calando-ordered'))");
    awaitTrue("document.getElementById('audit-list').textContent.startsWith('Nobody has')");
    governor.audit(500);
    page.evaluate("document.dispatchEvent(new Event('calando-ordered'))");
    awaitTrue("document.getElementById('audit-list').textContent.startsWith('Not known since ')");
    assertThat(text("#audit-list")).contains("answers 500").doesNotContain("Nobody");
  }

  @Test
  void reportsAreLinkedAndSavedByThePageWhereItHasAToken() {
    show(DESK, "light", "");
    assertThat(page.evaluate("document.getElementById('report-week').href").asText())
        .endsWith("/api/v1/clusters/shop/report?days=7");
    page.evaluate("document.getElementById('token').click()");
    page.evaluate("document.getElementById('token-text').focus()");
    page.type(TOKEN);
    page.press("Enter");
    page.evaluate("document.getElementById('report-day').click()");
    awaitTrue("document.getElementById('news').textContent.includes('saved as shop-day.html')");
    assertThat(governor.reported()).containsExactly("/api/v1/clusters/shop/report{days=1}");
    assertThat(page.requests()).noneMatch(each -> each.contains(TOKEN));
  }

  @ParameterizedTest
  @CsvSource({"1400,light", "390,dark"})
  void theHoursOfAReportDoNotOverlap(int width, String scheme, @TempDir Path folder)
      throws IOException {
    Instant day = Instant.parse("2026-11-27T00:00:00Z");
    List<Sample> samples =
        IntStream.range(0, 24 * 60)
            .mapToObj(
                minute ->
                    new Sample(
                        day.plusSeconds(60L * minute),
                        OptionalDouble.of(200 + minute % 50),
                        OptionalDouble.of(12000.0 * minute),
                        0,
                        OptionalLong.of(100L * minute),
                        60.0 * minute,
                        OptionalDouble.of(50),
                        OptionalDouble.of(60),
                        Map.of("stale", Optional.of(true))))
            .toList();
    PeriodReport report =
        PeriodReport.asked(
                "shop",
                Optional.of("2026-11-27"),
                Optional.empty(),
                day.plusSeconds(200_000),
                ZoneOffset.UTC,
                EnergyPricing.NONE)
            .orElseThrow();
    Path file = Files.writeString(folder.resolve("day.html"), report.html(samples, List.of()));
    page.emulate(width, 900, scheme);
    page.go(file.toUri());
    String labels =
        "[...document.querySelectorAll('svg text')].filter(t =>"
            + " /^\\d\\d:00$/.test(t.textContent)).map(t =>"
            + " t.getBoundingClientRect()).sort((a, b) => a.left - b.left)";
    awaitTrue(labels + ".length > 3");
    assertThat(
            page.evaluate(labels + ".every((b, i, all) => i === 0 || all[i - 1].right < b.left)")
                .asBoolean())
        .isTrue();
    assertThat(page.barriers()).isEmpty();
    picture("report-" + width + "-" + scheme);
  }
}
