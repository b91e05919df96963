package org.calando.report.column;

import java.util.OptionalDouble;
import java.util.function.Function;
import org.calando.core.energy.ConsistencyEnergy;
import org.calando.core.store.DeferralFigures;

/** Columns of what a run did and promised for its joules. */
public final class PromiseColumns {
  static final Contributor<RunRecord> PROMISES = new Contributor<>(RunRecord.class);

  public static final Column OPS_PER_JOULE =
      PROMISES
          .column(
              "ops_per_joule",
              "1/J",
              "operations that the store acknowledged, without lost and unsent writes, for a gross joule")
          .number(run -> paid(run, ConsistencyEnergy::workPerJoule));
  public static final Column PROMISED_MS =
      PROMISES
          .column("promised_ms", "ms", "time within which writes were promised to be visible")
          .given();
  public static final Column FRESH_SHARE =
      PROMISES
          .column("fresh_share", "share", "part of the writes that kept that promise")
          .number(
              run ->
                  Double.isNaN(run.number(PromiseColumns.PROMISED_MS))
                      ? Double.NaN
                      : freshShare(run));
  public static final Column SLA_PER_BUDGET =
      PROMISES
          .column(
              "sla_per_budget",
              "1/J",
              "`fresh_share` over the joules of 1000 operations; 0 where it is below 99 %")
          .number(run -> paid(run, ConsistencyEnergy::slaPerBudget));

  public static final Column PROMISE_BROKEN =
      PROMISES
          .column(
              "promise_broken",
              "text",
              "parts of the study's promise of reads that the run broke as a whole; none if it kept them")
          .text(
              run ->
                  run.find(KeptPromise.class)
                      .map(found -> KeptPromise.broken(found, run))
                      .orElse(""));
  public static final Column PROMISE_BROKEN_SHARE =
      PROMISES
          .column(
              "promise_broken_share",
              "share",
              "seconds of the measured window in which one of them was broken, over all with reads")
          .number(
              run -> run.find(KeptPromise.class).map(KeptPromise::brokenShare).orElse(Double.NaN));

  private PromiseColumns() {}

  private static double freshShare(RunRecord run) {
    return run.find(DeferralFigures.class).map(DeferralFigures::freshShare).orElse(Double.NaN);
  }

  private static double paid(RunRecord run, Function<ConsistencyEnergy, OptionalDouble> figure) {
    double joules = EnergyFigures.joules(run);
    return Double.isNaN(joules)
        ? Double.NaN
        : figure
            .apply(new ConsistencyEnergy(acknowledged(run), joules, freshShare(run)))
            .orElse(Double.NaN);
  }

  /** A write that only a client's buffer had, or that was lost there, is no work of the store's. */
  private static long acknowledged(RunRecord run) {
    long unsent =
        run.find(DeferralFigures.class).map(each -> each.failed() + each.atRisk()).orElse(0L);
    long succeeded = run.find(LoadFigures.class).map(LoadFigures::succeeded).orElse(0L);
    return Math.max(0, succeeded - unsent);
  }
}
