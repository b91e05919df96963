package org.calando.knob.level;

import java.util.List;
import java.util.Optional;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.knob.KnobRun;
import org.calando.knob.ObservedTable;

/** Observes the table of a real cluster and decides the level of its reads, while a run goes. */
final class TableLevels implements LevelledReads.Deciding {
  private final ObservedTable table;
  private final ControlLoop<?> loop;

  private TableLevels(
      LevelledReads.Settings settings,
      ObservedTable table,
      Policy<?> policy,
      List<LoopListener> listeners) {
    this.table = table;
    ControlLoopBuilder<?> builder =
        ControlLoop.asking(
                table.scheduler(),
                new PolicyLoop<>(policy, table.target()),
                table::observe,
                table.level())
            .periodNanos(settings.periodNanos())
            .deadlineNanos(table.deadlineNanos())
            // First: once the policy has decided, it knows what was observed, whatever comes of it.
            .listener((decision, inForce) -> table.decided());
    listeners.forEach(builder::listener);
    this.loop = builder.start();
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static TableLevels start(
      KnobRun run,
      LevelledReads.Settings settings,
      Policy<?> policy,
      List<LoopListener> listeners) {
    ObservedTable table =
        ObservedTable.begin(
            run,
            LevelDriver.THREAD,
            settings,
            policy.ofOneRead(),
            new ObservedTable.HowHeld(
                policy.fallback(settings.safe(), settings.table().replicas()), false));
    return new TableLevels(settings, table, policy, listeners);
  }

  @Override
  public PopularitySketch sketch() {
    return table.sketch();
  }

  @Override
  public ConsistencyLevel next() {
    return table.next();
  }

  @Override
  public HeldLevel.State state() {
    return table.level().state();
  }

  @Override
  public Optional<String> failures() {
    return table.failures();
  }

  @Override
  public LevelledReads.Spent spent() {
    return table.spent();
  }

  @Override
  public void close() {
    loop.close();
  }
}
