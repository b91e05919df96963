package org.calando.report.page;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.report.Comparison;
import org.calando.report.PublishedClaim;
import org.calando.report.Results;
import org.calando.report.ResultsFolder;

/**
 * A study as the sections of its page see it. Immutable.
 *
 * @param folder what the study left
 * @param comparisons of its configurations, in the order of the results
 * @param claims what a paper published of it, judged; may be empty
 * @param origin what an energy figure must carry wherever it stands, as a sentence
 * @param detailed ids of general charts whose figures a section has in more detail
 */
public record PageStudy(
    ResultsFolder folder,
    List<Comparison> comparisons,
    List<PublishedClaim> claims,
    String origin,
    Set<String> detailed) {
  /** A study with the sections that its page may have. */
  static PageStudy of(
      ResultsFolder folder, List<PublishedClaim> claims, Collection<Section> sections) {
    return new PageStudy(
        folder,
        Comparison.all(folder.results()),
        List.copyOf(claims),
        Provenance.origin(folder),
        sections.stream()
            .flatMap(section -> section.details(folder).stream())
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** The study's runs. */
  public Results results() {
    return folder.results();
  }
}
