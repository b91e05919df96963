package org.calando.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Words;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Ratio;
import org.calando.report.column.LoadColumns;

/** What a plan says, in the words of its text and its page. Immutable. */
record Said(Plan plan) {
  private static final double SECONDS_A_YEAR = 365.25 * 86_400;
  private static final double MILLIS = 1000;
  private static final double GRAMS_A_KG = 1000;

  /** A limit or a figure of a part: {@code 1 %}, {@code 15 ms}, {@code 2}. */
  static String figure(Promised part, double value) {
    return switch (part) {
      case STALE -> Words.percent(value);
      case FRESH, READ_P99 -> Words.number(value * MILLIS) + " ms";
      case COPIES, SURVIVE -> Words.number(value);
    };
  }

  /** A part with its limit; where no stale reads are promised, that reads are fresh. */
  String part(Promised part) {
    return plan.file().limit(part).isPresent()
        ? part.word() + " " + figure(part, plan.file().limit(part).orElseThrow())
        : "no stale reads";
  }

  String promise() {
    return Outcome.parts(plan.file()).stream().map(this::part).collect(Collectors.joining(", "));
  }

  String load() {
    return "%s (%s/s in the mean), %s reads"
        .formatted(
            plan.file().rate().label(),
            Words.number(plan.load().mean()),
            Words.percent(plan.load().reads()));
  }

  /** Whether it keeps the promise, in a word or two. */
  static String verdict(Outcome one) {
    if (!one.isWhole()) {
      return one.runs().runs() == 0 ? "not run" : "failed";
    }
    if (one.keeps()) {
      return "keeps";
    }
    String broken = one.broken().stream().map(Promised::word).collect(Collectors.joining(", "));
    return broken.isEmpty() ? "undecided" : "breaks " + broken;
  }

  /** The answer, a sentence each. */
  List<String> answer() {
    if (plan.best().isEmpty()) {
      return List.of(
          "Nothing that was simulated is seen to keep the promise.",
          plan.undecided().isEmpty()
              ? "Promise less, or plan for a larger cluster."
              : "Of "
                  + plan.undecided().size()
                  + " settings it is undecided: --set repeats=N with more repeats would tell.");
    }
    Outcome best = plan.best().get();
    return List.of(
        "Cheapest: "
            + best.setting().words()
            + ", with "
            + Figures.interval(best.watts())
            + " W"
            + year(best.watts().mean(), ", %s a year")
            + carbon(best.watts().mean())
            + ".",
        plan.next()
            .map(
                next ->
                    "Next best: "
                        + next.setting().words()
                        + ", "
                        + more(Plan.ratio(next, best))
                        + ".")
            .orElse("Nothing else is seen to keep the promise."),
        other(best),
        usual(best));
  }

  private String usual(Outcome best) {
    Outcome usual = plan.usual();
    String words = "Everything on (" + usual.setting().words() + ") ";
    return usual.equals(best)
        ? words + "is that."
        : words
            + "takes "
            + more(Plan.ratio(usual, best))
            + ", and "
            + verdict(usual)
            + (usual.keeps() ? " the promise." : ".");
  }

  private String other(Outcome best) {
    boolean held = best.setting().kind() == Setting.Kind.HELD;
    String what = held ? "policy" : "setting that is held";
    return (held ? plan.bestPolicy() : plan.bestHeld())
        .map(
            one ->
                "The cheapest "
                    + what
                    + " is "
                    + one.setting().words()
                    + ", "
                    + more(Plan.ratio(one, best))
                    + ".")
        .orElse("No " + what + " is seen to keep the promise.");
  }

  /** How many more joules, with the interval; a difference that cannot be told is said to be so. */
  static String more(Ratio ratio) {
    if (!ratio.present()) {
      return "joules unknown";
    }
    double percent = 100 * (ratio.ratio() - 1);
    String text =
        Words.number(Math.abs(percent)) + " % " + (percent < 0 ? "fewer" : "more") + " joules";
    if (!ratio.hasInterval()) {
      return text;
    }
    boolean told = ratio.low() > 1 || ratio.high() < 1;
    return "%s (%s to %s %%%s)"
        .formatted(
            text,
            Words.number(100 * (ratio.low() - 1)),
            Words.number(100 * (ratio.high() - 1)),
            told ? "" : ": no difference seen");
  }

  /** Money of watts for a year, in a text with one place for it; empty if no price is known. */
  String year(double watts, String text) {
    double cost = pricing().cost(watts * SECONDS_A_YEAR);
    return Double.isFinite(cost)
        ? text.formatted(Words.number(cost) + " " + pricing().currency())
        : "";
  }

  private String carbon(double watts) {
    double grams = pricing().co2eGrams(watts * SECONDS_A_YEAR);
    return Double.isFinite(grams) ? ", " + Words.number(grams / GRAMS_A_KG) + " kg CO2e" : "";
  }

  /** The same as a number; NaN if no price is known. */
  double yearly(double watts) {
    return pricing().cost(watts * SECONDS_A_YEAR);
  }

  EnergyPricing pricing() {
    return plan.file().study().power().pricing();
  }

  /** What would be cheaper, and what keeps it from being chosen. */
  List<String> binds() {
    return plan.outcomes().stream()
        .filter(Outcome::isWhole)
        .filter(one -> !one.keeps())
        .filter(
            one -> plan.best().isEmpty() || one.joules().mean() < plan.best().get().joules().mean())
        .map(this::why)
        .toList();
  }

  private String why(Outcome one) {
    String parts =
        one.verdicts().entrySet().stream()
            .filter(part -> part.getValue() != Outcome.Verdict.KEPT)
            .map(part -> why(one, part.getKey()))
            .collect(Collectors.joining("; "));
    return one.setting().words() + ", " + Words.number(one.watts().mean()) + " W: " + parts;
  }

  private String why(Outcome one, Promised part) {
    String seen =
        switch (part) {
          case STALE ->
              plan.file().limit(part).isPresent()
                  ? Words.percent(one.stale().mean()) + " stale"
                  : "reads may be stale";
          case READ_P99 -> "p99 " + Words.number(one.p99().mean() * MILLIS) + " ms";
          case FRESH -> "not fresh";
          case COPIES, SURVIVE ->
              part.word()
                  + " "
                  + new GearParts(plan.file().promise(), plan.file().held().cluster())
                      .has(one.setting(), part);
        };
    return one.verdicts().get(part) == Outcome.Verdict.UNDECIDED ? seen + ", undecided" : seen;
  }

  /** Whether a price is known from repeats, or is none as the cheapest is the same. */
  boolean isTold(Optional<Outcome> cheaper) {
    return plan.best()
        .flatMap(best -> cheaper.map(one -> one.equals(best) || Plan.isCheaper(one, best)))
        .orElse(true);
  }

  /** What prices leave out, a sentence each. */
  List<String> pricedBy() {
    return plan.hasJoint()
        ? List.of(
            "These are at least what a part costs: joint ran with the whole promise, and may save"
                + " more without a part.")
        : List.of();
  }

  /** How the cheapest hangs on what idle nodes draw, a sentence each. */
  List<String> idle() {
    List<String> said = new ArrayList<>();
    IdleShares idle = plan.idle();
    for (IdleShares.AtShare at : idle.cheapest()) {
      String share = "Idle power of " + Words.percent(at.share()) + " of peak: ";
      said.add(
          IdleShares.first(at)
              .map(
                  first ->
                      share
                          + first.outcome().setting().words()
                          + ", "
                          + Words.number(first.watts())
                          + " W"
                          + (at.ranked().size() > 1 ? ", before " + drawn(at.ranked().get(1)) : "")
                          + ".")
              .orElse(share + "nothing is known to keep the promise."));
    }
    if (idle.turns().size() > 1) {
      said.add(
          idle.turns().stream()
              .map(
                  turn -> turn.outcome().setting().words() + " from " + Words.percent(turn.share()))
              .collect(Collectors.joining("; ", "Of what is held, cheapest is: ", ".")));
    } else if (idle.turns().size() == 1) {
      said.add(
          "Of what is held, %s is the cheapest whatever idle nodes draw."
              .formatted(idle.turns().get(0).outcome().setting().words()));
    }
    if (idle.unknown() > 0) {
      said.add(
          "Of %d settings it is unknown: their watts do not follow from their core time."
              .formatted(idle.unknown()));
    }
    return said;
  }

  private static String drawn(IdleShares.Drawn drawn) {
    return drawn.outcome().setting().words() + ", " + Words.number(drawn.watts()) + " W";
  }

  /** Where joules come from. */
  String origin() {
    NodeProfile profile = plan.file().study().power().profile();
    return "All watts are simulated with the power profile %s (%s W idle, %s W busy; %s): a model,"
            .formatted(
                profile.name(),
                Words.number(profile.idleWatts()),
                Words.number(profile.busyWatts()),
                profile.source())
        + " nothing here was measured at an outlet.";
  }

  /** What was left out. */
  String skipped() {
    return plan.skipped().isEmpty()
        ? ""
        : plan.skipped().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining("; ", "Left out by the closed form: ", "."));
  }

  /** Seconds in ms. */
  static double millis(double seconds) {
    return seconds * MILLIS;
  }

  /** That of a run in ms. */
  static double p99Millis(RunRow row) {
    return row.number(LoadColumns.READ_P99_US) / MILLIS;
  }
}
