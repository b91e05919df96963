package org.calando.gears.idle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.control.Lease;
import org.calando.control.OffKnob;
import org.calando.control.OffSetting;
import org.calando.control.Shifter;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.gears.Remedies;
import org.calando.gears.idle.IdleOrders.Order;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.calando.store.hbase.RegionServers.Region;

/** Powers idle servers down and up. Not thread safe. */
public final class IdleShifter extends Shifter<OffSetting, OffKnob> {
  /** How an open plan is resumed; the alternatives are in docs/idle.md. */
  public static final String RESUME = "./calando idle up --local --resume";

  private final IdleMeans means;
  private final IdleOrders orders;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param owner who it is, for whoever finds the knob taken
   */
  public IdleShifter(IdleMeans means, String owner) {
    super(
        means.path(),
        knob(means),
        OffSetting::parse,
        owner,
        means.path().toString(),
        "./calando idle status --local",
        RESUME);
    this.means = means;
    this.orders = new IdleOrders(means);
  }

  static OffKnob knob(IdleMeans means) {
    return new OffKnob(
        "idle-servers",
        "hbase " + means.regions().name(),
        means.path(),
        () -> IdleState.FILE.read(means.path()).setting(),
        (from, to) ->
            IdleState.FILE
                .read(means.path())
                .shift()
                .filter(noted -> noted.from().equals(from) && noted.to().equals(to))
                .map(shift -> steps(means, shift)));
  }

  private static List<Plan.Action> steps(IdleMeans means, Shift shift) {
    return shift.to().without(shift.from()).isEmpty()
        ? new IdleUp(means, shift).steps()
        : new IdleDown(means, shift).steps();
  }

  /**
   * What a shift would do. Changes nothing.
   *
   * @param asleep names of the nodes that are to sleep then
   * @throws BadRequestException if there is no such node, or it is no shift
   */
  public IdlePlan dryRun(Set<String> asleep) throws InterruptedException {
    return dryRun(orders.shift(asleep));
  }

  /**
   * What {@link #wake} would do. Changes nothing.
   *
   * @param named names of nodes; none for all
   * @throws BadRequestException if there is no such node, or all are as they are to be
   */
  public IdlePlan dryRunWake(Set<String> named) throws InterruptedException {
    return dryRun(orders.wake(named));
  }

  private IdlePlan dryRun(Order order) throws InterruptedException {
    OffSetting from = order.from();
    OffSetting to = order.to();
    Optional<String> obstacle = obstacle(from, to);
    Map<String, List<Region>> places = Mover.places(means);
    LocalBytes local = LocalBytes.of(means);
    Shift shift = shift(order, places);
    List<String> lines = Lease.dryRun(knob.plan(to, steps(means, shift)));
    PlannedMoves planned = new PlannedMoves(means, places, local);
    List<IdlePlan.Move> moves = planned.of(shift);
    boolean down = !to.without(from).isEmpty();
    return new IdlePlan(
        from,
        to,
        lines,
        moves,
        Nearness.of(means, local, places).all(),
        down
            ? OptionalDouble.of(Nearness.of(means, local, planned.after(moves)).all())
            : OptionalDouble.empty(),
        means.dataNodes().cluster().members().size() - to.off().size(),
        local.copies(),
        obstacle);
  }

  private Optional<String> obstacle(OffSetting from, OffSetting to) throws InterruptedException {
    try {
      requirePossible(from, to);
      return Optional.empty();
    } catch (FailedWorkException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Has nodes sleep, or wakes them.
   *
   * @param asleep names of the nodes that are to sleep then: more than now, or fewer
   * @throws BadRequestException if there is no such node, it is no shift, another process shifts,
   *     or there is an unfinished plan
   * @throws FailedWorkException if it is not possible: nothing is changed then; or if a step
   *     failed: the plan is open, and safe to leave
   * @throws InterruptedException if the process is to end: the plan is open
   */
  public void shift(Set<String> asleep) throws InterruptedException {
    set(open -> false, () -> begun(orders.shift(asleep)));
  }

  /**
   * Wakes nodes; where all that are meant are to be awake already, sees to those that are not as
   * they are to be: off, not in service, or marked as draining by a plan that was given up. Also to
   * HBase's balancer, if such a plan left it off. A server that has just died is started when its
   * session with ZooKeeper has ended, which is waited for.
   *
   * @param named names of nodes, of which also a mark that an operator had set is taken off; none
   *     for all that sleep, or if none does for all that are not as they are to be
   * @throws BadRequestException as {@link #shift}, or if all are as they are to be
   * @throws FailedWorkException as {@link #shift}
   * @throws InterruptedException if the process is to end: the plan is open
   */
  public void wake(Set<String> named) throws InterruptedException {
    set(open -> false, () -> begun(orders.wake(named)));
  }

  /** Names of nodes that are to be awake, and are not as they are to be. */
  public Set<String> strays() {
    return orders.strays();
  }

  /** Whether a plan that was given up has left HBase's balancer off. */
  boolean isBalancerLeftOff() {
    return orders.isBalancerLeftOff();
  }

  /** Names of the nodes that are to sleep, or that an unfinished plan has sleep, by their file. */
  static Set<String> mayBeAsleep(Path file) {
    // In this order: at a plan's end its setting is written before its journal says so.
    Set<String> may = new TreeSet<>();
    unfinished(file)
        .map(last -> OffSetting.parse(last.value()))
        .ifPresent(setting -> may.addAll(setting.off()));
    may.addAll(IdleState.FILE.read(file).setting().off());
    return may;
  }

  /** What to set by an order, once it is noted what has to be known of it. */
  OffSetting begun(Order order) throws InterruptedException {
    OffSetting from = order.from();
    OffSetting to = order.to();
    requirePossible(from, to);
    ServerSteps.awaitEnded(means, means.serversOf(from.without(to)));
    Shift shift = shift(order, Mover.places(means));
    IdleState.Left left = IdleState.FILE.read(means.path()).left().without(from.off());
    IdleState begun =
        new IdleState(
            shift.before(),
            Optional.of(shift),
            new IdleState.Left(left.nodes(), left.balancer() && !means.regions().balancer()));
    // Before the journal: a plan that is resumed needs it.
    IdleState.FILE.write(begun, means.path());
    return to;
  }

  /** The balancer stays as it is, too; what {@link #wake} needs to put it in order is kept. */
  @Override
  protected void forget() {
    IdleState.FILE.write(IdleState.FILE.read(means.path()).givenUp(), means.path());
  }

  /**
   * Refuses what can be known before anything is begun. Nodes are woken whatever is with the
   * others: that may be what they are needed for.
   */
  private void requirePossible(OffSetting from, OffSetting to) throws InterruptedException {
    if (to.without(from).isEmpty()) {
      return;
    }
    Set<String> live = means.live();
    for (IdleNode node : means.others(from.off())) {
      if (!live.contains(node.server())) {
        throw new FailedWorkException(
            "its RegionServer is not live: its regions cannot be distinguished from lost ones",
            "node " + node.name(),
            IdleOrders.wake(node));
      }
    }
    means.servers().requireKnown(means.serversOf(to.without(from)));
    means.dataNodes().requireKnown(means.dataNodesOf(to.without(from)));
    if (new Mover(means).mayGet(means.others(to.off())).isEmpty()) {
      throw new FailedWorkException(
          "no server that stays gets regions: they are marked as draining",
          means.regions().name(),
          "end their draining by recommission_regionserver of HBase's shell, or have another sleep");
    }
    long unused =
        ServerSteps.requireReadable(means, means.maintained(to), to.off(), Remedies.COPIES, false);
  }

  /** What has to be known of a shift, as the cluster is now. */
  private Shift shift(Order order, Map<String, List<Region>> places) {
    IdleState.Left left = IdleState.FILE.read(means.path()).left();
    Map<String, Sleeper> known = new TreeMap<>();
    Set<String> elsewhere = new TreeSet<>();
    for (Sleeper sleeper : order.before()) {
      known.put(sleeper.node(), sleeper);
      elsewhere.addAll(sleeper.homes());
    }
    Set<String> drained = means.regions().drained();
    List<Sleeper> after = new ArrayList<>();
    for (String name : order.to().off()) {
      Sleeper sleeper = known.get(name);
      after.add(
          sleeper == null
              ? sleeper(means.node(name), places, elsewhere, drained, left.node(name))
              : sleeper);
    }
    Set<String> waking = new TreeSet<>(known.keySet());
    waking.removeAll(order.to().off());
    SortedMap<String, Long> reports =
        means.dataNodes().reports(new TreeSet<>(means.dataNodesOf(waking)));
    return new Shift(order.before(), after, reports, means.regions().balancer() || left.balancer());
  }

  /**
   * A node that is to sleep. Regions of another that sleeps already are guests on its server: their
   * home is there.
   */
  private static Sleeper sleeper(
      IdleNode node,
      Map<String, List<Region>> places,
      Set<String> elsewhere,
      Set<String> drained,
      Optional<Sleeper> left) {
    Set<String> homes = new TreeSet<>(left.map(Sleeper::homes).orElse(List.of()));
    places.getOrDefault(node.server(), List.of()).forEach(region -> homes.add(region.id()));
    homes.removeAll(elsewhere);
    boolean marked = left.isPresent() ? left.get().drained() : drained.contains(node.server());
    return new Sleeper(node.name(), List.copyOf(homes), marked);
  }
}
