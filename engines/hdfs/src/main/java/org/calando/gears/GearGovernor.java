package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.control.ShiftGovernor;
import org.calando.core.FailedWorkException;
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
 * What a policy observes of a real cluster's gear, and how it shifts it. It observes megabytes
 * (10^6) a second that nodes read and write for clients, each written byte once.
 */
public final class GearGovernor extends ShiftGovernor {
  private static final double MEGA = 1e6;

  private final GearMeans means;
  private final Supplier<List<NodeTraffic>> traffic;
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
    super(scheduler, executor, localSeconds);
    this.means = means;
    this.traffic = traffic;
    this.shifter = new GearShifter(means, owner);
  }

  @Override
  public Optional<String> unfinished() {
    return GearShifter.unfinished(means.path())
        .map(entry -> " to gear " + GearSetting.parse(entry.value()).gear());
  }

  @Override
  protected void finish() throws InterruptedException {
    shifter.resume();
  }

  @Override
  public String target() {
    return means.cluster().target();
  }

  @Override
  protected GearObservation observe() {
    int gear = gear();
    Optional<GearObservation.Load> load = load();
    return observed(gear, failed(gear), load);
  }

  @Override
  public int gear() {
    return shifter.gear();
  }

  @Override
  public int highest() {
    return means.groups().gears();
  }

  @Override
  protected void move(int to) throws InterruptedException {
    shifter.shift(to);
  }

  @Override
  protected void begin() {
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
    long now = nanos();
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
