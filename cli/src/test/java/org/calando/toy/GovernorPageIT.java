package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The governor's page in a real browser, over documents that were recorded. */
class GovernorPageIT extends GovernorPageCase {
  /** All that it asks for is of its governor. */
  private void assertClean() {
    assertThat(page.problems()).isEmpty();
    assertThat(page.requests())
        .isNotEmpty()
        .allMatch(
            each ->
                each.startsWith(governor.address().toString())
                    || each.startsWith("data:")
                    || each.equals("about:blank"));
  }

  @ParameterizedTest
  @CsvSource({"1400,light", "1400,dark", "390,light", "390,dark"})
  void allIsShownAndNothingStandsAgainstUsingIt(int width, String scheme) throws IOException {
    show(width, scheme, "");
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })");
    awaitTrue("document.querySelectorAll('#power-table tbody tr').length > 20");
    assertThat(page.barriers()).isEmpty();
    assertThat(text("#lead")).contains("2 kept, 1 broken, 1 unknown of 4 promises");
    assertThat(text("#promise-list")).contains("Budget left: 59\u00A0% to 88\u00A0%");
    assertThat(text("#tiles")).contains("614").contains("5.1").contains("0.43").contains("538");
    assertThat(text("#knob-list")).contains("held").contains("night backup").contains("route");
    assertThat(text("#node-map")).contains("Data centre dc1").contains("off by order");
    assertThat(text("#plan-list"))
        .contains("rack r3: nodes drained")
        .contains("stays readable")
        .doesNotContain("T09:59");
    assertThat(page.evaluate("document.querySelectorAll('#kept-chart svg path').length").asInt())
        .isGreaterThan(4);
    page.evaluate(
        "document.getElementById('hold-gear-cassandra-of-etc-calando-shop-yaml').click()");
    assertThat(page.barriers()).as("with a dialog").isEmpty();
    assertClean();
    picture("page-" + width + "-" + scheme);
  }

  @Test
  void whatIsNotKnownIsSaidAndNeverZero() {
    show(DESK, "light", "");
    page.evaluate("location.hash = '#/cart'");
    awaitTrue("document.getElementById('title').textContent === 'cart'");
    assertThat(text("#lead")).contains("What it draws is unknown");
    assertThat(text("#problems")).contains("no node has answered for 31 s");
    assertThat(text("#tiles")).contains("unknown").doesNotContainPattern("\\b0 [WJ]");
    assertThat(text("#node-map")).contains("does not answer").contains("not known");
    assertThat(text("#tiles")).as("what sets nothing saves nothing").contains("nothing");
    assertThat(text("#decision-list")).contains("Nothing is set here");
    assertThat(page.evaluate("document.getElementById('cluster-actions').textContent").asText())
        .as("what is observed only has nothing to be paused")
        .isEmpty();
  }

  @Test
  void anOperatorHoldsAKnobByKeyboardAlone() {
    show(DESK, "light", "");
    page.press("Tab");
    assertThat(focused()).isEqualTo("Skip to the cluster");
    assertThat(page.evaluate("getComputedStyle(document.activeElement).outlineStyle").asText())
        .as("the focus is seen")
        .isNotEqualTo("none");
    tabTo("hold-gear-cassandra-of-etc-calando-shop-yaml");
    page.press("Enter");
    awaitTrue("document.getElementById('act').open");
    assertThat(focusedId()).isEqualTo("act-value");
    page.press("Escape");
    awaitTrue("!document.getElementById('act').open");
    assertThat(focusedId()).isEqualTo("hold-gear-cassandra-of-etc-calando-shop-yaml");
    page.press("Enter");
    tabTo("act-reason");
    page.type("night backup");
    tabTo("act-token");
    page.type(TOKEN);
    page.press("Enter");
    awaitTrue("document.activeElement.id === 'act-apply'");
    assertThat(text("#act-answer")).contains("This would change").contains("gear 2 stays");
    assertThat(governor.posts()).singleElement().matches(body -> body.path("dry_run").asBoolean());
    page.press("Enter");
    awaitTrue("document.getElementById('act-answer').textContent.includes('This is ordered')");
    assertThat(governor.posts()).hasSize(2);
    JsonNode ordered = governor.posts().stream().skip(1).findFirst().orElseThrow();
    assertThat(ordered.path("dry_run").asBoolean()).isFalse();
    assertThat(ordered.path("reason").asText()).isEqualTo("night backup");
    assertThat(ordered.path("until").asText()).isEqualTo("1h");
    assertThat(page.evaluate("location.href + JSON.stringify(localStorage)").asText())
        .doesNotContain(TOKEN);
    assertThat(page.requests()).noneMatch(each -> each.contains(TOKEN));
  }

  @Test
  void whatIsAppliedIsWhatWasShown() {
    show(DESK, "light", "");
    page.evaluate("document.getElementById('cluster-act').click()");
    page.evaluate("document.getElementById('act-reason').focus()");
    page.type("tests");
    page.press("Enter");
    awaitTrue("!document.getElementById('act-apply').disabled");
    page.evaluate("document.getElementById('act-reason').focus()");
    page.type(" of mine");
    awaitTrue("document.getElementById('act-apply').disabled");
    assertThat(text("#act-answer")).contains("run the dry run again");
  }

  private String focused() {
    return page.evaluate("document.activeElement.textContent").asText();
  }

  @Test
  void aGovernorThatWasRestartedIsFoundAgainAndNoDecisionIsMissed() {
    show(DESK, "light", "");
    awaitTrue("document.getElementById('link').textContent.startsWith('Live since')");
    int port = governor.address().getPort();
    governor.end();
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    awaitTrue("document.body.classList.contains('stale')");
    assertThat(page.barriers()).as("what is stale can be read").isEmpty();
    governor.beginAgain(port, 7);
    awaitTrue("document.getElementById('link').textContent.startsWith('Live since')");
    awaitTrue("!document.body.classList.contains('stale')");
    awaitTrue("document.getElementById('decision-count').textContent.startsWith('37 of 37')");
    assertThat(governor.named()).contains("30");
    assertThat(text("#decision-37")).contains("#37");
    assertThat(governor.ids()).hasSize(37);
  }

  @Test
  void withoutANetworkItSaysSinceWhenAndComesBackByItself() {
    show(PHONE, "dark", "");
    page.offline(true);
    governor.end();
    awaitTrue("document.getElementById('link').textContent.startsWith('Without news since')");
    page.offline(false);
  }

  @Test
  void whatChangesIsSaidToWhoListensAndTheFocusStays() {
    show(DESK, "light", "");
    page.evaluate("document.getElementById('promise-stale').focus()");
    governor.keeps("stale", false);
    awaitTrue("document.getElementById('news').textContent.includes('promise stale is broken')");
    assertThat(text("#lead")).contains("1 kept, 2 broken");
    assertThat(focusedId()).isEqualTo("promise-stale");
    assertThat(page.evaluate("document.getElementById('news').getAttribute('aria-live')").asText())
        .isEqualTo("polite");
  }

  @Test
  void decisionsAreFilteredAndEachHasALinkOfItsOwn() {
    show(DESK, "light", "");
    page.evaluate(
        "(() => { const s = document.getElementById('filter-knob'); s.value ="
            + " 'compaction-throughput'; s.dispatchEvent(new Event('change', {bubbles: true}));"
            + " })()");
    awaitTrue("document.getElementById('decision-count').textContent.startsWith('10 of 30')");
    page.evaluate("document.getElementById('filter-text').focus()");
    page.type("load 50");
    awaitTrue("document.getElementById('decision-count').textContent.startsWith('1 of 30')");
    page.evaluate("location.hash = '#/shop/decision/3'");
    awaitTrue("document.activeElement.id === 'decision-3'");
  }

  @Test
  void theAnswerForbidsAllThatIsNotItsGovernors() {
    Optional<String> policy =
        PageFixture.policy().entrySet().stream()
            .filter(each -> each.getKey().equals("Content-Security-Policy"))
            .map(java.util.Map.Entry::getValue)
            .findFirst();
    assertThat(policy.orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(List.of(policy.get().split("; "))).contains("connect-src 'self'");
  }
}
