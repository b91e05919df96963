package org.calando.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.calando.report.Answer;
import org.calando.report.PublishedClaim;
import org.calando.report.Results;
import org.calando.report.ResultsFolder;
import org.calando.report.Warnings;

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

  /** The sections of every study; those of knobs and papers are found as services. */
  private static final List<Section> GENERAL =
      List.of(
          new FailureSection(),
          new ResultSection(),
          new ChartSection(),
          new TradeOffSection(),
          new PublishedSection(),
          new LatencySection(),
          new TimeLineSection(),
          new AccountSection(),
          new DualReadSection(),
          new DetailSection(),
          new ProvenanceSection(),
          new RepeatSection());

  private final ResultsFolder folder;
  private final PageStudy study;
  private final List<Section> sections;
  private final Parts parts = new Parts();
  private final Html html = new Html();

  ReportPage(ResultsFolder folder, List<PublishedClaim> claims) {
    this.folder = folder;
    this.sections = allSections();
    this.study = PageStudy.of(folder, claims, sections);
  }

  /** The general ones, then the others by rank. */
  private static List<Section> allSections() {
    List<Section> all = new ArrayList<>(GENERAL);
    ServiceLoader.load(Section.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(Section::rank).thenComparing(Section::id))
        .forEach(all::add);
    return List.copyOf(all);
  }

  String render() {
    // Written first: what is in the page decides its table of contents.
    sections.stream()
        .sorted(Comparator.comparingInt(Section::rank))
        .forEach(section -> section.render(study, parts));
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
    JsonNode environment = folder.environment();
    Results results = study.results();
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
    List<String> sentences = new ArrayList<>(Answer.of(study.results(), study.comparisons()));
    sentences.addAll(Warnings.of(folder));
    html.element("p", String.join(" ", sentences), "class", "lead");
    if (!study.results().measured().isEmpty()) {
      html.element("p", Provenance.sentence(folder), "class", "origin");
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

  private void footer() {
    html.open("footer").element("p", "Made by Calando. This page loads nothing from a network.");
    html.open("details").element("summary", "Licences of what this page contains");
    html.open("pre", "tabindex", "0").text(Resources.text("echarts-notice.txt")).close("pre");
    html.close("details").close("footer").newLine();
  }

  private void scripts() {
    html.json("charts-data", Charts.json(parts.charts()));
    sections.stream()
        .flatMap(section -> section.data().stream())
        .forEach(id -> html.json(id, parts.data(id)));
    if (!parts.charts().isEmpty()) {
      html.verbatim("script", Resources.echarts());
    }
    for (String script : SCRIPTS) {
      html.verbatim("script", Resources.text(script));
    }
  }

  private String title() {
    String given = folder.environment().path("study").asText("");
    return given.isEmpty() ? folder.name() : given;
  }
}
