package org.calando.knob.joint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ShiftedNodes;
import org.calando.control.joint.ActorsTogether;
import org.calando.control.joint.JointSensors;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signal;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.knob.KnobRun;
import org.calando.knob.NodeWork;
import org.calando.knob.ObservedTable;
import org.calando.knob.RunShifts;

/**
 * Has one controller decide on the level of a real cluster's reads and on its gear, while a run
 * goes. A shift that fails is taken up again a minute later, and the controller is safe until then.
 * Thread safe.
 */
final class TableJoint implements LevelledReads.JointlyDeciding, HeldGear.Listener {
  private static final long ONE_CLOCK = 1;
  private static final int MOST_NOTES = 10;

  private final ObservedTable table;
  private final NodeWork work;
  private final Optional<RunShifts> shifts;
  private final Set<String> notes = Collections.synchronizedSet(new LinkedHashSet<>());
  private final ControlLoop<?> loop;

  private TableJoint(
      ObservedTable table,
      NodeWork work,
      Optional<RunShifts> shifts,
      long periodNanos,
      JointController controller,
      Supplier<Optional<Signal<ReadLatency>>> latency,
      LoopListener listener) {
    this.table = table;
    this.work = work;
    this.shifts = shifts;
    JointSensors sensors =
        new JointSensors(this::nodes, now -> shifts.flatMap(RunShifts::look), latency);
    List<Actor> actors = new ArrayList<>();
    shifts.ifPresent(
        each -> actors.add(new HeldGear(each, false, HeldGear.OnFailure.PAUSE, false, this)));
    this.loop =
        ControlLoop.asking(
                table.scheduler(),
                new PolicyLoop<>(controller, table.target()),
                now ->
                    table
                        .observe(now)
                        .thenApply(reads -> sensors.signals(reads, table.scheduler().clock())),
                new ActorsTogether(table.level(), actors))
            .periodNanos(periodNanos)
            .deadlineNanos(table.deadlineNanos())
            // First: once it has decided, it knows what was observed, whatever comes of it.
            .listener((decision, inForce) -> table.decided())
            .listener(listener)
            .start();
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static TableJoint start(
      KnobRun run,
      LevelledReads.JointSettings settings,
      JointController controller,
      Supplier<Optional<Signal<ReadLatency>>> latency,
      LoopListener listener) {
    LevelledReads.Settings reads = settings.reads();
    ObservedTable table =
        ObservedTable.begin(run, JointDriver.THREAD, reads, LagModel.MEASURED, reads.fallback());
    return new TableJoint(
        table,
        run.cluster().find(NodeWork.class).orElseThrow(),
        settings
            .gears()
            .map(model -> run.cluster().find(RunShifts.Source.class).orElseThrow().begin()),
        reads.periodNanos(),
        controller,
        latency,
        listener);
  }

  /** Nodes at the one clock that they have. */
  private ClockObservation nodes(long nowNanos) {
    // Nobody counts the bytes that hints are of: until a shift is proved, they are some.
    OptionalLong owed =
        shifts.filter(RunShifts::isShifting).isPresent()
            ? OptionalLong.of(1)
            : OptionalLong.empty();
    return new ClockObservation(
        nowNanos, work.nodes().stream().map(node -> node(node, owed, nowNanos)).toList());
  }

  private static ClockObservation.Node node(NodeWork.Node node, OptionalLong owed, long nowNanos) {
    NodeView view =
        new NodeView(
            NodeRole.unknown(node.name(), nowNanos),
            false,
            false,
            node.isOn(),
            owed,
            OptionalLong.empty());
    Optional<ClockObservation.Work> does =
        node.busyShare().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ClockObservation.Work(
                    node.atNanos(), ONE_CLOCK, node.busyShare().getAsDouble(), 0, 0, 0, 0));
    return new ClockObservation.Node(view, List.of(ONE_CLOCK), does);
  }

  @Override
  public void looked(GearLook look) {
    if (look.tried() && notes.size() < MOST_NOTES) {
      look.notNow()
          .ifPresent(why -> notes.add("gear " + look.decided() + " was not shifted to: " + why));
    }
  }

  /** {@inheritDoc} The run's part that shifts tells them. */
  @Override
  public Optional<ShiftedNodes.Totals> totals() {
    return Optional.empty();
  }

  @Override
  public Optional<Throwable> failure() {
    return loop.failure();
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

  /** {@inheritDoc} Of shifts, too. */
  @Override
  public Optional<String> failures() {
    List<String> told;
    synchronized (notes) {
      told = Stream.concat(table.failures().stream(), notes.stream()).toList();
    }
    return told.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", told));
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
