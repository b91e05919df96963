package org.calando.gears.rack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.calando.control.Lease;
import org.calando.control.OffKnob;
import org.calando.control.OffSetting;
import org.calando.control.Shifter;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.RackNode;
import org.calando.core.layout.rack.RackOrder;
import org.calando.core.layout.rack.Shortfall;
import org.calando.gears.rack.RackState.Known;
import org.calando.gears.rack.RackState.Shift;
import org.calando.store.cassandra.gear.NodeSight;

/** Powers racks of a Cassandra down and up. Not thread safe. */
public final class RackShifter extends Shifter<OffSetting, OffKnob> {
  private final RackMeans means;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param command who it is, for whoever finds the knob taken
   * @throws FailedWorkException if no node answers
   */
  public RackShifter(RackMeans means, String command) {
    super(
        means.path(),
        knob(means),
        OffSetting::parse,
        command,
        means.path().toString(),
        means.command("status"),
        means.command("up") + " --resume");
    this.means = means;
  }

  static OffKnob knob(RackMeans means) {
    return new OffKnob(
        "racks",
        "cassandra " + means.target(),
        means.path(),
        () -> means.state().setting(),
        (from, to) -> {
          RackState state = means.state();
          return state
              .shift()
              .filter(noted -> noted.before().equals(from) && noted.after().equals(to))
              .map(shift -> new RackSteps(means, state, shift).steps());
        });
  }

  @Override
  protected void begin() throws InterruptedException {
    means.board().begin();
  }

  @Override
  protected void ended() {
    means.changed().run();
  }

  /**
   * The gears of the cluster as it is now.
   *
   * @throws FailedWorkException if a node that is to be on does not answer
   */
  public RackOrder gears() {
    RackState state = means.state();
    SortedSet<String> off = mayBeOff();
    if (!off.isEmpty()) {
      // The ring cannot be asked of nodes that are off; all of them come on together.
      return RackOrder.withOff(state.nodes().stream().map(Known::node).toList(), off);
    }
    List<NodeSight> sights = means.all(means.servers().names());
    List<RackNode> nodes = sights.stream().map(NodeSight::node).toList();
    return RackOrder.of(nodes, means.relied(sights), means.keeps());
  }

  /**
   * The gears of which the lowest has so many racks off, the last by name, whatever the cluster
   * holds by now: a shift down looks at that.
   *
   * @throws FailedWorkException if all are to be on, and a node does not answer
   */
  public RackOrder gears(int mostOff) {
    RackState state = means.state();
    List<RackNode> nodes =
        state.setting().off().isEmpty() && unfinished(means.path()).isEmpty()
            ? means.all(means.servers().names()).stream().map(NodeSight::node).toList()
            : state.nodes().stream().map(Known::node).toList();
    List<String> places = nodes.stream().map(RackNode::place).distinct().sorted().toList();
    int rest = Math.max(0, places.size() - mostOff);
    return RackOrder.withOff(nodes, new TreeSet<>(places.subList(rest, places.size())));
  }

  /** Refuses to begin a plan while there is an unfinished one, naming how it is resumed. */
  public void requireNone() {
    try (Lease lease = take()) {
      requireNone(lease);
    }
  }

  /** What a shift down would be refused for now; of the lowest gear, or of the last rack. */
  public List<RackStatus.Problem> problems() {
    RackState state = means.state();
    if (!state.setting().off().isEmpty()) {
      return RackStatus.of(means).findings();
    }
    List<NodeSight> sights = means.sights(means.servers().names());
    if (sights.size() < means.servers().names().size()) {
      return RackGates.problems(means, Set.of());
    }
    RackOrder order = gears();
    Set<String> off = order.offIn(1);
    return RackGates.problems(means, off.isEmpty() ? last(sights) : off);
  }

  private static Set<String> last(List<NodeSight> sights) {
    return sights.stream()
        .map(sight -> sight.node().place())
        .max(Comparator.naturalOrder())
        .map(Set::of)
        .orElse(Set.of());
  }

  /** Why the last rack may not be off, in words. */
  public String obstacle() {
    return problems().stream().map(RackStatus.Problem::problem).findFirst().orElse("unknown");
  }

  /**
   * What a shift would do, a line a step, and why it would be refused now. Changes nothing.
   *
   * @param off places of the racks that are to be off then
   */
  public List<String> dryRun(Set<String> off) {
    return dryRun(off, Set.of());
  }

  /** The same without nodes that are lost. */
  public List<String> dryRun(Set<String> off, Set<String> without) {
    OffSetting to = OffSetting.of(off);
    Shift shift = new Shift(current(), to).but(without);
    List<String> lines =
        new ArrayList<>(
            Lease.dryRun(
                knob.plan(to, new RackSteps(means, RackStart.begun(means, shift), shift).steps())));
    if (!shift.going().isEmpty()) {
      RackGates.problems(means, off)
          .forEach(
              found ->
                  lines.add(
                      "it would be refused: %s: %s; remedy: %s"
                          .formatted(found.where(), found.problem(), found.remedy())));
    }
    return lines;
  }

  /** Has just these racks off, and all nodes of the others on. */
  public void shift(Set<String> off) throws InterruptedException {
    shift(off, Set.of());
  }

  /**
   * Has just these racks off.
   *
   * @param off their places
   * @param without names of nodes that are lost, and keep the others of their racks from nothing:
   *     an unfinished plan to the same is given up for it
   * @throws BadRequestException if another process shifts, there is an unfinished plan, a node has
   *     no switch, or racks that are off would be joined by others
   * @throws FailedWorkException if it is not possible now: nothing is changed then; or if a step
   *     failed: the plan is open, and safe to leave
   * @throws InterruptedException if the process is to end: the plan is open
   */
  public void shift(Set<String> off, Set<String> without) throws InterruptedException {
    OffSetting to = OffSetting.of(off);
    set(
        open -> !without.isEmpty() && open.value().equals(to.text()),
        () -> {
          Shift shift = new Shift(current(), to).but(without);
          Optional<Shift> last = means.state().shift().filter(shift::isAs);
          if (shift.going().isEmpty() && last.isPresent()) {
            // Nodes that had come already are to have run since, also where that was given up.
            shift = shift.with(false, last.get().starts());
          }
          // Before the journal: a plan that is resumed needs it.
          means.write(RackStart.require(means, shift));
          return to;
        });
  }

  /**
   * Has nodes that have started again since racks went off keep hints for as long as the others:
   * they forget it. What they had lost by then is repaired when the racks come back. While another
   * process shifts, it sees to that.
   *
   * @return their names
   */
  public List<String> keepHints() {
    if (forgetful().isEmpty()) {
      return List.of();
    }
    try (Lease lease = take()) {
      requireNone(lease);
      List<String> forgetful = forgetful();
      forgetful.forEach(name -> RackHints.keepAll(means, name));
      return forgetful;
    } catch (BadRequestException e) {
      return List.of();
    }
  }

  /**
   * Keeps clients off nodes of an unfinished plan that have come on and are not proved: each opens
   * to them whenever it starts. While another process shifts, it sees to that.
   */
  public void keepClientsOff() {
    if (unfinished(means.path()).isEmpty()) {
      return;
    }
    try (Lease lease = take()) {
      RackState state = means.state();
      Optional<Shift> shift = state.shift().filter(open -> !lease.open().isEmpty());
      if (shift.filter(this::movesNodes).isPresent()) {
        SortedSet<String> moving = new TreeSet<>(shift.get().coming());
        moving.addAll(shift.get().going());
        RackReturn.close(
            means,
            means.sights(means.listed(state.nodesOf(moving))).stream()
                .filter(sight -> sight.serves() && !state.hasRunSince(sight))
                .filter(sight -> !shift.get().isProved(sight))
                .toList());
      }
    } catch (CalandoException e) {
      // Whoever shifts does it; or a node is going just now, and the next look tells.
    }
  }

  /** Whether nodes are away by the unfinished plan: before its drain, and after its undo, none. */
  private boolean movesNodes(Shift open) {
    return open.going().isEmpty() || hasBegun(RackSteps.DRAIN);
  }

  /** Names of the nodes of which {@link #keepHints} would be the business; changes nothing. */
  public List<String> forgetful() {
    RackState state = means.state();
    if (state.setting().off().isEmpty() || unfinished(means.path()).isPresent()) {
      return List.of();
    }
    return means.sights(means.on(state, state.setting().off())).stream()
        .filter(sight -> !RackHints.keepsAll(sight))
        .map(sight -> sight.node().name())
        .toList();
  }

  /**
   * Has all racks of an unfinished plan on again: one that goes down is taken back, as it may go on
   * no more, and its rack is missed; one that goes up is resumed.
   */
  public void settle() throws InterruptedException {
    if (goesUp()) {
      resume();
    } else {
      undo();
    }
  }

  /**
   * Notes that a shift down has failed and was taken back, for whoever would begin the next one.
   * While another process shifts, that is to see.
   */
  public void noteFailure(long nowMillis) {
    try (Lease lease = take()) {
      requireNone(lease);
      RackState state = means.state();
      means.write(state.after(Optional.of(RackState.Failure.after(state.failure(), nowMillis))));
    } catch (BadRequestException e) {
      // What becomes of its shift counts.
    }
  }

  /** From now until the next shift down that is not by hand is to be begun, at least 0. */
  public long pauseMillis(long nowMillis) {
    return means.state().failure().map(last -> last.leftMillis(nowMillis)).orElse(0L);
  }

  /** Whether there is an unfinished plan, and all racks are to be on at its end. */
  public boolean goesUp() {
    return unfinished().filter(OffSetting.ALL_ON::equals).isPresent();
  }

  /** Places of the racks that are off, or may be so while a plan is unfinished. */
  public SortedSet<String> mayBeOff() {
    return means.state().mayBeOff(unfinished(means.path()).isPresent());
  }

  /** Racks of which a node has gone are off: a shift up is to prove them. */
  @Override
  protected void forget() {
    RackState state = means.state();
    Optional<Shift> shift =
        state.shift().filter(down -> !down.going().isEmpty() && movesNodes(down));
    if (shift.isPresent() && haveGone(state, state.nodesOf(shift.get().going()))) {
      // Until all were drained they may have got rows of any table.
      means.write(
          state
              .with(shift.get().after())
              .withTables(shift.get().proved() ? state.tables() : Optional.empty()));
    }
  }

  private boolean haveGone(RackState state, List<String> going) {
    List<NodeSight> sights = means.sights(means.listed(going));
    return sights.size() < going.size()
        || sights.stream()
            .anyMatch(sight -> !sight.mode().equals(NodeSight.NORMAL) || !state.hasRunSince(sight));
  }

  /** Whether racks that may be off leave what is to be kept, as far as was asked as they went. */
  public boolean isKept() {
    return mayBeOff().isEmpty() || means.state().keeps().covers(means.keeps());
  }

  /** Whether racks are off, or on their way, for so long, or for nobody knows how long. */
  public boolean areOffFor(long seconds) {
    if (mayBeOff().isEmpty()) {
      return false;
    }
    OptionalLong off = means.offSeconds(means.state());
    return off.isEmpty() || off.getAsLong() >= seconds;
  }

  /**
   * What ranges lack while racks are off, by what is promised and replicated now, in words; empty
   * if nothing, and where that cannot be asked for.
   */
  public Optional<String> shortfall() {
    RackState state = means.state();
    SortedSet<String> off = state.setting().off();
    List<NodeSight> staying = off.isEmpty() ? List.of() : means.sights(means.on(state, off));
    try {
      return staying.isEmpty()
          ? Optional.empty()
          : RackGates.shortfall(means, state, staying, off).map(Shortfall::words);
    } catch (CalandoException e) {
      // Nodes that are not listed, or end just now: status tells.
      return Optional.empty();
    }
  }

  /** Names of the nodes that are off by order. */
  public Set<String> offByOrder() {
    return Set.copyOf(offByOrder(means.path(), means.servers().names()));
  }

  /**
   * Names of the nodes that a file says are off; none if it is of a cluster of other nodes.
   *
   * @throws FailedWorkException if it cannot be read
   */
  public static List<String> offByOrder(Path file, List<String> nodes) {
    RackState state = read(file, nodes);
    return state.nodesOf(state.setting().off());
  }

  /** Names of those that were ordered back, and are not proved yet to have all; as above. */
  public static List<String> comingBack(Path file, List<String> nodes) {
    RackState state = read(file, nodes);
    SortedSet<String> coming = new TreeSet<>(state.setting().off());
    coming.retainAll(state.shift().map(RackState.Shift::coming).orElse(new TreeSet<>()));
    return state.nodesOf(coming);
  }

  private static RackState read(Path file, List<String> nodes) {
    RackState state = RackState.FILE.read(file);
    boolean ofThese = state.nodes().stream().allMatch(each -> nodes.contains(each.node().name()));
    return ofThese ? state : RackState.ALL_ON;
  }
}
