package org.calando.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A figure that a paper published, beside the same figure of this study. Immutable.
 *
 * @param claim what is compared, such as {@code energy, QUORUM against ONE, heavy update, 20
 *     threads}
 * @param source where the paper says it, such as {@code Li 2013, section 3.4.1}
 * @param kind what its figures are
 * @param published the paper's figure; of a ratio above 0: 1.29 for "29 % more"
 * @param ours this study's figure, NaN if the study has no such pair
 * @param low lower end of the 95 % interval of ours, NaN if there is none
 * @param high upper end of the 95 % interval of ours, NaN if there is none
 * @param verdict one of {@link #VERDICTS}
 * @param note why, or what to mind; may be empty
 */
public record PublishedClaim(
    String claim,
    String source,
    Kind kind,
    double published,
    double ours,
    double low,
    double high,
    String verdict,
    String note) {
  /** The words of verdicts, the best first; the last is that of claims without any figure here. */
  public static final List<String> VERDICTS =
      List.of("reproduced", "in part", "not reproduced", "undecided", "not in the study");

  /** Begins the note of a claim whose figure was put into what is simulated. */
  public static final String BY_CONSTRUCTION = "by construction";

  /** What a claim's figures are. */
  public enum Kind {
    /** One figure over another; 1 is no difference. */
    RATIO,
    /** A level by itself, from 0 to 1 or more. */
    SHARE,
    /** Power, in watts. */
    WATTS,
    /** A difference of shares of 100 %, in percentage points. */
    POINTS;

    /** The word that stands for a unit. */
    public String word() {
      return switch (this) {
        case WATTS -> "W";
        case POINTS -> "percentage points";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }
  }

  public PublishedClaim {
    Objects.requireNonNull(claim);
    Objects.requireNonNull(source);
    Objects.requireNonNull(kind);
    Objects.requireNonNull(verdict);
    Objects.requireNonNull(note);
  }

  /**
   * How many claims have each verdict, such as {@code 1 reproduced, 7 undecided, 2 by
   * construction}.
   */
  public static String tally(List<PublishedClaim> claims) {
    List<PublishedClaim> open = claims.stream().filter(c -> !c.isByConstruction()).toList();
    Stream<String> verdicts =
        VERDICTS.stream()
            .map(word -> open.stream().filter(c -> c.verdict().equals(word)).count() + " " + word);
    String putIn = claims.size() - open.size() + " " + BY_CONSTRUCTION;
    return Stream.concat(verdicts, Stream.of(putIn))
        .filter(count -> !count.startsWith("0 "))
        .collect(Collectors.joining(", "));
  }

  /** Whether ours follows from the published figure, so that its verdict is no finding. */
  private boolean isByConstruction() {
    return hasOurs() && note.contains(BY_CONSTRUCTION);
  }

  /** By which share ours is off the published figure, NaN where that is 0 or ours is missing. */
  public double error() {
    return published == 0 ? Double.NaN : ours / published - 1;
  }

  /** The part of the paper that the figure is in: what follows the source's last comma. */
  public String place() {
    String place = source.substring(source.lastIndexOf(',') + 1).strip();
    return Load.sentence(place);
  }

  /** Whether the study has the figure. */
  public boolean hasOurs() {
    return Double.isFinite(ours) && ours > 0;
  }

  /** Whether it has a place on a logarithmic scale of ratios. */
  public boolean isDrawn() {
    return kind == Kind.RATIO && Double.isFinite(published) && published > 0;
  }

  /** Whether the study's figure has an interval. */
  public boolean hasInterval() {
    return Double.isFinite(low) && Double.isFinite(high);
  }
}
