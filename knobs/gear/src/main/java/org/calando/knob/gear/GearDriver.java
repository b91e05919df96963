package org.calando.knob.gear;

import org.calando.control.ShiftedNodes;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.knob.Configuration;
import org.calando.knob.KnobRun;
import org.calando.knob.RunPart;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Has a gear, or a policy of gears, in force in a simulated run, and keeps account of it. Belongs
 * to the simulation's thread.
 */
final class GearDriver implements RunPart {
  private final ShiftedNodes.Shifting gears;
  private ShiftedNodes.@Nullable Totals began;
  private ShiftedNodes.@Nullable Totals mayBe;
  private ShiftedNodes.@Nullable Totals ended;

  GearDriver(KnobRun run, ShiftedNodes nodes, GearModel model, GearPolicy policy) {
    Configuration configuration = run.configuration();
    this.gears =
        nodes.shift(
            run.schedulers().apply("calando-gears"),
            new ShiftedNodes.Settings(
                configuration.monitor().periodNanos(),
                configuration.speed(),
                run.workload().meanWriteBytes(),
                configuration.noticeNanos()),
            model,
            policy,
            run.decisions().get());
  }

  @Override
  public void measurementBegan(long nanos) {
    began = gears.totals();
  }

  @Override
  public void mayHaveEnded(long nanos) {
    mayBe = gears.totals();
  }

  @Override
  public void measurementEnded(long nanos) {
    ShiftedNodes.Totals told = mayBe;
    ended = told != null && told.atNanos() == nanos ? told : gears.totals();
  }

  @Override
  public void record(RunRecord found) {
    ShiftedNodes.Totals from = began;
    ShiftedNodes.Totals to = ended;
    if (from != null && to != null) {
      found.add(
          GearFigures.simulated(
              to.shifts() - from.shifts(),
              to.bootJoules() - from.bootJoules(),
              to.movedBytes() - from.movedBytes()));
    }
  }

  @Override
  public void close() {
    gears.close();
  }
}
