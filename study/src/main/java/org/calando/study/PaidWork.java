package org.calando.study;

import org.calando.core.energy.ConsistencyEnergy;
import org.calando.core.store.DeferralFigures;
import org.calando.load.LoadResult;

/** What a run did and promised for its joules, as columns of its row. */
final class PaidWork {
  private PaidWork() {}

  /**
   * Fills the columns that are known.
   *
   * @param promisedNanos within which writes were promised to be visible, 0 if nothing was promised
   */
  static void set(ResultRow row, MeasuredRun found, long promisedNanos) {
    double freshShare = found.deferral().map(DeferralFigures::freshShare).orElse(Double.NaN);
    if (promisedNanos > 0) {
      row.set("promised_ms", promisedNanos / 1e6);
      row.set("fresh_share", freshShare);
    }
    if (found.energyIsUnusable()) {
      return;
    }
    found
        .energy()
        .ifPresent(
            phase -> {
              ConsistencyEnergy paid =
                  new ConsistencyEnergy(
                      acknowledged(found), phase.energy().grossJoules(), freshShare);
              paid.workPerJoule().ifPresent(each -> row.set("ops_per_joule", each));
              paid.slaPerBudget().ifPresent(each -> row.set("sla_per_budget", each));
            });
  }

  /** A write that only a client's buffer had, or that was lost there, is no work of the store's. */
  private static long acknowledged(MeasuredRun found) {
    LoadResult load = found.load();
    long unsent = found.deferral().map(each -> each.failed() + each.atRisk()).orElse(0L);
    return Math.max(0, load.operations() - load.errors() - unsent);
  }
}
