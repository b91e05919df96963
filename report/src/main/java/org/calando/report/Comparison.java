package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import org.calando.report.Results.LoadGroup;
import org.calando.report.Statistics.Ratio;

/**
 * Joules per operation of a configuration against the weakest one under the same load, or of
 * another token layout against the same level in the first. Immutable.
 *
 * @param ratio over the repeats that both have
 * @param adjustedP p-value after Holm's correction over all of a study's comparisons, NaN if there
 *     is none
 */
public record Comparison(
    Configuration configuration, Configuration reference, Ratio ratio, double adjustedP) {
  /** What the comparison allows to be said. */
  public enum Verdict {
    MORE("costs more"),
    LESS("costs less"),
    UNDECIDED("undecided"),
    ONE_REPEAT("one repeat: no interval"),
    INCOMPARABLE("not comparable: different provenance"),
    NO_PAIR("no repeat in common");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    /** The verdict as tables have it. */
    public String words() {
      return words;
    }
  }

  private static final double SIGNIFICANCE = 1 - Statistics.CONFIDENCE;

  /** Every configuration but the first measured one of its load against its reference. */
  public static List<Comparison> all(Results results) {
    List<Comparison> raw = new ArrayList<>();
    for (LoadGroup group : results.groups()) {
      List<Configuration> measured = group.measured();
      for (int i = 1; i < measured.size(); i++) {
        Configuration reference = group.reference(measured.get(i));
        Ratio ratio = measured.get(i).ratioTo(reference, RunRow::joulesPerKop);
        raw.add(new Comparison(measured.get(i), reference, ratio, ratio.p()));
      }
    }
    double[] adjusted =
        Statistics.holm(
            raw.stream().mapToDouble(c -> c.comparable() ? c.adjustedP : Double.NaN).toArray());
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      Comparison c = raw.get(i);
      comparisons.add(new Comparison(c.configuration, c.reference, c.ratio, adjusted[i]));
    }
    return List.copyOf(comparisons);
  }

  /** What may be said of the ratio. */
  public Verdict verdict() {
    if (!comparable()) {
      return Verdict.INCOMPARABLE;
    }
    if (!ratio.present()) {
      return Verdict.NO_PAIR;
    }
    if (!ratio.hasInterval()) {
      return Verdict.ONE_REPEAT;
    }
    if (adjustedP >= SIGNIFICANCE) {
      return Verdict.UNDECIDED;
    }
    return ratio.ratio() > 1 ? Verdict.MORE : Verdict.LESS;
  }

  /** Such as {@code 1.21 times (1.18–1.25)}, or an empty string if there is no ratio. */
  public String words() {
    if (!comparable() || !ratio.present()) {
      return "";
    }
    String times = Figures.figure(ratio.ratio()) + " times";
    String range = ratio.hasInterval() ? Figures.range(ratio.low(), ratio.high()) : "";
    return range.isEmpty() || times.startsWith(range + " ") ? times : times + " (" + range + ")";
  }

  /** Joules of one origin say nothing against joules of another. */
  private boolean comparable() {
    return configuration.provenance().equals(reference.provenance());
  }
}
