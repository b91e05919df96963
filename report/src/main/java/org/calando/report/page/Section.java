package org.calando.report.page;

import java.util.Optional;
import java.util.Set;
import org.calando.report.ResultsFolder;

/**
 * A section of the page. Those of knobs and papers are found as services, whose constructors have
 * no parameters. Subclasses are stateless and thread safe.
 */
public abstract class Section {
  private final String id;
  private final String title;
  private final int rank;

  /** What a section has to say of one study. */
  @FunctionalInterface
  public interface Content {
    /** Writes what stands under the section's heading. Called once. */
    void write(Parts parts);
  }

  /**
   * A section.
   *
   * @param id in the page, unique among all sections
   * @param title its heading, and its line in the table of contents
   * @param rank its place in the page, the least first; those of general sections are hundreds
   */
  protected Section(String id, String title, int rank) {
    this.id = id;
    this.title = title;
    this.rank = rank;
  }

  /** Its id in the page. */
  public final String id() {
    return id;
  }

  /** Its place in the page. */
  public final int rank() {
    return rank;
  }

  /** What it has to say of a study; empty if the study has nothing of its subject. */
  public abstract Optional<Content> of(PageStudy study);

  /**
   * Ids of general charts, such as {@code stale}, whose figures this section has in more detail.
   * They are left out of studies of many configurations.
   */
  public Set<String> details(ResultsFolder study) {
    return Set.of();
  }

  /**
   * The id of the JSON array that it may give the page's script by {@link Parts#data}; the array is
   * empty if it does not.
   */
  public Optional<String> data() {
    return Optional.empty();
  }

  /** Writes the section with its heading, or nothing if it has nothing to say. */
  public final void render(PageStudy study, Parts parts) {
    of(study)
        .ifPresent(
            content -> {
              parts.begin(id, title);
              content.write(parts);
              parts.end();
            });
  }
}
