package org.calando.report.page;

import java.util.ArrayList;
import java.util.List;

/**
 * A page of results: one file that loads nothing, with the charts and tables of its parts. Not
 * thread safe.
 */
public final class Page {
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

  private final String eyebrow;
  private final String title;
  private final List<String> facts;
  private final List<String> sentences;
  private final List<String> data = new ArrayList<>();
  private final Html html = new Html();
  private String origin = "";

  /**
   * A page.
   *
   * @param eyebrow what kind of page it is
   * @param title its heading
   * @param facts in a line under it; blank ones are left out
   * @param sentences the answer, in short
   */
  public Page(String eyebrow, String title, List<String> facts, List<String> sentences) {
    this.eyebrow = eyebrow;
    this.title = title;
    this.facts = facts.stream().filter(fact -> !fact.isBlank()).toList();
    this.sentences = List.copyOf(sentences);
  }

  /** Says where its figures come from; nothing if empty. */
  public Page from(String where) {
    origin = where;
    return this;
  }

  /** Gives the page's script what parts have under an id, {@link Parts#data}. */
  Page data(String id) {
    data.add(id);
    return this;
  }

  /**
   * The page.
   *
   * @param parts its sections, one of which has the id {@code results}
   */
  public String render(Parts parts) {
    html.raw("<!DOCTYPE html>\n").open("html", "lang", "en");
    head();
    html.open("body");
    html.element("a", "Skip to the results", "class", "skip", "href", "#results").newLine();
    header();
    html.open("main");
    answer();
    contents(parts);
    html.raw(parts.html().toString());
    html.close("main").newLine();
    footer();
    scripts(parts);
    html.close("body").close("html").newLine();
    return html.toString();
  }

  private void head() {
    html.open("head").open("meta", "charset", "utf-8").newLine();
    html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY).newLine();
    html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.open("meta", "name", "color-scheme", "content", "light dark").newLine();
    html.element("title", title + " \u2013 Calando").newLine();
    for (String style : STYLES) {
      html.verbatim("style", Resources.text(style));
    }
    html.verbatim("script", Resources.text("theme.js"));
    html.close("head").newLine();
  }

  private void header() {
    html.open("header", "class", "top").open("p", "class", "eyebrow").text(eyebrow);
    html.close("p").element("h1", title);
    html.element("p", String.join(" \u00B7 ", facts), "class", "facts");
    html.close("header").newLine();
  }

  private void answer() {
    html.open("section", "class", "answer", "aria-labelledby", "h-answer");
    html.element("h2", "In short", "id", "h-answer");
    html.element("p", String.join(" ", sentences), "class", "lead");
    if (!origin.isEmpty()) {
      html.element("p", origin, "class", "origin");
    }
    html.close("section").newLine();
  }

  private void contents(Parts parts) {
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

  private void scripts(Parts parts) {
    html.json("charts-data", Charts.json(parts.charts()));
    data.forEach(id -> html.json(id, parts.data(id)));
    if (!parts.charts().isEmpty()) {
      html.verbatim("script", Resources.echarts());
    }
    for (String script : SCRIPTS) {
      html.verbatim("script", Resources.text(script));
    }
  }
}
