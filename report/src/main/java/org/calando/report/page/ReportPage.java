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

/** Puts a study's page together. Not thread safe. */
final class ReportPage {
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
    Page page =
        new Page("Calando study", title(), facts(), sentences())
            .from(study.results().measured().isEmpty() ? "" : Provenance.sentence(folder));
    sections.stream().flatMap(section -> section.data().stream()).forEach(page::data);
    return page.render(parts);
  }

  private List<String> facts() {
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
    return facts;
  }

  private List<String> sentences() {
    List<String> sentences = new ArrayList<>(Answer.of(study.results(), study.comparisons()));
    sentences.addAll(Warnings.of(folder));
    return sentences;
  }

  private String title() {
    String given = folder.environment().path("study").asText("");
    return given.isEmpty() ? folder.name() : given;
  }
}
