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
import java.util.function.Supplier;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwners;
import org.calando.control.Lease;
import org.calando.control.PlanWords;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.gears.GearFiles;
import org.calando.gears.Remedies;
import org.calando.gears.idle.IdleOrders.Order;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.calando.store.hbase.RegionServers.Region;

/**
 * Has servers sleep and wakes them, by plans that outlive the process: what was begun by one that
 * was killed is resumed, or taken back, by the next. Not thread safe.
 */
public final class IdleShifter {
  /** How an open plan is resumed; the alternatives are in docs/idle.md. */
  public static final String RESUME = "./calando idle up --local --resume";

  private final IdleMeans means;
  private final IdleKnob knob;
  private final KnobOwners owner;
  private final PlanWords words;
  private final IdleOrders orders;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param owner who it is, for whoever finds the knob taken
   */
  public IdleShifter(IdleMeans means, String owner) {
    this.means = means;
    this.knob = new IdleKnob(means);
    this.orders = new IdleOrders(means);
    this.owner = GearFiles.owners(means.path(), owner);
    this.words =
        new PlanWords(
            means.path().toString(),
            value -> IdleSetting.parse(value).words(),
            "nothing to do; ./calando idle status --local shows whether all is well",
            RESUME);
  }

  /** The knob, for as long as nobody else may shift. */
  private Lease take() {
    return Lease.durable(GearFiles.journal(means.path()), owner, knob);
  }

  /** Who sleeps now. */
  public IdleSetting current() {
    return knob.current();
  }

  /** The plan that was begun and not ended: who is to sleep by it. */
  public Optional<IdleSetting> unfinished() {
    return unfinished(means.path()).map(last -> IdleSetting.parse(last.value()));
  }

  /** The last entry of a plan that is neither done nor taken back nor given up. */
  static Optional<JournalEntry> unfinished(Path file) {
    return Lease.unfinished(GearFiles.journal(file)).stream().findFirst();
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
    IdleSetting from = order.from();
    IdleSetting to = order.to();
    Optional<String> obstacle = obstacle(from, to);
    Map<String, List<Region>> places = Mover.places(means);
    LocalBytes local = LocalBytes.of(means);
    Shift shift = shift(order, places);
    List<String> lines = Lease.dryRun(knob.plan(shift));
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
        means.dataNodes().cluster().members().size() - to.asleep().size(),
        local.copies(),
        obstacle);
  }

  private Optional<String> obstacle(IdleSetting from, IdleSetting to) throws InterruptedException {
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
    carryOut(() -> orders.shift(asleep));
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
    carryOut(() -> orders.wake(named));
  }

  /** Names of nodes that are to be awake, and are not as they are to be. */
  public Set<String> strays() {
    return orders.strays();
  }

  private void carryOut(Supplier<Order> asked) throws InterruptedException {
    try (Lease lease = take()) {
      lease.requireNone(words);
      Order order = asked.get();
      IdleSetting from = order.from();
      IdleSetting to = order.to();
      requirePossible(from, to);
      ServerSteps.awaitEnded(means, means.serversOf(from.without(to)));
      Shift shift = shift(order, Mover.places(means));
      IdleState.Left left = IdleFile.read(means.path()).left().without(from.asleep());
      IdleState begun =
          new IdleState(
              shift.before(),
              Optional.of(shift),
              new IdleState.Left(left.nodes(), left.balancer() && !means.regions().balancer()));
      // Before the journal: a plan that is resumed needs it.
      IdleFile.write(begun, means.path());
      long unused = lease.set(knob, from, to, from.text());
    }
  }

  /** Resumes the unfinished plan. */
  public void resume() throws InterruptedException {
    try (Lease lease = take()) {
      lease.resume(words, this::same);
    }
  }

  /** Takes the unfinished plan back. */
  public void undo() throws InterruptedException {
    try (Lease lease = take()) {
      lease.undo(words, this::same);
    }
  }

  /**
   * Leaves the cluster where it is, the balancer too, and forgets the plan, but for what {@link
   * #wake} needs to bring it in order.
   */
  public void abandon() throws InterruptedException {
    try (Lease lease = take()) {
      JournalEntry last = lease.requireOne(words);
      IdleFile.write(IdleFile.read(means.path()).givenUp(), means.path());
      lease.giveUp(last);
    }
  }

  private Plan same(JournalEntry last) {
    return knob.plan(IdleSetting.parse(last.before()), IdleSetting.parse(last.value()));
  }

  /**
   * Refuses what can be known before anything is begun. Nodes are woken whatever is with the
   * others: that may be what they are needed for.
   */
  private void requirePossible(IdleSetting from, IdleSetting to) throws InterruptedException {
    if (to.without(from).isEmpty()) {
      return;
    }
    Set<String> live = means.live();
    for (IdleNode node : means.others(from.asleep())) {
      if (!live.contains(node.server())) {
        throw new FailedWorkException(
            "its RegionServer is not live: its regions cannot be told apart from lost ones",
            "node " + node.name(),
            IdleOrders.wake(node));
      }
    }
    means.servers().requireKnown(means.serversOf(to.without(from)));
    means.dataNodes().requireKnown(means.dataNodesOf(to.without(from)));
    if (new Mover(means).mayGet(means.others(to.asleep())).isEmpty()) {
      throw new FailedWorkException(
          "no server that stays gets regions: they are marked as draining",
          means.regions().name(),
          "end their draining by recommission_regionserver of HBase's shell, or have another sleep");
    }
    long unused =
        ServerSteps.requireReadable(
            means, means.maintained(to), to.asleep(), Remedies.COPIES, false);
  }

  /** What has to be known of a shift, as the cluster is now. */
  private Shift shift(Order order, Map<String, List<Region>> places) {
    IdleState.Left left = IdleFile.read(means.path()).left();
    Map<String, Sleeper> known = new TreeMap<>();
    Set<String> elsewhere = new TreeSet<>();
    for (Sleeper sleeper : order.before()) {
      known.put(sleeper.node(), sleeper);
      elsewhere.addAll(sleeper.homes());
    }
    Set<String> drained = means.regions().drained();
    List<Sleeper> after = new ArrayList<>();
    for (String name : order.to().asleep()) {
      Sleeper sleeper = known.get(name);
      after.add(
          sleeper == null
              ? sleeper(means.node(name), places, elsewhere, drained, left.node(name))
              : sleeper);
    }
    Set<String> waking = new TreeSet<>(known.keySet());
    waking.removeAll(order.to().asleep());
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
