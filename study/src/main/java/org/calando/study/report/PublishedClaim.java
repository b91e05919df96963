package org.calando.study.report;

import java.util.Objects;

/**
 * A figure that a paper published, beside the same figure of this study. Immutable.
 *
 * @param claim what is compared, such as {@code energy, QUORUM against ONE, heavy update, 20
 *     threads}
 * @param source where the paper says it, such as {@code Li 2013, section 3.4.1}
 * @param published the paper's ratio, above 0; 1.29 for "29 % more"
 * @param ours this study's ratio, NaN if the study has no such pair
 * @param low lower end of the 95 % interval of ours, NaN if there is none
 * @param high upper end of the 95 % interval of ours, NaN if there is none
 * @param verdict {@code reproduced}, {@code in part}, {@code not reproduced} or {@code undecided}
 * @param note why, or what to mind; may be empty
 */
public record PublishedClaim(
    String claim,
    String source,
    double published,
    double ours,
    double low,
    double high,
    String verdict,
    String note) {
  public PublishedClaim {
    Objects.requireNonNull(claim);
    Objects.requireNonNull(source);
    Objects.requireNonNull(verdict);
    Objects.requireNonNull(note);
  }

  boolean hasOurs() {
    return Double.isFinite(ours) && ours > 0;
  }

  /** Whether it has a place on a logarithmic scale. */
  boolean isDrawn() {
    return Double.isFinite(published) && published > 0;
  }

  boolean hasInterval() {
    return Double.isFinite(low) && Double.isFinite(high);
  }
}
