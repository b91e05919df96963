package org.calando.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.observe.Promised;
import org.calando.report.Configuration;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.KeptPromise;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.PromiseColumns;
import org.calando.report.column.StaleColumns;

/**
 * What became of a setting. Immutable.
 *
 * @param setting the setting
 * @param runs its runs
 * @param verdicts by part of the promise
 */
record Outcome(Setting setting, Configuration runs, Map<Promised, Verdict> verdicts) {
  private static final double MICROS = 1e6;

  /** Whether a part of a promise was kept. */
  enum Verdict {
    KEPT,
    BROKEN,
    /** The interval over repeats holds what is promised. */
    UNDECIDED
  }

  /** Judges runs. */
  static Outcome of(PlanFile file, Setting setting, Configuration runs) {
    Map<Promised, Verdict> verdicts = new EnumMap<>(Promised.class);
    GearParts gears = new GearParts(file.promise(), file.held().cluster());
    for (Promised part : parts(file)) {
      verdicts.put(
          part,
          gears
              .ofGear(setting, part)
              .map(kept -> kept ? Verdict.KEPT : Verdict.BROKEN)
              .orElseGet(() -> verdict(file, setting, runs, part)));
    }
    return new Outcome(setting, runs, verdicts);
  }

  /** The parts of a file's promise; without a share of stale reads none may be. */
  static List<Promised> parts(PlanFile file) {
    List<Promised> parts = new ArrayList<>(file.promise().limits().keySet());
    if (!parts.contains(Promised.STALE)) {
      parts.add(0, Promised.STALE);
    }
    return parts;
  }

  private static Verdict verdict(
      PlanFile file, Setting setting, Configuration runs, Promised part) {
    if (part == Promised.STALE && file.limit(part).isEmpty()) {
      return fresh(file, setting, runs);
    }
    if (part == Promised.READ_P99 && runs.ok().stream().anyMatch(Outcome::failsOften)) {
      return Verdict.BROKEN;
    }
    double limit = file.limit(part).orElseThrow();
    if (part == Promised.READ_P99 && runs.ok().stream().anyMatch(run -> failsPast(run, limit))) {
      return Verdict.BROKEN;
    }
    Estimate seen = part == Promised.STALE ? runs.estimate(StaleColumns.STALE_RATE) : p99(runs);
    if (!seen.present()) {
      return Verdict.UNDECIDED;
    }
    boolean single = !seen.hasInterval();
    if ((single ? seen.mean() : seen.high()) <= limit) {
      return Verdict.KEPT;
    }
    return (single ? seen.mean() : seen.low()) > limit ? Verdict.BROKEN : Verdict.UNDECIDED;
  }

  /** That no read was stale does not show that none can be. */
  private static Verdict fresh(PlanFile file, Setting setting, Configuration runs) {
    if (runs.estimate(StaleColumns.STALE_RATE).mean() > 0) {
      return Verdict.BROKEN;
    }
    if (setting.isJoint()) {
      return Verdict.KEPT;
    }
    if (setting.replicas() == 0) {
      return Verdict.UNDECIDED;
    }
    return setting.replicas() >= file.held().cluster().strong(setting.gear())
        ? Verdict.KEPT
        : Verdict.BROKEN;
  }

  /** What fails is slower than any limit. */
  private static boolean failsOften(RunRow run) {
    return run.number(LoadColumns.ERRORS) / run.number(LoadColumns.OPERATIONS)
        > KeptPromise.SLOWEST;
  }

  /** Whether reads that failed have made a run miss a limit that its answered reads keep. */
  private static boolean failsPast(RunRow run, double limit) {
    return run.number(LoadColumns.READ_P99_US) / MICROS <= limit
        && List.of(run.text(PromiseColumns.PROMISE_BROKEN).split(" "))
            .contains(Promised.READ_P99.word());
  }

  private static Estimate p99(Configuration runs) {
    return runs.estimate(row -> row.number(LoadColumns.READ_P99_US) / MICROS);
  }

  /** Whether each run ended, and none failed. */
  boolean isWhole() {
    return !runs.ok().isEmpty() && runs.failed().isEmpty();
  }

  /** Whether it keeps a promise but for one part of it, which may be broken. */
  boolean keepsBut(Optional<Promised> dropped) {
    return isWhole()
        && verdicts.entrySet().stream()
            .allMatch(
                part ->
                    part.getValue() == Verdict.KEPT || dropped.equals(Optional.of(part.getKey())));
  }

  boolean keeps() {
    return keepsBut(Optional.empty());
  }

  /** Whether nothing is seen to be broken, and something may be. */
  boolean isUndecided() {
    return isWhole() && !keeps() && broken().isEmpty();
  }

  /** Parts that it breaks. */
  List<Promised> broken() {
    return verdicts.entrySet().stream()
        .filter(part -> part.getValue() == Verdict.BROKEN)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Joules of a thousand operations. */
  Estimate joules() {
    return runs.estimate(RunRow::joulesPerKop);
  }

  Estimate watts() {
    return runs.estimate(EnergyColumns.POWER_MEAN_W);
  }

  Estimate stale() {
    return runs.estimate(StaleColumns.STALE_RATE);
  }

  /** In seconds. */
  Estimate p99() {
    return p99(runs);
  }
}
