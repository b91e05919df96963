package org.calando.engine.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackOrder;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.GearSettings;
import org.calando.engine.NodeGears;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.NodeSight;

/**
 * The racks of a Cassandra: in the highest gear all are on, in each lower gear one fewer. The load
 * is what coordinators count; one that does not answer makes it unknown, and a load that is unknown
 * has all racks on, by the policies' guard.
 */
final class RackNodeGears extends NodeGears {
  private static final long ASK_SECONDS = 30;

  /**
   * Hints are kept for 24 h, and deletions for as long at least; a rack is switched on while a
   * tenth of that is left, and a shift may be tried again.
   */
  private static final long LONGEST_OFF_SECONDS = TimeUnit.HOURS.toSeconds(20);

  /** From one question after the replicas of all ranges to the next. */
  private static final long LACKS_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final RackMeans means;
  private final ClientRequests requests;
  private final RackShifter shifter;
  private final RackOrder order;
  private volatile List<String> troubles = List.of();

  // Of what carries out looks and shifts.
  private List<String> reminded = List.of();
  private Map<String, Count> last = Map.of();
  private Optional<String> lacks = Optional.empty();
  private long lacksAgainNanos;

  /**
   * Racks that go off in an order.
   *
   * @param requests counts of the nodes; is closed with this
   * @param order asks for the order
   * @throws FailedWorkException if a node does not answer
   */
  RackNodeGears(
      User user, RackMeans bare, ClientRequests requests, Function<RackShifter, RackOrder> order) {
    super(user);
    Consumer<String> news = bare.board().news();
    this.means =
        new RackMeans(
            bare.servers(),
            new SwitchBoard(
                told(bare.board().switches(), name -> name),
                bare.board().telling(),
                news.andThen(this::report)),
            bare.path(),
            bare.keeps(),
            bare.patience(),
            bare.named(),
            bare.changed(),
            bare.offSeconds());
    this.requests = requests;
    this.shifter = new RackShifter(means, user.owner());
    try {
      this.order = order.apply(shifter);
    } catch (RuntimeException | Error e) {
      requests.close();
      throw e;
    }
  }

  /** Those of a governor, which keep what is promised to clients. */
  static RackNodeGears governed(
      User user, RackMeans means, ClientRequests requests, GearSettings settings) {
    try {
      requireFitting(settings);
    } catch (RuntimeException e) {
      requests.close();
      throw e;
    }
    return new RackNodeGears(
        user,
        means,
        requests,
        shifter -> {
          if (!settings.keeps().equals(KeptCopies.QUORUM)) {
            requireKept(means, shifter);
          }
          return shifter.gears();
        });
  }

  private static void requireFitting(GearSettings settings) {
    if (settings.capacity().ofBytes()) {
      throw new BadRequestException(
          "is in bytes", "gears.capacity", "write operations that a node serves: 2000/s");
    }
    if (settings.bandwidth().isPresent()) {
      throw new BadRequestException(
          "is not supported by cassandra, whose nodes deliver hints by their own limit",
          "gears.bandwidth",
          "remove it; set hinted_handoff_throttle in cassandra.yaml");
    }
  }

  /** Whether a gear keeps what is promised is asked of the ring while all of it is on. */
  private static void requireKept(RackMeans means, RackShifter shifter) {
    if (!shifter.isKept()) {
      // Not a bad request: other clusters of the file stay governed, and this one once it is on.
      throw new FailedWorkException(
          shifter.current().words() + ", for less than is promised now",
          "promise",
          means.command("up") + ", and it is governed again");
    }
    if (shifter.gears().highest() == 1) {
      throw new BadRequestException(
          "no rack may be off: " + shifter.obstacle(),
          "promise",
          "promise less of survive and copies, declare the levels that clients use, or remove"
              + " gear");
    }
  }

  /**
   * Those of a study.
   *
   * @param told what its file tells
   * @throws BadRequestException if the cluster has other racks than that
   */
  static RackNodeGears studied(User user, RackMeans means, RackGears told) {
    RackNodeGears gears =
        new RackNodeGears(
            user,
            means,
            ClientRequests.unknown("clients of studies count"),
            shifter -> shifter.gears(told.mostOff()));
    if (gears.mayBeOff().size() != told.nodesOff()) {
      throw new BadRequestException(
          "the cluster's racks differ from its file: those that would be powered down have "
              + String.join(", ", gears.order.nodesOf(gears.order.offIn(1))),
          "matrix.gear",
          "write the racks of cassandra-rackdc.properties into the inventory");
    }
    return gears;
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

  /**
   * {@inheritDoc} A study waits no longer for its own shifts that failed, but for those of others.
   */
  @Override
  public void hold() {
    shifter.hold();
    long left = user().isGovernor() ? 0 : pauseMillis();
    if (left > 0) {
      throw new BadRequestException(
          tooSoon(left),
          target(),
          "see " + status() + "; " + means.command("down") + " tries at once");
    }
  }

  @Override
  public int gear() {
    return order.gearOf(shifter.mayBeOff()).orElse(1);
  }

  @Override
  public int highest() {
    return order.highest();
  }

  @Override
  public int nodesOn(int gear) {
    return order.nodes() - order.nodesOf(order.offIn(gear)).size();
  }

  /** Names of the nodes that are off in the lowest gear. */
  Set<String> mayBeOff() {
    return Set.copyOf(order.nodesOf(order.offIn(1)));
  }

  @Override
  public GearModel model() {
    return model(means.offSeconds());
  }

  @Override
  public Optional<String> unfinished() {
    return shifter
        .unfinished()
        .map(to -> (shifter.goesUp() ? ": " : " by taking it back: ") + to.words());
  }

  @Override
  public String status() {
    return means.command("status");
  }

  /** {@inheritDoc} A plan that goes down is taken back: to resume it would switch the rack off. */
  @Override
  public String remedy() {
    String up = means.command("up");
    return unfinished().map(open -> up + (shifter.goesUp() ? " --resume" : " --undo")).orElse(up);
  }

  /** {@inheritDoc} Its rack may be missed by now; its cause may return, so the next is later. */
  @Override
  public void settle() throws InterruptedException {
    boolean isTakenBack = unfinished().isPresent() && canUndo();
    if (unfinished().isPresent()) {
      shifter.settle();
    }
    if (isTakenBack) {
      shifter.noteFailure(user().millis().getAsLong());
    }
  }

  @Override
  public boolean canUndo() {
    return !shifter.goesUp();
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  /**
   * {@inheritDoc} Racks come on together: those that came first would hold hints for the others.
   */
  @Override
  protected int goal(int to) {
    return to > gear() ? highest() : to;
  }

  @Override
  protected void move(int to) throws InterruptedException {
    long left = user().isGovernor() && to < gear() ? pauseMillis() : 0;
    if (left > 0) {
      throw new FailedWorkException(tooSoon(left), target(), status() + " shows what is wrong");
    }
    shifter.shift(order.offIn(to));
  }

  private long pauseMillis() {
    return shifter.pauseMillis(user().millis().getAsLong());
  }

  private static String tooSoon(long leftMillis) {
    return "the last shift down failed and was reverted; the next one begins in %d s at the"
            .formatted((leftMillis + 999) / 1000)
        + " earliest";
  }

  @Override
  public String words() {
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
    shifter.keepClientsOff();
    reminded = shifter.keepHints();
  }

  @Override
  public int failed() {
    Set<String> off = shifter.offByOrder();
    int failed = 0;
    for (String name : means.servers().names()) {
      // One that is off may take its question to the end.
      if (!off.contains(name) && means.servers().sight(name).filter(NodeSight::serves).isEmpty()) {
        failed++;
      }
    }
    return failed;
  }

  @Override
  protected Sight look() {
    List<String> found = new ArrayList<>();
    for (String node : reminded) {
      found.add(node + " has started again while a rack is off, and keeps hints for it again");
    }
    reminded = List.of();
    for (String node : shifter.forgetful()) {
      found.add(
          node + " has started again while a rack is off, and keeps hints for too short a time");
    }
    int failed = failed();
    Optional<GearObservation.Load> load = load(shifter.offByOrder(), found);
    if (shifter.areOffFor(LONGEST_OFF_SECONDS)) {
      found.add("a rack is off for nearly as long as hints are kept, and is to come back for them");
      // Policies have all racks on then, timetables too, and as they like once it is back.
      load = Optional.empty();
    }
    if (lacks().isPresent()) {
      found.add("a rack is off and is to come back: " + lacks().get());
      load = Optional.empty();
    }
    troubles = List.copyOf(found);
    return new Sight(failed, load);
  }

  /** What ranges lack; asked for now and then, as it is of all of them. */
  private Optional<String> lacks() {
    if (shifter.mayBeOff().isEmpty()) {
      lacks = Optional.empty();
      lacksAgainNanos = 0;
    } else if (lacksAgainNanos == 0 || nanos() - lacksAgainNanos >= 0) {
      lacks = shifter.shortfall();
      lacksAgainNanos = nanos() + LACKS_NANOS;
    }
    return lacks;
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

  @Override
  public void close() {
    shifter.letGo();
    requests.close();
  }
}
