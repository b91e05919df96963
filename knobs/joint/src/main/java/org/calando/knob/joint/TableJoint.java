package org.calando.knob.joint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
import org.calando.core.observe.ClientRequests;
import org.calando.core.policy.Controller;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signal;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.Placing;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadRoute;
import org.calando.core.time.Scheduler;
import org.calando.knob.CountedTable;
import org.calando.knob.KnobRun;
import org.calando.knob.NodeWork;
import org.calando.knob.ObservedTable;
import org.calando.knob.RunShifts;

/**
 * Has one controller decide on a real cluster's knobs while a run goes: on the level of its reads,
 * or which node answers them, on its gear, clocks, and buffers of writes. A shift that fails is
 * taken up again a minute later, and the controller is safe until then. Thread safe.
 */
final class TableJoint implements LevelledReads.JointlyDeciding, HeldGear.Listener {
  private static final int MOST_NOTES = 10;

  private final ObservedTable table;
  private final Optional<RunShifts> shifts;
  private final Set<String> notes = Collections.synchronizedSet(new LinkedHashSet<>());
  private final ControlLoop<?> loop;

  private TableJoint(
      ObservedTable table,
      Knobs knobs,
      JointNodes nodes,
      long periodNanos,
      Controller<?> controller,
      Supplier<Optional<Signal<ReadLatency>>> latency,
      LoopListener listener) {
    this.table = table;
    this.shifts = knobs.shifts();
    JointSensors sensors =
        new JointSensors(
            nodes::look,
            now -> shifts.flatMap(RunShifts::look),
            latency,
            now -> knobs.buffer().map(each -> each.look(now, table.target())));
    this.loop =
        ControlLoop.asking(
                table.scheduler(),
                new PolicyLoop<>(controller, table.target()),
                now ->
                    table
                        .observe(now)
                        .thenApply(reads -> sensors.signals(reads, table.scheduler().clock())),
                new ActorsTogether(table.level(), actors(knobs)))
            .periodNanos(periodNanos)
            .deadlineNanos(table.deadlineNanos())
            // First: once it has decided, it knows what was observed, whatever comes of it.
            .listener((decision, inForce) -> table.decided())
            .listener(listener)
            .start();
  }

  /**
   * What is set beside reads.
   *
   * @param shifts the gear; empty if there is one
   * @param clocks those of replicas; empty if none is set
   * @param buffer of writes; empty if they are strong
   * @param dryRun whether all of it stays as it is
   */
  record Knobs(
      Optional<RunShifts> shifts,
      Optional<JointClocks> clocks,
      Optional<JointBuffer> buffer,
      boolean dryRun) {}

  private List<Actor> actors(Knobs knobs) {
    List<Actor> actors = new ArrayList<>();
    knobs
        .shifts()
        .ifPresent(
            each ->
                actors.add(
                    new HeldGear(each, false, HeldGear.OnFailure.PAUSE, knobs.dryRun(), this)));
    if (!knobs.dryRun()) {
      knobs.clocks().ifPresent(actors::add);
      knobs.buffer().ifPresent(each -> actors.add(each.held(notes::add)));
    }
    return actors;
  }

  /**
   * Begins to observe and to decide; blocks until then.
   *
   * @param cluster what the controller may set
   * @param dryRun whether nothing is set
   * @throws org.calando.core.CalandoException if the cluster cannot be observed
   */
  static TableJoint start(
      KnobRun run,
      LevelledReads.JointSettings settings,
      JointCluster cluster,
      Controller<?> controller,
      boolean dryRun,
      Optional<JointClocks> clocks,
      Supplier<Optional<Signal<ReadLatency>>> latency,
      LoopListener listener) {
    LevelledReads.Settings reads = settings.reads();
    ObservedTable.HowHeld held = new ObservedTable.HowHeld(settings.fallback(), dryRun);
    NodeWork work = run.cluster().find(NodeWork.class).orElseThrow();
    Optional<ReadRoute> route =
        cluster.placing() == Placing.MASTER
            ? run.cluster().find(ReadRoute.class)
            : Optional.empty();
    ObservedTable table;
    Predicate<String> serves = node -> true;
    if (cluster.placing() == Placing.REPLICAS) {
      table = ObservedTable.begin(run, JointDriver.THREAD, reads, LagModel.MEASURED, held);
    } else {
      Scheduler scheduler = run.schedulers().apply(JointDriver.THREAD);
      ClientRequests requests =
          run.cluster().find(ClientRequests.Source.class).orElseThrow().requests();
      CountedTable counts =
          CountedTable.begin(reads.table(), requests, route, () -> off(work), scheduler);
      table = ObservedTable.counted(run, scheduler, reads, counts, held);
      serves =
          cluster.placing() == Placing.SERVERS ? node -> counts.servers().contains(node) : serves;
    }
    Knobs knobs =
        new Knobs(
            settings
                .gears()
                .map(model -> run.cluster().find(RunShifts.Source.class).orElseThrow().begin()),
            clocks,
            JointBuffer.begin(run, controller, table.scheduler().clock().nanos()),
            dryRun);
    JointNodes nodes =
        new JointNodes(
            work,
            serves,
            route,
            () -> knobs.shifts().filter(RunShifts::isShifting).isPresent(),
            cluster.clocksKHz(),
            clocks);
    return new TableJoint(table, knobs, nodes, reads.periodNanos(), controller, latency, listener);
  }

  private static Set<String> off(NodeWork work) {
    return work.nodes().stream()
        .filter(node -> !node.isOn())
        .map(NodeWork.Node::name)
        .collect(Collectors.toSet());
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
