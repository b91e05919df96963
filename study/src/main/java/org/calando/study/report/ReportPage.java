package org.calando.study.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Puts the page together. Not thread safe. */
final class ReportPage {
  /** Nothing may be loaded from anywhere, whatever a study's text holds. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
          + " base-uri 'none'; form-action 'none'";

  private final ResultsFolder study;
  private final Results results;
  private final List<Comparison> comparisons;
  private final ResultTables tables;
  private final RunTables runs;
  private final List<PublishedClaim> claims;
  private final List<Chart> bars;
  private final List<Chart> tradeOffs;
  private final Html html = new Html();

  ReportPage(ResultsFolder study, List<PublishedClaim> claims) {
    this.study = study;
    this.claims = List.copyOf(claims);
    this.results = study.results();
    this.comparisons = Comparison.all(results);
    this.tables = new ResultTables(results, comparisons);
    this.runs = new RunTables(study);
    Charts charts = new Charts(results);
    this.bars = charts.bars();
    this.tradeOffs = charts.tradeOffs();
  }

  String render() {
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en");
    head();
    html.open("body");
    html.element("a", "Skip to the results", "class", "skip", "href", "#results").newLine();
    header();
    html.open("main");
    answer();
    failures();
    results();
    charts();
    tradeOff();
    new PublishedSection(claims).render(html);
    details();
    new ProvenanceSection(study, html).render();
    html.close("main").newLine();
    footer();
    scripts();
    html.close("body").close("html").newLine();
    return html.toString();
  }

  private void head() {
    html.open("head").open("meta", "charset", "utf-8").newLine();
    html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY).newLine();
    html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.open("meta", "name", "color-scheme", "content", "light dark").newLine();
    html.element("title", title() + " \u2013 Calando").newLine();
    for (String style : List.of("report.css", "tables.css", "media.css")) {
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
    html.element("p", String.join(" ", Answer.of(results, comparisons)), "class", "lead");
    if (!results.measured().isEmpty()) {
      html.element("p", ProvenanceSection.sentence(study), "class", "origin");
    }
    html.close("section").newLine();
  }

  private void failures() {
    if (results.failed().isEmpty()) {
      return;
    }
    html.open("section", "class", "failures", "aria-labelledby", "h-failed");
    html.element("h2", "Failed runs", "id", "h-failed").open("ul");
    for (RunRow row : results.failed()) {
      html.open("li").element("code", row.id()).text(" ").element("span", row.message());
      html.close("li").newLine();
    }
    html.close("ul").close("section").newLine();
  }

  private void results() {
    html.open("section", "id", "results", "aria-labelledby", "h-results");
    html.element("h2", "Results", "id", "h-results");
    if (results.rows().isEmpty()) {
      html.element("p", "There are no runs to show.");
    } else {
      tables.summary().render(html);
      html.element("p", tableNote(), "class", "note");
    }
    html.close("section").newLine();
  }

  private String tableNote() {
    String means =
        results.repeats() > 1
            ? "Energy, power, throughput and stale rate: mean over repeats with its 95\u00A0% Student"
                + " interval. Percentiles are never averaged: the middle run's, over the range of"
                + " all repeats. Ratios are taken repeat by repeat."
            : "One repeat: no interval.";
    return means + " \u201C" + Figures.NONE + "\u201D: does not apply, or was not recorded.";
  }

  private void charts() {
    if (bars.isEmpty()) {
      return;
    }
    html.open("section", "id", "charts", "aria-labelledby", "h-charts");
    html.element("h2", "Energy, throughput, staleness", "id", "h-charts");
    String key =
        results.repeats() > 1
            ? "Bar and tick: mean over repeats. Line: 95\u00A0% Student interval. Dots: each repeat."
            : "Bar and dot: the one repeat; no interval.";
    html.element("p", key, "class", "note").open("noscript");
    html.element("p", "Charts need JavaScript; their figures are in the tables.", "class", "note");
    html.close("noscript").open("div", "class", "figures");
    bars.forEach(this::figure);
    html.close("div").close("section").newLine();
  }

  private void tradeOff() {
    if (tradeOffs.isEmpty()) {
      return;
    }
    html.open("section", "id", "tradeoff", "aria-labelledby", "h-tradeoff");
    html.element("h2", "Joules against stale reads", "id", "h-tradeoff");
    html.element(
        "p",
        "Towards the lower left is better. 1 J per 1000 operations is 1 mJ per operation. Closed"
            + " loops (filled) and open loops (hollow) stand apart: at a fixed rate the nodes' idle"
            + " power is shared among fewer operations.",
        "class",
        "note");
    html.open("div", "class", tradeOffs.size() > 1 ? "figures pair" : "figures");
    tradeOffs.forEach(this::figure);
    html.close("div").close("section").newLine();
  }

  private void figure(Chart chart) {
    html.open("figure").element("h3", chart.title());
    html.open(
        "div",
        "class",
        "chart",
        "id",
        chart.id(),
        "role",
        "img",
        "aria-label",
        chart.description());
    html.close("div").newLine();
    if (!chart.note().isEmpty()) {
      html.element("p", chart.note(), "class", "note");
    }
    html.open("details").element("summary", "Data of this chart");
    chart.table().render(html);
    html.close("details").close("figure").newLine();
  }

  private void details() {
    if (results.rows().isEmpty()) {
      return;
    }
    html.open("section", "id", "details", "aria-labelledby", "h-details");
    html.element("h2", "Figures in full", "id", "h-details");
    if (!comparisons.isEmpty()) {
      part("Comparisons", tables.comparisons(), COMPARISON_NOTE);
    }
    part("All figures", tables.figures(), FIGURES_NOTE);
    part("Nodes", runs.nodes(), "");
    if (!results.measured().isEmpty()) {
      part(
          "Balance",
          tables.balance(),
          "Coefficient of variation: population standard deviation"
              + " over mean of the nodes' averages.");
    }
    part("Runs", runs.runs(), common());
    html.close("section").newLine();
  }

  private static final String COMPARISON_NOTE =
      "Paired by repeat, on the logarithm of the ratio. p is corrected by Holm\u2019s method over"
          + " this table; at 0.05 or more the answer is \u201Cundecided\u201D. \u201CCould have"
          + " seen\u201D: the smallest ratio found four times in five with this spread and number"
          + " of repeats.";

  private static final String FIGURES_NOTE =
      "Own writes unread: reads that missed the client\u2019s own acknowledged write. Reads gone"
          + " back: reads older than one the same client had before. Coverage: share of reads whose"
          + " staleness could be decided. Counts are sums over repeats.";

  private void part(String heading, Table table, String note) {
    if (table.isEmpty()) {
      return;
    }
    html.open("div", "class", "part").element("h3", heading);
    table.render(html);
    if (!note.isEmpty()) {
      html.element("p", note, "class", "note");
    }
    html.close("div").newLine();
  }

  private String common() {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, String> entry : runs.common().entrySet()) {
      parts.add(entry.getKey() + " = " + entry.getValue());
    }
    return parts.isEmpty() ? "" : "The same in every run: " + String.join("; ", parts) + ".";
  }

  private void footer() {
    html.open("footer").element("p", "Made by Calando. This page loads nothing from a network.");
    html.open("details").element("summary", "Licences of what this page contains");
    html.open("pre", "tabindex", "0").text(Resources.text("echarts-notice.txt")).close("pre");
    html.close("details").close("footer").newLine();
  }

  private void scripts() {
    List<Chart> charts = new ArrayList<>(bars);
    charts.addAll(tradeOffs);
    html.json("charts-data", Charts.json(charts));
    if (!charts.isEmpty()) {
      html.verbatim("script", Resources.echarts());
    }
    for (String script :
        List.of(
            "charts-kit.js", "charts-bars.js", "charts-tradeoff.js", "charts.js", "report.js")) {
      html.verbatim("script", Resources.text(script));
    }
  }

  private String title() {
    String given = study.environment().path("study").asText("");
    return given.isEmpty() ? study.name() : given;
  }
}
