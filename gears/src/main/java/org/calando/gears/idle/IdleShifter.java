package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.control.JournalEntry;
import org.calando.control.PlanExecutor;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.gears.DurablePlans;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.calando.store.hbase.RegionServers.Region;

/**
 * Has servers sleep and wakes them, by plans that outlive the process: what was begun by one that
 * was killed is gone on with, or taken back, by the next. Not thread safe.
 */
public final class IdleShifter {
  private final IdleMeans means;
  private final IdleKnob knob;
  private final DurablePlans plans;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param owner who it is, for whoever finds the knob taken
   */
  public IdleShifter(IdleMeans means, String owner) {
    this.means = means;
    this.knob = new IdleKnob(means);
    this.plans =
        new DurablePlans(
            knob,
            means.path(),
            owner,
            new DurablePlans.Words(
                means.path().toString(),
                value -> IdleSetting.parse(value).words(),
                "begin one by ./calando idle down or up"));
  }

  /** Who sleeps now. */
  public IdleSetting current() {
    return knob.current();
  }

  /** The plan that was begun and not ended: who is to sleep by it. */
  public Optional<IdleSetting> unfinished() {
    return DurablePlans.unfinished(means.path()).map(last -> IdleSetting.parse(last.value()));
  }

  /**
   * What a shift would do. Changes nothing.
   *
   * @param asleep names of the nodes that are to sleep then
   * @throws BadRequestException if there is no such node, or it is no shift
   */
  public IdlePlan dryRun(Set<String> asleep) throws InterruptedException {
    IdleSetting from = current();
    IdleSetting to = checked(from, asleep);
    Optional<String> obstacle = obstacle(from, to);
    Map<String, List<Region>> places = Mover.places(means.regions());
    LocalBytes local = LocalBytes.of(means);
    List<String> lines = PlanExecutor.dryRun(knob.plan(shift(to, places)));
    List<IdlePlan.Move> moves = moves(from, to, places, local);
    return new IdlePlan(
        from,
        to,
        lines,
        moves,
        Nearness.of(means, local, places).all(),
        Nearness.of(means, local, after(places, moves)).all(),
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

  private List<IdlePlan.Move> moves(
      IdleSetting from, IdleSetting to, Map<String, List<Region>> places, LocalBytes local) {
    Map<String, String> targets = new HashMap<>();
    SortedSet<String> going = to.without(from);
    if (going.isEmpty()) {
      for (Sleeper sleeper : IdleFile.read(means.path()).asleep()) {
        if (!to.asleep().contains(sleeper.node())) {
          String server = means.node(sleeper.node()).server();
          sleeper.homes().forEach(region -> targets.put(region, server));
        }
      }
    } else {
      List<Region> leaving = new ArrayList<>();
      Map<String, List<Region>> staying = new TreeMap<>(places);
      for (String server : means.serversOf(going)) {
        List<Region> held = staying.remove(server);
        leaving.addAll(held == null ? List.of() : held);
      }
      targets.putAll(new Mover(means).targets(leaving, staying, local));
    }
    return moves(targets, places, local);
  }

  private List<IdlePlan.Move> moves(
      Map<String, String> targets, Map<String, List<Region>> places, LocalBytes local) {
    Map<String, String> beside = new HashMap<>();
    means.nodes().forEach(node -> beside.put(node.server(), node.dataNode()));
    List<IdlePlan.Move> moves = new ArrayList<>();
    places.forEach(
        (server, held) -> {
          for (Region region : held) {
            String to = targets.getOrDefault(region.id(), server);
            if (!to.equals(server)) {
              moves.add(
                  new IdlePlan.Move(
                      region.id(),
                      region.table(),
                      server,
                      to,
                      local.bytes(region.id()),
                      local.on(region.id(), beside.getOrDefault(to, ""))));
            }
          }
        });
    return moves;
  }

  private static Map<String, List<Region>> after(
      Map<String, List<Region>> places, List<IdlePlan.Move> moves) {
    Map<String, List<Region>> after = new TreeMap<>();
    places.forEach((server, held) -> after.put(server, new ArrayList<>(held)));
    for (IdlePlan.Move move : moves) {
      Region region = new Region(move.region(), move.table());
      after.getOrDefault(move.from(), new ArrayList<>()).remove(region);
      after.computeIfAbsent(move.to(), server -> new ArrayList<>()).add(region);
    }
    return after;
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
    plans.owned(
        journal -> {
          plans.requireNone(journal);
          IdleSetting from = current();
          IdleSetting to = checked(from, asleep);
          requirePossible(from, to);
          Shift shift = shift(to, Mover.places(means.regions()));
          // Before the journal: a plan that is gone on with needs it.
          IdleFile.write(new IdleState(shift.before(), Optional.of(shift)), means.path());
          plans.executor(journal).execute(knob.plan(from, to), from.text(), knob.lifetime());
        });
  }

  /** Goes on with the unfinished plan. */
  public void resume() throws InterruptedException {
    plans.owned(
        journal -> {
          JournalEntry last = plans.requireOne(journal);
          plans.executor(journal).finish(same(last), last);
        });
  }

  /** Takes the unfinished plan back. */
  public void undo() throws InterruptedException {
    plans.owned(
        journal -> {
          JournalEntry last = plans.requireOne(journal);
          plans.executor(journal).takeBack(same(last), last);
        });
  }

  /** Leaves the cluster where it is, the balancer too, and forgets the plan. */
  public void abandon() throws InterruptedException {
    plans.owned(journal -> plans.executor(journal).giveUp(plans.requireOne(journal)));
  }

  private Plan same(JournalEntry last) {
    plans.requireSameTarget(last);
    return knob.plan(IdleSetting.parse(last.before()), IdleSetting.parse(last.value()));
  }

  private IdleSetting checked(IdleSetting from, Set<String> asleep) {
    asleep.forEach(means::node);
    IdleSetting to = IdleSetting.of(asleep);
    boolean down = !to.without(from).isEmpty();
    boolean up = !from.without(to).isEmpty();
    if (down == up) {
      throw new BadRequestException(
          down ? "that would have some sleep and wake others" : "it is so already: " + from.words(),
          "--node",
          "name nodes for ./calando idle down that are awake, for up that sleep");
    }
    if (asleep.size() == means.nodes().size()) {
      throw new BadRequestException(
          "that leaves no server awake", "--node", "leave one of them out");
    }
    SortedSet<String> changing = to.without(from);
    changing.addAll(from.without(to));
    for (String name : changing) {
      requireSwitches(means.node(name));
    }
    return to;
  }

  private void requireSwitches(IdleNode node) {
    if (!means.servers().switches().containsKey(node.server())
        || !means.dataNodes().switches().containsKey(node.dataNode())) {
      throw new BadRequestException(
          "nothing switches its RegionServer and its DataNode",
          "node " + node.name(),
          "give it switches; see docs/switches.md");
    }
  }

  /** Refuses what can be known before anything is begun. */
  private void requirePossible(IdleSetting from, IdleSetting to) throws InterruptedException {
    Set<String> live = means.regions().live();
    for (IdleNode node : means.others(from.asleep())) {
      if (!live.contains(node.server())) {
        throw new FailedWorkException(
            "its RegionServer is not live",
            "node " + node.name(),
            "start it first: regions cannot be told apart from lost ones");
      }
    }
    if (!to.without(from).isEmpty()) {
      long unused = ServerSteps.requireReadable(means, means.maintained(to), to.asleep());
    }
  }

  /** What has to be known of a shift, as the cluster is now. */
  private Shift shift(IdleSetting to, Map<String, List<Region>> places) {
    List<Sleeper> before = IdleFile.read(means.path()).asleep();
    Map<String, Sleeper> known = new TreeMap<>();
    before.forEach(sleeper -> known.put(sleeper.node(), sleeper));
    List<Sleeper> after = new ArrayList<>();
    for (String name : to.asleep()) {
      Sleeper sleeper = known.get(name);
      after.add(sleeper == null ? sleeper(means.node(name), places) : sleeper);
    }
    Set<String> waking = new TreeSet<>(known.keySet());
    waking.removeAll(to.asleep());
    SortedMap<String, Long> reports =
        means.dataNodes().reports(new TreeSet<>(means.dataNodesOf(waking)));
    return new Shift(before, after, reports, means.regions().balancer());
  }

  private static Sleeper sleeper(IdleNode node, Map<String, List<Region>> places) {
    List<Region> held = places.getOrDefault(node.server(), List.of());
    return new Sleeper(node.name(), held.stream().map(Region::id).toList());
  }
}
