package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.control.ShiftGovernor;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.calando.store.hbase.RegionServers;

/*
 * To a policy of gears, gear 1 is that only the fewest nodes are awake, and each further gear is a node more. What cannot
 * be known for a moment ends nothing: a load that is not known wakes all, by the policies' guard, and a shift that is
 * refused before it begins is tried again later.
 */
/** What a policy observes of the servers of an HBase, and how it wakes them or has them sleep. */
public final class IdleGovernor extends ShiftGovernor {
  /** In which servers may come to report twice since counting was begun. */
  private static final long GRACE_NANOS = 30_000_000_000L;

  private final IdleMeans means;
  private final int least;
  private final Runnable shifted;
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
   * @param shifted runs after each shift, when servers have other processes
   */
  public IdleGovernor(
      IdleMeans means,
      int least,
      Scheduler scheduler,
      Executor executor,
      LongSupplier localSeconds,
      String owner,
      Runnable shifted) {
    super(scheduler, executor, localSeconds);
    this.means = means;
    this.least = least;
    this.shifted = shifted;
    this.shifter = new IdleShifter(means, owner);
    this.begunNanos = nanos();
  }

  /**
   * {@inheritDoc} Begins to count; the first look is a period later: a decision that does not know
   * the load wakes all.
   */
  @Override
  public long firstNanos(long periodNanos) {
    begin();
    return periodNanos;
  }

  @Override
  public Optional<String> unfinished() {
    return shifter.unfinished().map(setting -> ": " + setting.words());
  }

  @Override
  protected void finish() throws InterruptedException {
    shifter.resume();
    shifted.run();
  }

  @Override
  public String target() {
    return means.regions().name();
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  @Override
  protected GearObservation observe() {
    IdleSetting now = shifter.current();
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
    return observed(Math.max(1, gear(now)), failed.orElse(0), load);
  }

  /** Below 1 while fewer are awake than are to be. */
  private int gear(IdleSetting now) {
    return means.nodes().size() - now.asleep().size() - least + 1;
  }

  @Override
  public int gear() {
    return gear(shifter.current());
  }

  @Override
  public int highest() {
    return means.nodes().size() - least + 1;
  }

  @Override
  protected void move(int to) throws InterruptedException {
    shifter.shift(asleep(shifter.current().asleep(), means.nodes(), least + to - 1));
    shifted.run();
  }

  @Override
  public String words(boolean isUnderWay) {
    return shifter.current().words();
  }

  /**
   * An answer; empty, with why, if there is none now.
   *
   * @throws BadRequestException if there never was one, and there will be none
   */
  private <T> Optional<T> asked(String what, Supplier<T> asks, List<String> troubles) {
    try {
      return Optional.of(asks.get());
    } catch (CalandoException e) {
      if (e instanceof BadRequestException && !hasObserved()) {
        throw e;
      }
      troubles.add(
          what
              + " could not be asked for: "
              + String.valueOf(e.getMessage()).replace("\n  ", "; "));
      return Optional.empty();
    }
  }

  private boolean isEarly() {
    return nanos() - begunNanos < GRACE_NANOS;
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

  @Override
  protected void begin() {
    meter.begin();
    begunNanos = nanos();
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
    return meter.look(reports, nanos());
  }
}
