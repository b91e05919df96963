package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.calando.core.policy.gear.GearLoop;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.store.hbase.RegionServers;

/*
 * To a policy of gears, gear 1 is that only the fewest nodes are awake, and each further gear is a node more. The load is
 * what servers count: rows that clients read and wrote, of all tables but HBase's own. A region's count begins anew where
 * it is opened, so it is compared with what the same process of the same server said of it before.
 */
/**
 * Has a policy decide how many servers are awake, look by look, and wakes them or has them sleep.
 * Not thread safe.
 */
public final class IdleGovernor {
  private final IdleMeans means;
  private final GearLoop loop;
  private final int least;
  private final LongSupplier nanos;
  private final LongSupplier localSeconds;
  private final boolean dryRun;
  private final IdleShifter shifter;
  private Map<String, Long> last = Map.of();
  private long lastNanos;
  private boolean looked;

  /**
   * What a look came to.
   *
   * @param before who slept
   * @param decided who is to sleep
   * @param requestsPerSecond rows that clients read and wrote; empty if not known yet
   * @param failed nodes that ought to serve and do not
   * @param reasons of the policy
   * @param shifted whether that was carried out
   */
  public record Look(
      IdleSetting before,
      IdleSetting decided,
      Optional<Double> requestsPerSecond,
      int failed,
      List<String> reasons,
      boolean shifted) {
    /** Copies the list. */
    public Look {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * Looks at nothing yet.
   *
   * @param policy whose gear 1 has {@code least} nodes awake, and each further gear one more
   * @param least nodes that are awake always, 1 or more
   * @param nanos monotonic clock
   * @param localSeconds since a Monday's 00:00, of local time
   * @param dryRun decides only
   * @param owner who shifts, for whoever finds the knob taken
   */
  public IdleGovernor(
      IdleMeans means,
      GearPolicy policy,
      int least,
      LongSupplier nanos,
      LongSupplier localSeconds,
      boolean dryRun,
      String owner) {
    this.means = means;
    this.loop = new GearLoop(policy);
    this.least = least;
    this.nanos = nanos;
    this.localSeconds = localSeconds;
    this.dryRun = dryRun;
    this.shifter = new IdleShifter(means, owner);
  }

  /**
   * Goes on with a shift that somebody began and did not finish, unless it is a dry run; and begins
   * to count. Looks come a while later: one that does not know the load wakes all.
   *
   * @return who is to sleep by the shift, if there is one
   */
  public Optional<IdleSetting> resume() throws InterruptedException {
    Optional<IdleSetting> to = shifter.unfinished();
    if (to.isPresent() && !dryRun) {
      shifter.resume();
    }
    begin();
    return to;
  }

  /**
   * Observes, has the policy decide, and carries it out.
   *
   * @throws org.calando.core.FailedWorkException if a step of a shift failed: the plan is open, and
   *     safe to leave
   */
  public Look look() throws InterruptedException {
    IdleSetting now = shifter.current();
    int gear = Math.max(1, means.nodes().size() - now.asleep().size() - least + 1);
    Optional<GearObservation.Load> load = load();
    int failed = failed(now);
    GearLoop.Decided decided =
        loop.decide(
            new GearObservation(
                nanos.getAsLong(),
                localSeconds.getAsLong(),
                means.regions().name(),
                gear,
                failed,
                load));
    IdleSetting wanted =
        IdleSetting.of(asleep(now.asleep(), means.nodes(), least + decided.gear() - 1));
    boolean shift = !wanted.equals(now) && !dryRun;
    if (shift) {
      shifter.shift(wanted.asleep());
      begin();
    }
    return new Look(
        now,
        wanted,
        load.map(GearObservation.Load::perSecond),
        failed,
        decided.step().reasons(),
        shift);
  }

  /** Who sleeps where so many are to be awake: the last go to sleep first, and wake last. */
  static Set<String> asleep(Set<String> now, List<IdleNode> nodes, int awake) {
    int wanted = Math.max(0, nodes.size() - awake);
    Set<String> asleep = new TreeSet<>(now);
    List<IdleNode> order = new ArrayList<>(nodes);
    for (IdleNode node : order) {
      if (asleep.size() > wanted) {
        asleep.remove(node.name());
      }
    }
    for (int i = order.size() - 1; i >= 0 && asleep.size() < wanted; i--) {
      asleep.add(order.get(i).name());
    }
    return asleep;
  }

  /** Counts from now on: what came before, or moved in a shift, is no load. */
  private void begin() {
    looked = false;
    var unused = load();
  }

  private int failed(IdleSetting now) {
    Set<String> live = means.regions().live();
    return (int)
        means.others(now.asleep()).stream().filter(node -> !live.contains(node.server())).count();
  }

  private Optional<GearObservation.Load> load() {
    long at = nanos.getAsLong();
    Map<String, Long> counts = new HashMap<>();
    for (RegionServers.Load load : means.regions().loads()) {
      if (!load.region().isSystem()) {
        String key = load.server() + "," + load.startCode() + "," + load.region().id();
        counts.put(key, load.requests());
      }
    }
    long requests = 0;
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      requests +=
          count.getValue() - Math.min(count.getValue(), last.getOrDefault(count.getKey(), 0L));
    }
    double seconds = (at - lastNanos) / 1e9;
    boolean first = !looked || !(seconds > 0);
    last = counts;
    lastNanos = at;
    looked = true;
    return first
        ? Optional.empty()
        : Optional.of(new GearObservation.Load(at, requests / seconds, 0));
  }
}
