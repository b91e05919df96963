package org.calando.report.page;

import java.util.Optional;
import java.util.Set;
import org.calando.report.ResultsFolder;

/**
 * A section of the page. Those of knobs and papers are found as services, whose constructors have
 * no parameters. Implementations are stateless and thread safe.
 */
public interface Section {
  /** What a section has to say of one study. */
  @FunctionalInterface
  interface Content {
    /** Writes what stands under the section's heading. Called once. */
    void write(Parts parts);
  }

  /** Its id in the page, unique among all sections. */
  String id();

  /** Its heading, and its line in the table of contents. */
  String title();

  /** Its place in the page: the least rank comes first. General sections have whole hundreds. */
  int rank();

  /** What it has to say of a study; empty if the study has nothing of its subject. */
  Optional<Content> of(PageStudy study);

  /**
   * Ids of general charts, such as {@code stale}, whose figures this section has in more detail.
   * They are left out of studies of many configurations.
   */
  default Set<String> details(ResultsFolder study) {
    return Set.of();
  }

  /**
   * The id of the JSON array that it may give the page's script by {@link Parts#data}; the array is
   * empty if it does not.
   */
  default Optional<String> data() {
    return Optional.empty();
  }

  /** Writes the section with its heading, or nothing if it has nothing to say. */
  default void render(PageStudy study, Parts parts) {
    of(study)
        .ifPresent(
            content -> {
              parts.begin(id(), title());
              content.write(parts);
              parts.end();
            });
  }
}
