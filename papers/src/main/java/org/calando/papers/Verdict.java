package org.calando.papers;

import java.util.List;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;

/*
 * The rule by which a published figure counts as reproduced, the same for every claim of a kind. Those of effects,
 * levels, flatness and never were fixed before any result was looked at; those of orders, shares less and changes over
 * a mean after trial runs of fixed levels, and before any run with a policy. Intervals are 95 % Student intervals over blocks.
 *
 * What would be reproduced by the following is undecided where its interval is wider than a factor of 2: the upper end
 * over the lower. That was added later than the rest, so that wide intervals gain nothing. Flat, never and order, which
 * are not of one figure's size, have no such bound. Of whatever is undecided a width beyond that is called the reason where
 * a narrower interval about the same figure could decide it. It is not of an effect whose interval leaves out 1: that is
 * undecided because of the other claims of its finding, by Holm's correction.
 *
 * A claim on what the study has no figure of is "not in the study", whatever its kind.
 *
 * Effect: a ratio r of two configurations, published as R. Ours is over blocks on log ratios, so effects are ln r and
 * ln R, counted as positive in R's direction. The effect is significant if its p-value, adjusted by Holm over the
 * claims of one finding, is below 0.05.
 *   undecided        fewer than two blocks, or none of the following
 *   not reproduced   significant in the other direction; or the whole interval is below a quarter of the published
 *                    effect: an effect of a size that matters here is excluded
 *   reproduced       significant in R's direction, and the interval contains R or the effect is within a quarter of R's
 *   in part          significant in R's direction, of another size
 * For "R or more" an interval that lies beyond R as a whole reproduces it.
 *
 * Level: a figure f such as a stale rate, published as F or as "F and more".
 *   undecided        fewer than two runs, or none of the following
 *   not reproduced   the whole interval is off F by more than a factor of 4
 *   reproduced       the interval is within a factor of 4 of F, and contains F or has its middle within a fifth of F
 *   in part          the interval is within a factor of 4 of F
 * For "F and more" everything above F is as good as F.
 *
 * Flat: published as no change that matters, for mean power.
 *   reproduced       the whole interval of the ratio is within a factor of 1.1 of 1
 *   not reproduced   the whole interval is outside of that
 *   undecided        otherwise, or fewer than two blocks
 *
 * Never: published as none at all, for stale reads. Reproduced if not one was counted, else not; undecided if one of
 * the levels has no checked read.
 *
 * The next two were added for the simulated studies: before any run of theirs with a policy, after trial runs of fixed
 * levels on the simulator.
 *
 * Fewer: published as a share less of something that may be counted as 0. Ours is 1 less the ratio of the two, over
 * blocks.
 *   undecided        fewer than two blocks with any to begin with, or none of the following
 *   not reproduced   the whole interval is below a quarter of the published share
 *   reproduced       the whole interval is above 0, and it contains the published share or ours is within a quarter
 *   in part          the whole interval is above 0
 *
 * Order: published as never falling along chains of points. Ours is, for each pair of neighbours and block, the
 * difference over the mean of the two, with a 95 % interval for each pair; a fall of up to 5 % is none.
 *   undecided        a pair with fewer than two blocks, or none of the following
 *   not reproduced   half of the pairs or more fall for sure: their whole interval is below -5 %; or the last of a
 *                    chain is below its first for sure
 *   in part          any other pair falls for sure
 *   reproduced       every pair's interval is above -5 %, and the last of each chain is above its first for sure
 */
/** How a study's figure stands to a published one. */
enum Verdict {
  REPRODUCED("reproduced"),
  IN_PART("in part"),
  NOT_REPRODUCED("not reproduced"),
  UNDECIDED("undecided"),
  /** Undecided, and decided if its interval were narrower. */
  TOO_WIDE("undecided"),
  NOT_IN_STUDY("not in the study");

  private static final double SIGNIFICANCE = 0.05;
  private static final double EFFECT_TOLERANCE = 0.25;
  private static final double EFFECT_THAT_MATTERS = 0.25;
  private static final double LEVEL_TOLERANCE = 0.2;
  private static final double LEVEL_FACTOR = 4;
  private static final double FLAT_FACTOR = 1.1;
  private static final double WIDEST_FACTOR = 2;
  private static final double ROUNDING = 1e-9;
  private static final double ORDER_TOLERANCE = 0.05;

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** What to mind of a claim with this verdict: why it is undecided, and the rest. */
  String note(String rest) {
    String why = this == TOO_WIDE ? "interval too wide: more than a factor of 2" : "";
    return why.isEmpty() || rest.isEmpty() ? why + rest : why + "; " + rest;
  }

  /**
   * The verdict on an effect.
   *
   * @param published the published ratio, above 0 and not 1
   * @param ours this study's ratio
   * @param adjustedP p-value after Holm's correction over the finding's claims
   */
  static Verdict ofEffect(double published, Ratio ours, double adjustedP) {
    if (!ours.hasInterval()) {
      return withoutInterval(ours.present());
    }
    double direction = Math.signum(Math.log(published));
    double wanted = Math.abs(Math.log(published));
    double effect = direction * Math.log(ours.ratio());
    double one = direction * Math.log(ours.low());
    double other = direction * Math.log(ours.high());
    boolean significant = adjustedP < SIGNIFICANCE;
    if ((significant && effect < 0) || Math.max(one, other) < EFFECT_THAT_MATTERS * wanted) {
      return NOT_REPRODUCED;
    }
    if (!significant) {
      return Math.min(one, other) > 0 ? UNDECIDED : undecided(ours.low(), ours.high());
    }
    boolean contained = Math.min(one, other) <= wanted && wanted <= Math.max(one, other);
    boolean near = Math.abs(effect - wanted) <= EFFECT_TOLERANCE * wanted;
    return contained || near ? reproduced(ours.low(), ours.high()) : IN_PART;
  }

  /**
   * The same of an effect that was published as so large or larger: a bound, which is met or not.
   */
  static Verdict ofEffectOrMore(double published, Ratio ours, double adjustedP) {
    double one = Math.log(ours.low()) / Math.log(published);
    double other = Math.log(ours.high()) / Math.log(published);
    return ours.hasInterval() && adjustedP < SIGNIFICANCE && Math.min(one, other) >= 1
        ? REPRODUCED
        : ofEffect(published, ours, adjustedP);
  }

  /**
   * The verdict on a level.
   *
   * @param published the published figure, above 0
   * @param orMore whether it was published as "and more"
   * @param ours this study's figure
   */
  static Verdict ofLevel(double published, boolean orMore, Estimate ours) {
    if (!ours.hasInterval()) {
      return withoutInterval(ours.present());
    }
    double least = published / LEVEL_FACTOR;
    double most = orMore ? Double.POSITIVE_INFINITY : published * LEVEL_FACTOR;
    if (ours.high() < least || ours.low() > most) {
      return NOT_REPRODUCED;
    }
    if (ours.low() < least || ours.high() > most) {
      return undecided(ours.low(), ours.high());
    }
    if (orMore && ours.low() >= published) {
      return REPRODUCED;
    }
    boolean contained = ours.high() >= published && (orMore || ours.low() <= published);
    boolean near = Math.abs(ours.mean() - published) <= LEVEL_TOLERANCE * published;
    return contained || near ? reproduced(ours.low(), ours.high()) : IN_PART;
  }

  /** The verdict on a ratio that was published as flat. */
  static Verdict ofFlat(Ratio ours) {
    if (!ours.hasInterval()) {
      return withoutInterval(ours.present());
    }
    if (ours.low() >= 1 / FLAT_FACTOR && ours.high() <= FLAT_FACTOR) {
      return REPRODUCED;
    }
    return ours.high() < 1 / FLAT_FACTOR || ours.low() > FLAT_FACTOR
        ? NOT_REPRODUCED
        : undecided(ours.low(), ours.high());
  }

  /** The verdict on what was published as never seen. */
  static Verdict ofNever(double checked, double seen) {
    if (!(checked > 0)) {
      return UNDECIDED;
    }
    return seen == 0 ? REPRODUCED : NOT_REPRODUCED;
  }

  /**
   * The verdict on a share by which something was published as fewer.
   *
   * @param published above 0, at most 1
   * @param ours this study's share, below 0 for more
   */
  static Verdict ofFewer(double published, Estimate ours) {
    if (!ours.hasInterval()) {
      return withoutInterval(ours.present());
    }
    if (ours.high() < EFFECT_THAT_MATTERS * published) {
      return NOT_REPRODUCED;
    }
    if (!(ours.low() > 0)) {
      return UNDECIDED;
    }
    boolean contained = ours.low() <= published && published <= ours.high();
    boolean near = Math.abs(ours.mean() - published) <= EFFECT_TOLERANCE * published;
    return contained || near ? reproduced(ours.low(), ours.high()) : IN_PART;
  }

  /**
   * The verdict on an order.
   *
   * @param steps relative differences of neighbours, the later less the earlier
   * @param chains the same of each chain's last and first
   */
  static Verdict ofOrder(List<Estimate> steps, List<Estimate> chains) {
    if (steps.isEmpty() || !steps.stream().allMatch(Estimate::hasInterval)) {
      return withoutInterval(!steps.isEmpty() && steps.stream().allMatch(Estimate::present));
    }
    long falling = steps.stream().filter(Verdict::falls).count();
    if (2 * falling >= steps.size() || chains.stream().anyMatch(Verdict::falls)) {
      return NOT_REPRODUCED;
    }
    if (falling > 0) {
      return IN_PART;
    }
    boolean holds =
        steps.stream().allMatch(Verdict::isInOrder)
            && chains.stream().allMatch(chain -> chain.low() > 0);
    return holds ? REPRODUCED : UNDECIDED;
  }

  /** A wide interval holds the published figure and many others too. */
  private static Verdict reproduced(double low, double high) {
    return isWide(low, high) ? TOO_WIDE : REPRODUCED;
  }

  /** What a narrower interval would decide. */
  private static Verdict undecided(double low, double high) {
    return low > 0 && isWide(low, high) ? TOO_WIDE : UNDECIDED;
  }

  /** Whether an interval is too wide to reproduce a figure. */
  private static boolean isWide(double low, double high) {
    return high > WIDEST_FACTOR * (1 + ROUNDING) * low;
  }

  private static Verdict withoutInterval(boolean present) {
    return present ? UNDECIDED : NOT_IN_STUDY;
  }

  /** Whether a relative difference is a fall for sure. */
  static boolean falls(Estimate step) {
    return step.high() < -ORDER_TOLERANCE;
  }

  /** Whether a relative difference is no fall for sure. */
  static boolean isInOrder(Estimate step) {
    return step.low() > -ORDER_TOLERANCE;
  }
}
