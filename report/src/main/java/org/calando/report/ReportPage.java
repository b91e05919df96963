package org.calando.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Puts the page together. Not thread safe. */
final class ReportPage {
  /** Nothing may be loaded from anywhere, whatever a study's text holds. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
          + " base-uri 'none'; form-action 'none'";

  private static final List<String> STYLES =
      List.of("report.css", "tables.css", "figures.css", "media.css");

  static final List<String> SCRIPTS =
      List.of(
          "charts-kit.js",
          "charts-bars.js",
          "charts-columns.js",
          "charts-tradeoff.js",
          "charts-latency.js",
          "charts-seconds.js",
          "charts-timelines.js",
          "charts-decisions.js",
          "charts-points.js",
          "charts-claims.js",
          "charts.js",
          "charts-save.js",
          "report.js",
          "folds.js");

  private final ResultsFolder study;
  private final Results results;
  private final List<Comparison> comparisons;
  private final List<PublishedClaim> claims;
  private final String origin;
  private final Parts parts = new Parts();
  private final Html html = new Html();
  private String timeLines = "[]";
  private String decisions = "[]";
  private String clocks = "[]";

  ReportPage(ResultsFolder study, List<PublishedClaim> claims) {
    this.study = study;
    this.claims = List.copyOf(claims);
    this.results = study.results();
    this.comparisons = Comparison.all(results);
    this.origin = ProvenanceSection.origin(study);
  }

  String render() {
    sections();
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en");
    head();
    html.open("body");
    html.element("a", "Skip to the results", "class", "skip", "href", "#results").newLine();
    header();
    html.open("main");
    answer();
    contents();
    html.raw(parts.html().toString());
    html.close("main").newLine();
    footer();
    scripts();
    html.close("body").close("html").newLine();
    return html.toString();
  }

  /** Written first: what is in the page decides its table of contents. */
  private void sections() {
    failures();
    results();
    charts();
    tradeOff();
    decisions = new AdaptiveSection(study).render(parts, origin).json();
    clocks = new ClockSection(study).render(parts);
    new GearSection(study, origin).render(parts);
    new BufferSection(results, claims, origin).render(parts);
    if (repeatsThesis()) {
      new ThesisSection(results).render(parts, origin);
    }
    new PublishedSection(claims).render(parts, origin);
    new LatencySection(study).render(parts);
    timeLines = TimeLineSection.render(study, parts, origin).json();
    AccountSection account = new AccountSection(study);
    account.render(parts, origin);
    account.dualReads(parts);
    new DetailSection(study, comparisons).render(parts);
    new ProvenanceSection(study, parts).render();
    RepeatSection.render(study, parts);
  }

  /** Whether the study is one of Li 2013: others have nothing to do with its figures. */
  private boolean repeatsThesis() {
    return study.environment().path("paper").asText("").equals("li-2013");
  }

  private void head() {
    html.open("head").open("meta", "charset", "utf-8").newLine();
    html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY).newLine();
    html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.open("meta", "name", "color-scheme", "content", "light dark").newLine();
    html.element("title", title() + " \u2013 Calando").newLine();
    for (String style : STYLES) {
      html.verbatim("style", Resources.text(style));
    }
    html.verbatim("script", Resources.text("theme.js"));
    html.close("head").newLine();
  }

  private void header() {
    html.open("header", "class", "top").open("p", "class", "eyebrow").text("Calando study");
    html.close("p").element("h1", title());
    List<String> facts = new ArrayList<>();
    JsonNode environment = study.environment();
    facts.add(environment.path("engine").asText(""));
    if (environment.path("nodes").size() > 0) {
      facts.add(environment.path("nodes").size() + " nodes");
    }
    facts.add(results.rows().size() + (results.rows().size() == 1 ? " run" : " runs"));
    String finished = environment.path("finished").asText("");
    facts.add(finished.length() >= 10 ? finished.substring(0, 10) : "");
    facts.removeIf(String::isBlank);
    html.element("p", String.join(" \u00B7 ", facts), "class", "facts");
    html.close("header").newLine();
  }

  private void answer() {
    html.open("section", "class", "answer", "aria-labelledby", "h-answer");
    html.element("h2", "In short", "id", "h-answer");
    List<String> sentences = new ArrayList<>(Answer.of(results, comparisons));
    sentences.addAll(Warnings.of(study));
    html.element("p", String.join(" ", sentences), "class", "lead");
    if (!results.measured().isEmpty()) {
      html.element("p", ProvenanceSection.sentence(study), "class", "origin");
    }
    html.close("section").newLine();
  }

  private void contents() {
    html.open("nav", "class", "contents", "aria-label", "Contents").open("ul");
    for (Parts.Entry entry : parts.contents()) {
      html.open("li").element("a", entry.title(), "href", "#" + entry.id()).close("li");
    }
    html.close("ul").close("nav").newLine();
  }

  private void failures() {
    if (results.failed().isEmpty()) {
      return;
    }
    parts.begin("failures", "Failed runs").html().open("ul", "class", "failures");
    for (RunRow row : results.failed()) {
      parts.html().open("li").element("code", row.id()).text(" ");
      parts.html().element("span", row.message()).close("li").newLine();
    }
    parts.html().close("ul");
    parts.end();
  }

  private void results() {
    parts.begin("results", "Results");
    if (results.rows().isEmpty()) {
      parts.html().element("p", "There are no runs to show.");
    } else {
      new ResultTables(results, comparisons).summary().render(parts.html());
      parts.note(tableNote());
    }
    parts.end();
  }

  private String tableNote() {
    String means =
        results.repeats() > 1
            ? "Energy, power, throughput and stale rate: mean over repeats with its 95\u00A0%"
                + " Student interval. Percentiles are never averaged: the middle run's (of an"
                + " even number the upper middle one's), over the range of all repeats. Ratios"
                + " are taken repeat by repeat."
            : "One repeat: no interval.";
    String none = " \u201C" + Figures.NONE + "\u201D: does not apply, or was not recorded. ";
    String net =
        results.hasNegativeNet() ? "Above idle is " + Results.WHY_NET_IS_NEGATIVE + ". " : "";
    return means + none + net + origin;
  }

  private void charts() {
    List<Chart> bars = new Charts(results).bars(repeatsThesis());
    if (bars.isEmpty()) {
      return;
    }
    String key =
        results.repeats() > 1
            ? "Bar, tick and number: mean over repeats. Line: 95\u00A0% Student interval; an arrow"
                + " at 0 where it goes on below. Dots: each repeat."
            : "Bar and dot: the one repeat; no interval.";
    parts.begin("charts", "Energy, throughput, staleness").note(key + " " + origin);
    parts.html().open("noscript");
    parts.note("Charts need JavaScript; their figures are in the tables.");
    parts.html().close("noscript");
    parts.figures(bars).end();
  }

  private void tradeOff() {
    List<Chart> charts = new Charts(results).tradeOffs();
    if (charts.isEmpty()) {
      return;
    }
    parts.begin("tradeoff", "Joules against stale reads");
    parts.note(
        "Towards the lower left is better. 1 J per 1000 operations is 1 mJ per operation. Closed"
            + " loops (filled) and open loops (hollow) stand apart: at a fixed rate the nodes' idle"
            + " power is shared among fewer operations. "
            + origin);
    parts.pair(charts).end();
  }

  private void footer() {
    html.open("footer").element("p", "Made by Calando. This page loads nothing from a network.");
    html.open("details").element("summary", "Licences of what this page contains");
    html.open("pre", "tabindex", "0").text(Resources.text("echarts-notice.txt")).close("pre");
    html.close("details").close("footer").newLine();
  }

  private void scripts() {
    html.json("charts-data", Charts.json(parts.charts()));
    html.json("timelines-data", timeLines);
    html.json("decisions-data", decisions);
    html.json("clocks-data", clocks);
    if (!parts.charts().isEmpty()) {
      html.verbatim("script", Resources.echarts());
    }
    for (String script : SCRIPTS) {
      html.verbatim("script", Resources.text(script));
    }
  }

  private String title() {
    String given = study.environment().path("study").asText("");
    return given.isEmpty() ? study.name() : given;
  }
}
