package org.calando.engine.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.calando.control.ShiftGovernor;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.RackOrder;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.store.cassandra.gear.NodeSight;

/**
 * What a policy observes of the racks of a Cassandra, and how it powers them down and up. Its load
 * is what coordinators count; one that does not answer makes it unknown, and a load that is unknown
 * has all racks on, by the policies' guard.
 */
final class RackGovernor extends ShiftGovernor {
  private static final long ASK_SECONDS = 30;

  /**
   * Hints are kept for 24 h, and deletions for as long at least; a rack is switched on while a
   * tenth of that is left, and a shift may be tried again.
   */
  private static final long LONGEST_OFF_SECONDS = TimeUnit.HOURS.toSeconds(20);

  /** From a shift down that was taken back to the next one, at first and at most. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final RackMeans means;
  private final RackOrder order;
  private final ClientRequests requests;
  private final RackShifter shifter;
  private volatile List<String> troubles = List.of();
  private List<String> reminded = List.of();
  private Map<String, Count> last = Map.of();
  private long pauseNanos;
  private long downAgainNanos;

  /**
   * Observes nothing yet.
   *
   * @param order the racks in the order in which they go off
   * @param requests counts of the nodes; stays open
   * @param owner who shifts, for whoever finds the knob taken
   */
  RackGovernor(
      RackMeans means,
      RackOrder order,
      ClientRequests requests,
      Scheduler scheduler,
      Executor executor,
      LongSupplier localSeconds,
      String owner) {
    super(scheduler, executor, localSeconds);
    this.means = means;
    this.order = order;
    this.requests = requests;
    this.shifter = new RackShifter(means, owner);
  }

  /** {@inheritDoc} The first look is a period later: counts have to be compared. */
  @Override
  public long firstNanos(long periodNanos) {
    begin();
    return periodNanos;
  }

  @Override
  public String target() {
    return means.target();
  }

  @Override
  public Optional<String> unfinished() {
    return shifter
        .unfinished()
        .map(to -> (shifter.goesUp() ? ": " : " by taking it back: ") + to.words());
  }

  /**
   * {@inheritDoc} One that goes down is taken back: its rack may be missed by now. Its cause may
   * return, and each shift restarts nodes, so that the next one down is begun ever later.
   */
  @Override
  protected void finish() throws InterruptedException {
    boolean isTakenBack = !shifter.goesUp();
    shifter.settle();
    if (isTakenBack) {
      pauseNanos = Math.min(Math.max(2 * pauseNanos, FIRST_PAUSE_NANOS), LONGEST_PAUSE_NANOS);
      downAgainNanos = nanos() + pauseNanos;
    }
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  @Override
  public int gear() {
    return order.gearOf(shifter.current().off()).orElse(1);
  }

  @Override
  public int highest() {
    return order.highest();
  }

  @Override
  protected void move(int to) throws InterruptedException {
    boolean isDown = to < gear();
    long left = downAgainNanos - nanos();
    if (isDown && pauseNanos > 0 && left > 0) {
      throw new FailedWorkException(
          "the last shift down failed and was taken back; the next one is begun in %d s at the"
                  .formatted(TimeUnit.NANOSECONDS.toSeconds(left))
              + " earliest",
          target(),
          means.command("status") + " shows what is wrong");
    }
    // Racks come on together: those that came first would hold hints for the others.
    shifter.shift(order.offIn(to > gear() ? highest() : to));
    if (isDown) {
      pauseNanos = 0;
    }
  }

  @Override
  public String words(boolean isUnderWay) {
    return shifter.current().words();
  }

  @Override
  protected void begin() {
    last = Map.of();
    Optional<Map<String, Count>> counts = counts(new ArrayList<>());
    counts.ifPresent(found -> last = found);
  }

  @Override
  protected void tend() {
    reminded = shifter.keepHints();
  }

  @Override
  protected GearObservation observe() {
    List<String> found = new ArrayList<>();
    Set<String> off = shifter.offByOrder();
    for (String node : reminded) {
      found.add(node + " has started again while a rack is off, and keeps hints for it again");
    }
    reminded = List.of();
    for (String node : shifter.forgetful()) {
      found.add(
          node + " has started again while a rack is off, and keeps hints for too short a time");
    }
    int failed = 0;
    for (String name : means.servers().names()) {
      // One that is off may take its question to the end.
      if (!off.contains(name) && means.servers().sight(name).filter(NodeSight::serves).isEmpty()) {
        failed++;
      }
    }
    Optional<GearObservation.Load> load = load(off, found);
    if (shifter.areOffFor(LONGEST_OFF_SECONDS)) {
      found.add("a rack is off for nearly as long as hints are kept, and is to come back for them");
      // Policies have all racks on then, timetables too, and as they like once it is back.
      load = Optional.empty();
    }
    troubles = List.copyOf(found);
    return observed(gear(), failed, load);
  }

  private Optional<GearObservation.Load> load(Set<String> off, List<String> troubles) {
    Map<String, Count> before = last;
    Optional<Map<String, Count>> counts = counts(troubles);
    if (counts.isEmpty()) {
      return Optional.empty();
    }
    last = counts.get();
    double perSecond = 0;
    long oldest = Long.MAX_VALUE;
    for (String name : means.servers().names()) {
      if (off.contains(name)) {
        continue;
      }
      Count now = last.get(name);
      Count then = before.get(name);
      if (now == null || then == null || now.life() != then.life()) {
        return Optional.empty();
      }
      double seconds = (now.atNanos() - then.atNanos()) / 1e9;
      perSecond += (now.reads() + now.writes() - then.reads() - then.writes()) / seconds;
      oldest = Math.min(oldest, now.atNanos());
    }
    // Counts have System.nanoTime; the loop's clock may be another.
    long age = System.nanoTime() - oldest;
    return Optional.of(new GearObservation.Load(nanos() - age, perSecond, 0));
  }

  private Optional<Map<String, Count>> counts(List<String> troubles) {
    try {
      return Optional.of(
          requests.ask().toCompletableFuture().get(ASK_SECONDS, TimeUnit.SECONDS).nodes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException e) {
      troubles.add("the load could not be asked for: " + e);
      return Optional.empty();
    }
  }
}
