package org.calando.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.calando.core.observe.Promised;
import org.calando.report.RunRow;
import org.calando.report.Statistics;

/**
 * What was found of settings under a promise and a load. Immutable.
 *
 * @param file what was asked
 * @param load the load
 * @param outcomes of all settings that ran, the fewest joules first; those that failed last
 * @param usual that of everything on, strong reads and the fastest clock
 * @param idle what is cheapest at other shares of idle power
 * @param skipped how many settings did not run, by why
 */
public record Plan(
    PlanFile file,
    Offered load,
    List<Outcome> outcomes,
    Outcome usual,
    IdleShares idle,
    Map<String, Integer> skipped) {
  /** Sorts. */
  public Plan {
    outcomes =
        outcomes.stream()
            .sorted(
                Comparator.comparing((Outcome one) -> !one.isWhole())
                    .thenComparingDouble(one -> one.joules().mean()))
            .toList();
    skipped = Map.copyOf(skipped);
  }

  /** The cheapest setting or policy that keeps the promise; empty if none is seen to. */
  Optional<Outcome> best() {
    return first(Outcome::keeps);
  }

  /** The next best. */
  Optional<Outcome> next() {
    return outcomes.stream().filter(Outcome::keeps).skip(1).findFirst();
  }

  /** The cheapest that is held. */
  Optional<Outcome> bestHeld() {
    return first(one -> one.keeps() && one.setting().kind() == Setting.Kind.HELD);
  }

  /** The cheapest of which something is decided while it runs. */
  Optional<Outcome> bestPolicy() {
    return first(one -> one.keeps() && one.setting().kind() != Setting.Kind.HELD);
  }

  /** Those that would be cheaper, and may keep the promise: more repeats would tell. */
  List<Outcome> undecided() {
    double least = best().map(one -> one.joules().mean()).orElse(Double.POSITIVE_INFINITY);
    return outcomes.stream()
        .filter(Outcome::isUndecided)
        .filter(one -> one.joules().mean() < least)
        .toList();
  }

  private Optional<Outcome> first(Predicate<Outcome> which) {
    return outcomes.stream().filter(which).findFirst();
  }

  /** Joules of one over those of another, repeat by repeat. */
  static Statistics.Ratio ratio(Outcome one, Outcome other) {
    return one.runs().ratioTo(other.runs(), RunRow::joulesPerKop);
  }

  /**
   * What a part of the promise costs: the cheapest that keeps all others.
   *
   * @param part the part
   * @param without the cheapest without it; empty if nothing keeps the others
   * @param loosened what a looser limit would allow, the least of those that save anything; empty
   *     if none does
   * @param limit that looser limit
   */
  record Price(
      Promised part, Optional<Outcome> without, Optional<Outcome> loosened, double limit) {}

  /** What each part of the promise costs. */
  List<Price> prices() {
    return Outcome.parts(file).stream().map(this::price).toList();
  }

  /** Whether repeats tell that one takes fewer joules than another. */
  static boolean isCheaper(Outcome one, Outcome other) {
    Statistics.Ratio ratio = ratio(one, other);
    return (ratio.hasInterval() ? ratio.high() : ratio.ratio()) < 1;
  }

  /** Whether a controller was simulated that would keep less were less promised. */
  boolean hasJoint() {
    return outcomes.stream().anyMatch(one -> one.setting().isJoint());
  }

  private Price price(Promised part) {
    List<Outcome> without =
        outcomes.stream().filter(one -> one.keepsBut(Optional.of(part))).toList();
    Optional<Outcome> loosened =
        without.stream()
            .filter(one -> !one.keeps())
            .filter(one -> best().map(best -> isCheaper(one, best)).orElse(true))
            .min(Comparator.comparingDouble(one -> loss(one, part)));
    return new Price(
        part,
        without.stream().findFirst(),
        loosened,
        loosened.map(one -> needed(one, part)).orElse(Double.NaN));
  }

  /** The limit that a setting would keep. */
  private double needed(Outcome one, Promised part) {
    return switch (part) {
      case STALE -> high(one.stale());
      case READ_P99 -> high(one.p99());
      case COPIES, SURVIVE ->
          new GearParts(file.promise(), file.held().cluster()).has(one.setting(), part);
      case FRESH -> Double.NaN;
    };
  }

  private double loss(Outcome one, Promised part) {
    double needed = needed(one, part);
    return Candidates.OF_GEARS.contains(part) ? -needed : needed;
  }

  private static double high(Statistics.Estimate seen) {
    return seen.hasInterval() ? seen.high() : seen.mean();
  }

  /** Those that nothing else has both fewer stale reads and fewer joules than, freshest first. */
  List<Outcome> front() {
    List<Outcome> front = new ArrayList<>();
    outcomes.stream()
        .filter(one -> one.keepsBut(Optional.of(Promised.STALE)))
        .sorted(
            Comparator.comparingDouble((Outcome one) -> one.stale().mean())
                .thenComparingDouble(one -> one.joules().mean()))
        .forEach(
            one -> {
              boolean cheaper =
                  front.isEmpty()
                      || one.joules().mean() < front.get(front.size() - 1).joules().mean();
              if (cheaper) {
                front.add(one);
              }
            });
    return front;
  }
}
