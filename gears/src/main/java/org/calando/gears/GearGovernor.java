package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearState;
import org.calando.store.hdfs.NodeTraffic;

/*
 *   nodes' counters of bytes --> MB/s of the last period --> PolicyLoop --> GearShifter
 *
 * A shift is carried out within the look that ordered it: what the nodes moved in it is no load of clients, so the counts begin
 * anew at its end. The next look knows the load since: one that did not would have to go up again, as policies do in doubt.
 * A name server that does not answer is no such doubt: no gear can be shifted to then, and the counts go on behind its back.
 */
/**
 * Has a policy decide about the gear of a real cluster, look by look, and shifts it. It observes
 * megabytes a second that nodes read and write for clients, each written byte once. Not thread
 * safe.
 */
public final class GearGovernor {
  private static final double MEGA = 1e6;

  /** From a shift that is refused to the next try, down and up. */
  private static final long DOWN_PAUSE_NANOS = 300_000_000_000L;

  private static final long UP_PAUSE_NANOS = 30_000_000_000L;

  private final GearMeans means;
  private final PolicyLoop<GearState> loop;
  private final BiConsumer<Decision<GearState>, String> journal;
  private final Supplier<List<NodeTraffic>> traffic;
  private final LongSupplier nanos;
  private final LongSupplier localSeconds;
  private final boolean dryRun;
  private final GearShifter shifter;
  private Map<String, NodeTraffic> last = Map.of();
  private long lastNanos;
  private boolean looked;
  private boolean silent;
  private int refused;
  private long againNanos;

  /**
   * What a look found and did.
   *
   * @param gear before
   * @param decided by the policy
   * @param megabytesPerSecond of clients; empty if it is not known yet
   * @param failedNodes that ought to serve and do not
   * @param reasons of the policy
   * @param shifted whether the cluster is in the decided gear now, and was not before
   * @param silence why nothing could be asked for: no decision was taken, and the gear stays
   * @param answersAgain whether that was so at the look before, and is not any more
   * @param notNow why a shift was refused, or not ordered yet again: nothing was begun
   */
  public record Look(
      int gear,
      int decided,
      Optional<Double> megabytesPerSecond,
      int failedNodes,
      List<String> reasons,
      boolean shifted,
      Optional<String> silence,
      boolean answersAgain,
      Optional<String> notNow) {
    /** Copies the list. */
    public Look {
      reasons = List.copyOf(reasons);
    }
  }

  /** What is asked of the store for a decision. */
  private record Asked(Optional<GearObservation.Load> load, int failed) {}

  /**
   * Looks at nothing yet.
   *
   * @param loop of the cluster, of a policy whose model's operations are megabytes (10^6)
   * @param traffic asks the nodes that are on
   * @param nanos monotonic clock
   * @param localSeconds since a Monday's 00:00, of local time
   * @param dryRun decides only
   * @param journal notes each decision before it is acted on, with what is in force
   * @param owner who shifts, for whoever finds the gear taken
   */
  public GearGovernor(
      GearMeans means,
      PolicyLoop<GearState> loop,
      Supplier<List<NodeTraffic>> traffic,
      LongSupplier nanos,
      LongSupplier localSeconds,
      boolean dryRun,
      BiConsumer<Decision<GearState>, String> journal,
      String owner) {
    this.means = means;
    this.loop = loop;
    this.journal = journal;
    this.traffic = traffic;
    this.nanos = nanos;
    this.localSeconds = localSeconds;
    this.dryRun = dryRun;
    this.shifter = new GearShifter(means, owner);
  }

  /**
   * Resumes a shift that somebody began and did not finish; nothing in a dry run.
   *
   * @return the gear that it was to, if there is one
   */
  public Optional<Integer> resume() throws InterruptedException {
    Optional<Integer> to =
        GearShifter.unfinished(means.path()).map(entry -> GearSetting.parse(entry.value()).gear());
    if (to.isPresent() && !dryRun) {
      shifter.resume();
    }
    return to;
  }

  /**
   * Observes, has the policy decide, and shifts if it wants another gear. While the store does not
   * answer nothing is decided; a shift that is refused before anything is begun is tried again.
   *
   * @throws org.calando.core.FailedWorkException if a step of the shift failed: the plan is open,
   *     and safe to leave
   */
  public Look look() throws InterruptedException {
    int gear = shifter.gear();
    Asked asked;
    try {
      asked = new Asked(load(), failed(gear));
    } catch (FailedWorkException e) {
      silent = true;
      return new Look(
          gear,
          gear,
          Optional.empty(),
          0,
          List.of(),
          false,
          Optional.of(e.problem()),
          false,
          Optional.empty());
    }
    boolean again = silent;
    silent = false;
    Decision<GearState> decided =
        loop.decide(
            new GearObservation(
                nanos.getAsLong(),
                localSeconds.getAsLong(),
                means.cluster().target(),
                gear,
                asked.failed(),
                asked.load()));
    journal.accept(decided, "gear " + gear);
    int wanted = Math.min(decided.value(KnobId.GEAR).orElse(gear), means.groups().gears());
    boolean shift = wanted != gear && !dryRun;
    Optional<String> notNow = shift ? shift(gear, wanted) : Optional.empty();
    return new Look(
        gear,
        wanted,
        asked.load().map(GearObservation.Load::perSecond),
        asked.failed(),
        decided.step().reasons(),
        shift && notNow.isEmpty(),
        Optional.empty(),
        again,
        notNow);
  }

  /** Shifts; returns why not, if nothing was begun. */
  private Optional<String> shift(int gear, int wanted) throws InterruptedException {
    if (wanted == refused && nanos.getAsLong() - againNanos < 0) {
      return Optional.of("was refused, and is tried again later");
    }
    try {
      shifter.shift(wanted);
    } catch (CalandoException e) {
      if (e instanceof FailedWorkException && GearShifter.unfinished(means.path()).isPresent()) {
        throw e;
      }
      refused = wanted;
      againNanos = nanos.getAsLong() + (wanted < gear ? DOWN_PAUSE_NANOS : UP_PAUSE_NANOS);
      return Optional.of(e.problem() + "; " + e.remedy());
    }
    refused = 0;
    looked = false;
    begin();
    return Optional.empty();
  }

  /** Counts from now on; if it cannot be asked for now, the next look begins to count. */
  private void begin() {
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
    long now = nanos.getAsLong();
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
