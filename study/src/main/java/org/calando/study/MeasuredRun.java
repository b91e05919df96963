package org.calando.study;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.store.DeferralFigures;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;
import org.calando.load.LoadResult;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.jspecify.annotations.Nullable;

/**
 * What a run that reached its measured window found.
 *
 * @param load operations, errors and latencies
 * @param staleness stale reads by the oracle
 * @param dual stale reads by dual reads, or null for a run without
 * @param energy energy of the measured window, empty without a meter
 * @param meter the meter, empty without
 * @param warmUpSeconds time before the measured window in which the load ran; NaN in simulated
 *     runs, where it is what the study says
 * @param clientCpuSeconds CPU time of clients in the measured window, Calando's own process on a
 *     real cluster; NaN if nothing says what they cost
 * @param atRisk writes that were acknowledged and not on the cluster, their mean number in the
 *     measured window; NaN if none are deferred
 * @param levels what decided the level of reads, empty if nothing was observed
 * @param clocks what the policy of clocks came to, empty if none was in force
 * @param gears what gears came to, empty if there are none
 * @param files what a load on files moved, empty if it was on records
 * @param deferral what became of writes that may be deferred, empty on stores without
 * @param lostHints writes that a simulated cluster kept for nodes that were away, and lost for want
 *     of room; empty if nobody counts them
 * @param failure why the figures are not to be trusted, empty if they are
 * @param notes what a reader should know
 */
record MeasuredRun(
    LoadResult load,
    Staleness staleness,
    @Nullable DualRead dual,
    Optional<PhaseEnergy> energy,
    Optional<MeterInfo> meter,
    double warmUpSeconds,
    double clientCpuSeconds,
    double atRisk,
    Optional<LevelFigures> levels,
    Optional<ClockFigures> clocks,
    Optional<GearFigures> gears,
    Optional<FileFigures> files,
    Optional<DeferralFigures> deferral,
    OptionalLong lostHints,
    Optional<String> failure,
    List<String> notes) {
  /** The same with what gears came to. */
  MeasuredRun with(GearFigures figures) {
    return new MeasuredRun(
        load,
        staleness,
        dual,
        energy,
        meter,
        warmUpSeconds,
        clientCpuSeconds,
        atRisk,
        levels,
        clocks,
        Optional.of(figures),
        files,
        deferral,
        lostHints,
        failure,
        notes);
  }

  /** Whether the joules are those of something else than the whole measured window. */
  boolean energyIsUnusable() {
    long renewalNanos = meter.map(MeterInfo::renewalNanos).orElse(0L);
    return meter.isEmpty()
        || energy.flatMap(phase -> RunMeter.unusable(phase, renewalNanos)).isPresent();
  }
}
