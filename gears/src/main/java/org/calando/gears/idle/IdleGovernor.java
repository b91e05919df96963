package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import org.calando.store.hbase.RegionServers;

/*
 * To a policy of gears, gear 1 is that only the fewest nodes are awake, and each further gear is a node more. What cannot
 * be known for a moment ends nothing: a load that is not known wakes all, by the policies' guard, and a shift that is
 * refused before it begins is tried again later.
 */
/**
 * What a policy observes of the servers of an HBase, and how it wakes them or has them sleep. Asks
 * and shifts on the executor, which carries out one thing after the other.
 */
public final class IdleGovernor implements ShiftActor.Shifts<IdleSetting> {
  /** In which servers may come to report twice since counting was begun. */
  private static final long GRACE_NANOS = 30_000_000_000L;

  /** Asking a master that is gone takes its client so long at most. */
  private static final long DEADLINE_NANOS = 600_000_000_000L;

  private final IdleMeans means;
  private final int least;
  private final Scheduler scheduler;
  private final Executor executor;
  private final LongSupplier localSeconds;
  private final IdleShifter shifter;
  private volatile List<String> troubles = List.of();

  // Of the executor's work, but for what is done before there is any.
  private final LoadMeter meter = new LoadMeter();
  private long begunNanos;

  /**
   * Observes nothing yet.
   *
   * @param least nodes that are awake always, 1 or more
   * @param executor carries out one thing after the other
   * @param localSeconds since a Monday's 00:00, of local time
   * @param owner who shifts, for whoever finds the knob taken
   */
  public IdleGovernor(
      IdleMeans means,
      int least,
      Scheduler scheduler,
      Executor executor,
      LongSupplier localSeconds,
      String owner) {
    this.means = means;
    this.least = least;
    this.scheduler = scheduler;
    this.executor = executor;
    this.localSeconds = localSeconds;
    this.shifter = new IdleShifter(means, owner);
  }

  /**
   * Resumes a shift that somebody began and did not finish, unless it is a dry run; and begins to
   * count. The loop is to begin a while later: a decision that does not know the load wakes all.
   *
   * @return who is to sleep by the shift, if there is one
   */
  public Optional<IdleSetting> resume(boolean dryRun) throws InterruptedException {
    Optional<IdleSetting> to = shifter.unfinished();
    if (to.isPresent() && !dryRun) {
      shifter.resume();
    }
    begin();
    return to;
  }

  /**
   * A loop by which a policy decides who sleeps. What HBase or HDFS does not answer just now is not
   * known. A step of a shift that fails ends it: the plan is open, and safe to leave.
   *
   * @param policy whose gear 1 has {@code least} nodes awake, and each further gear one more
   * @param dryRun decides only
   * @param listener hears what became of decisions
   */
  public <S> ControlLoopBuilder<S> loop(
      PolicyLoop<S> policy, boolean dryRun, Consumer<ShiftActor.Look<IdleSetting>> listener) {
    return ControlLoop.asking(
            scheduler,
            policy,
            now -> CompletableFuture.supplyAsync(this::observe, executor),
            new ShiftActor<>(this, true, dryRun, listener))
        .deadlineNanos(DEADLINE_NANOS);
  }

  /** What decisions are about: the cluster. */
  public String target() {
    return means.regions().name();
  }

  /** What could not be asked for at the last look. */
  public List<String> troubles() {
    return troubles;
  }

  private GearObservation observe() {
    IdleSetting now = current();
    List<String> found = new ArrayList<>();
    Optional<Integer> failed = asked("the nodes", () -> failed(now), found);
    Optional<GearObservation.Load> load =
        asked("the load", this::load, found)
            .flatMap(known -> known)
            .filter(known -> failed.isPresent());
    troubles = List.copyOf(found);
    if (load.isEmpty() && found.isEmpty() && failed.orElse(0) == 0 && isEarly()) {
      throw new FailedWorkException("servers have not yet reported twice", "", "");
    }
    return new GearObservation(
        scheduler.clock().nanos(),
        localSeconds.getAsLong(),
        target(),
        gear(now),
        failed.orElse(0),
        load);
  }

  private int gear(IdleSetting now) {
    return Math.max(1, means.nodes().size() - now.asleep().size() - least + 1);
  }

  @Override
  public IdleSetting current() {
    return shifter.current();
  }

  @Override
  public IdleSetting wanted(Decision<?> decision, IdleSetting now) {
    int awake = least + decision.value(KnobId.GEAR).orElse(gear(now)) - 1;
    return IdleSetting.of(asleep(now.asleep(), means.nodes(), awake));
  }

  @Override
  public boolean isUp(IdleSetting from, IdleSetting to) {
    return to.without(from).isEmpty();
  }

  @Override
  public CompletionStage<?> shift(IdleSetting from, IdleSetting to) {
    return ShiftActor.on(
        executor,
        () -> {
          shifter.shift(to.asleep());
          begin();
        });
  }

  @Override
  public boolean isRefusal(CalandoException why) {
    return !(why instanceof FailedWorkException) || shifter.unfinished().isEmpty();
  }

  @Override
  public String words(IdleSetting current, boolean isUnderWay) {
    return current.words();
  }

  /** An answer; empty, with why, if there is none now. */
  private static <T> Optional<T> asked(String what, Supplier<T> asks, List<String> troubles) {
    try {
      return Optional.of(asks.get());
    } catch (CalandoException e) {
      troubles.add(
          what
              + " could not be asked for: "
              + String.valueOf(e.getMessage()).replace("\n  ", "; "));
      return Optional.empty();
    }
  }

  private boolean isEarly() {
    return scheduler.clock().nanos() - begunNanos < GRACE_NANOS;
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
    begunNanos = scheduler.clock().nanos();
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
    return meter.look(reports, scheduler.clock().nanos());
  }
}
