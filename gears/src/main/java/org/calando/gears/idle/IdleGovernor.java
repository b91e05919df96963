package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import org.calando.store.hbase.RegionServers;

/*
 * To a policy of gears, gear 1 is that only the fewest nodes are awake, and each further gear is a node more. What cannot
 * be told for a moment ends nothing: a load that is not known wakes all, by the policies' guard, and a shift that is
 * refused before it begins is tried again later. Only a plan that was begun and failed is somebody else's to see to.
 */
/**
 * Has a policy decide how many servers are awake, look by look, and wakes them or has them sleep.
 * Not thread safe.
 */
public final class IdleGovernor {
  /** In which servers may come to report twice since counting was begun. */
  private static final long GRACE_NANOS = 30_000_000_000L;

  private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;

  /** Longest from one refusal to the next try, of waking and of having sleep. */
  private static final long WAKE_PAUSE_NANOS = 30_000_000_000L;

  private static final long SLEEP_PAUSE_NANOS = 300_000_000_000L;

  private final IdleMeans means;
  private final PolicyLoop<GearState> loop;
  private final BiConsumer<Decision<GearState>, String> journal;
  private final int least;
  private final LongSupplier nanos;
  private final LongSupplier localSeconds;
  private final boolean dryRun;
  private final IdleShifter shifter;
  private final LoadMeter meter = new LoadMeter();
  private long begunNanos;
  private Optional<IdleSetting> refused = Optional.empty();
  private long pauseNanos;
  private long againNanos;

  /**
   * What a look found and did.
   *
   * @param before who slept
   * @param decided who is to sleep
   * @param requestsPerSecond rows that clients read and wrote; empty if not known yet
   * @param failed nodes that ought to serve and do not
   * @param reasons of the policy
   * @param troubles what could not be asked for
   * @param tried whether a shift was ordered
   * @param notNow why it was not carried out, or not ordered yet again: nothing was begun
   */
  public record Look(
      IdleSetting before,
      IdleSetting decided,
      Optional<Double> requestsPerSecond,
      int failed,
      List<String> reasons,
      List<String> troubles,
      boolean tried,
      Optional<String> notNow) {
    /** Copies the lists. */
    public Look {
      reasons = List.copyOf(reasons);
      troubles = List.copyOf(troubles);
    }

    /** Whether what was decided was carried out. */
    public boolean shifted() {
      return tried && notNow.isEmpty();
    }
  }

  /**
   * Looks at nothing yet.
   *
   * @param loop of a policy whose gear 1 has {@code least} nodes awake, and each further gear one
   *     more
   * @param least nodes that are awake always, 1 or more
   * @param nanos monotonic clock
   * @param localSeconds since a Monday's 00:00, of local time
   * @param dryRun decides only
   * @param journal notes each decision before it is acted on, with what is in force
   * @param owner who shifts, for whoever finds the knob taken
   */
  public IdleGovernor(
      IdleMeans means,
      PolicyLoop<GearState> loop,
      int least,
      LongSupplier nanos,
      LongSupplier localSeconds,
      boolean dryRun,
      BiConsumer<Decision<GearState>, String> journal,
      String owner) {
    this.means = means;
    this.loop = loop;
    this.journal = journal;
    this.least = least;
    this.nanos = nanos;
    this.localSeconds = localSeconds;
    this.dryRun = dryRun;
    this.shifter = new IdleShifter(means, owner);
  }

  /**
   * Resumes a shift that somebody began and did not finish, unless it is a dry run; and begins to
   * count. Looks come a while later: one that does not know the load wakes all.
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
   * Observes, has the policy decide, and carries it out. What HBase or HDFS does not tell just now
   * is not known; a shift that is refused before anything is begun is told, and tried again later.
   *
   * @throws org.calando.core.FailedWorkException if a step of a shift failed: the plan is open, and
   *     safe to leave
   */
  public Look look() throws InterruptedException {
    IdleSetting now = shifter.current();
    List<String> troubles = new ArrayList<>();
    Optional<Integer> failed = asked("the nodes", () -> failed(now), troubles);
    Optional<GearObservation.Load> load =
        asked("the load", this::load, troubles)
            .flatMap(known -> known)
            .filter(known -> failed.isPresent());
    if (load.isEmpty() && troubles.isEmpty() && failed.orElse(0) == 0 && isEarly()) {
      return new Look(
          now,
          now,
          Optional.empty(),
          0,
          List.of("servers have not yet reported twice"),
          List.of(),
          false,
          Optional.empty());
    }
    int gear = Math.max(1, means.nodes().size() - now.asleep().size() - least + 1);
    Decision<GearState> decided =
        loop.decide(
            new GearObservation(
                nanos.getAsLong(),
                localSeconds.getAsLong(),
                means.regions().name(),
                gear,
                failed.orElse(0),
                load));
    journal.accept(decided, now.words());
    IdleSetting wanted =
        IdleSetting.of(
            asleep(
                now.asleep(), means.nodes(), least + decided.value(KnobId.GEAR).orElse(gear) - 1));
    boolean due = !wanted.equals(now) && !dryRun;
    boolean waits = due && waits(wanted);
    Optional<String> notNow =
        waits
            ? Optional.of("was refused, and is tried again later")
            : due ? shift(now, wanted) : Optional.empty();
    return new Look(
        now,
        wanted,
        load.map(GearObservation.Load::perSecond),
        failed.orElse(0),
        decided.step().reasons(),
        troubles,
        due && !waits,
        notNow);
  }

  /** An answer; empty, with why, if there is none now. */
  private static <T> Optional<T> asked(String what, Supplier<T> asks, List<String> troubles) {
    try {
      return Optional.of(asks.get());
    } catch (CalandoException e) {
      troubles.add(what + " could not be asked for: " + words(e));
      return Optional.empty();
    }
  }

  /** In one line. */
  private static String words(CalandoException e) {
    return String.valueOf(e.getMessage()).replace("\n  ", "; ");
  }

  private boolean isEarly() {
    return nanos.getAsLong() - begunNanos < GRACE_NANOS;
  }

  /** Whether it is too early to order again what was refused. */
  private boolean waits(IdleSetting wanted) {
    return refused.filter(wanted::equals).isPresent() && nanos.getAsLong() - againNanos < 0;
  }

  /** Shifts; returns why not, if nothing was begun. */
  private Optional<String> shift(IdleSetting now, IdleSetting wanted) throws InterruptedException {
    boolean again = refused.filter(wanted::equals).isPresent();
    try {
      shifter.shift(wanted.asleep());
    } catch (CalandoException e) {
      if (e instanceof FailedWorkException && shifter.unfinished().isPresent()) {
        throw e;
      }
      boolean waking = wanted.without(now).isEmpty();
      pauseNanos =
          again
              ? Math.min(2 * pauseNanos, waking ? WAKE_PAUSE_NANOS : SLEEP_PAUSE_NANOS)
              : FIRST_PAUSE_NANOS;
      againNanos = nanos.getAsLong() + pauseNanos;
      refused = Optional.of(wanted);
      return Optional.of(words(e));
    }
    refused = Optional.empty();
    begin();
    return Optional.empty();
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
    meter.begin();
    begunNanos = nanos.getAsLong();
    // If it cannot be asked for now, the next look begins to count.
    var unused = asked("the load", this::load, new ArrayList<>());
  }

  /** Nodes that are to be awake, and of which the server or the DataNode does not serve. */
  private int failed(IdleSetting now) {
    Set<String> live = means.live();
    Set<String> serving = IdleOrders.serving(means);
    return (int)
        means.others(now.asleep()).stream()
            .filter(node -> !live.contains(node.server()) || !serving.contains(node.dataNode()))
            .count();
  }

  private Optional<GearObservation.Load> load() {
    List<RegionServers.Report> reports = means.regions().reports();
    return meter.look(reports, nanos.getAsLong());
  }
}
