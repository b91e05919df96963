package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.control.ControlLoop;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.ShiftActor;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.calando.store.hdfs.NodeTraffic;

/*
 *   nodes' counters of bytes --> MB/s of the last period --> ControlLoop --> GearShifter
 *
 * Nothing is observed while a shift is under way: what the nodes move in it is no load of clients, so the counts begin
 * anew at its end. The next look knows the load since: one that did not would have to go up again, as policies do in doubt.
 * A name server that does not answer is no such doubt: no gear can be shifted to then, and the counts go on behind its back.
 */
/**
 * What a policy observes of a real cluster's gear, and how it shifts it. It observes megabytes a
 * second that nodes read and write for clients, each written byte once. Asks and shifts on the
 * executor, which carries out one thing after the other.
 */
public final class GearGovernor implements ShiftActor.Shifts<Integer> {
  /** Asking a NameNode that is gone takes its client so long at most. */
  private static final long DEADLINE_NANOS = 600_000_000_000L;

  private static final double MEGA = 1e6;

  private final GearMeans means;
  private final Supplier<List<NodeTraffic>> traffic;
  private final Scheduler scheduler;
  private final Executor executor;
  private final LongSupplier localSeconds;
  private final GearShifter shifter;

  // Of the executor's work.
  private Map<String, NodeTraffic> last = Map.of();
  private long lastNanos;
  private boolean looked;

  /**
   * Observes nothing yet.
   *
   * @param traffic asks the nodes that are on
   * @param executor carries out one thing after the other
   * @param localSeconds since a Monday's 00:00, of local time
   * @param owner who shifts, for whoever finds the gear taken
   */
  public GearGovernor(
      GearMeans means,
      Supplier<List<NodeTraffic>> traffic,
      Scheduler scheduler,
      Executor executor,
      LongSupplier localSeconds,
      String owner) {
    this.means = means;
    this.traffic = traffic;
    this.scheduler = scheduler;
    this.executor = executor;
    this.localSeconds = localSeconds;
    this.shifter = new GearShifter(means, owner);
  }

  /**
   * Resumes a shift that somebody began and did not finish; nothing in a dry run.
   *
   * @return the gear that it was to, if there is one
   */
  public Optional<Integer> resume(boolean dryRun) throws InterruptedException {
    Optional<Integer> to =
        GearShifter.unfinished(means.path()).map(entry -> GearSetting.parse(entry.value()).gear());
    if (to.isPresent() && !dryRun) {
      shifter.resume();
    }
    return to;
  }

  /**
   * A loop by which a policy decides about the gear. While the store does not answer nothing is
   * decided. A step of a shift that fails ends it: the plan is open, and safe to leave.
   *
   * @param policy of the cluster, whose model's operations are megabytes (10^6)
   * @param dryRun decides only
   * @param listener hears what became of decisions
   */
  public <S> ControlLoopBuilder<S> loop(
      PolicyLoop<S> policy, boolean dryRun, Consumer<ShiftActor.Look<Integer>> listener) {
    return ControlLoop.asking(
            scheduler,
            policy,
            now -> CompletableFuture.supplyAsync(this::observe, executor),
            new ShiftActor<>(this, true, dryRun, listener))
        .deadlineNanos(DEADLINE_NANOS);
  }

  private GearObservation observe() {
    int gear = current();
    Optional<GearObservation.Load> load = load();
    int failed = failed(gear);
    return new GearObservation(
        scheduler.clock().nanos(),
        localSeconds.getAsLong(),
        means.cluster().target(),
        gear,
        failed,
        load);
  }

  @Override
  public Integer current() {
    return shifter.gear();
  }

  @Override
  public Integer wanted(Decision<?> decision, Integer current) {
    return Math.min(decision.value(KnobId.GEAR).orElse(current), means.groups().gears());
  }

  @Override
  public boolean isUp(Integer from, Integer to) {
    return to > from;
  }

  @Override
  public CompletionStage<?> shift(Integer from, Integer to) {
    return ShiftActor.on(
        executor,
        () -> {
          shifter.shift(to);
          begin();
        });
  }

  @Override
  public boolean isRefusal(CalandoException why) {
    return !(why instanceof FailedWorkException) || GearShifter.unfinished(means.path()).isEmpty();
  }

  @Override
  public String words(Integer current, boolean isUnderWay) {
    return "gear " + current;
  }

  /** Counts from now on; if it cannot be asked for now, the next look begins to count. */
  private void begin() {
    looked = false;
    try {
      var unused = load();
    } catch (FailedWorkException e) {
      // The next look says so if the NameNode is silent then.
    }
  }

  private int failed(int gear) {
    int on = means.groups().nodesIn(gear);
    return (int)
        means.cluster().members().stream()
            .filter(member -> member.number() <= on && !member.serves())
            .count();
  }

  private Optional<GearObservation.Load> load() {
    long now = scheduler.clock().nanos();
    Map<String, NodeTraffic> counts = new HashMap<>();
    traffic.get().forEach(node -> counts.put(node.name(), node));
    double read = 0;
    double written = 0;
    List<NodeTraffic> known = new ArrayList<>(counts.values());
    for (NodeTraffic node : known) {
      NodeTraffic before = last.get(node.name());
      if (before != null) {
        read += node.readSince(before);
        written += node.writtenSince(before);
      }
    }
    double seconds = (now - lastNanos) / 1e9;
    boolean first = !looked || !(seconds > 0);
    last = counts;
    lastNanos = now;
    looked = true;
    double once = written / means.file().layout().replicas();
    return first
        ? Optional.empty()
        : Optional.of(
            new GearObservation.Load(now, (read + once) / MEGA / seconds, once / seconds));
  }
}
