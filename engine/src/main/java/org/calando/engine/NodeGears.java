package org.calando.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.layout.gear.ShiftEnergy;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.power.CpuSince;
import org.calando.power.onoff.PowerSwitch;

/**
 * The gears of a real cluster: groups of its nodes are powered down and up, with all data readable,
 * by plans that outlive the process. Studies shift them before and after runs, policies by {@link
 * ShiftGovernor} while the cluster serves. One shift at a time; what asks for the gear is thread
 * safe.
 */
public abstract class NodeGears implements GearControl, AutoCloseable {
  private final User user;
  private volatile NodePresence presence = NodePresence.IGNORED;
  private volatile Optional<CpuSince> shifting = Optional.empty();
  private volatile Consumer<String> heard = line -> {};

  /**
   * Who shifts, and by what figures. Immutable.
   *
   * @param profile of every node
   * @param perSecond what policies take a node to serve; NaN in studies, whose files tell it
   * @param owner who shifts, for others who are refused
   * @param nanos the clock
   * @param millis since 1970, by a clock that outlives this process
   * @param processes ids of the processes on this machine, by the names of their nodes, that which
   *     a node goes off and comes on with first; asked for anew each time
   */
  public record User(
      NodeProfile profile,
      double perSecond,
      String owner,
      LongSupplier nanos,
      LongSupplier millis,
      Supplier<Map<String, List<Long>>> processes) {
    /** A governor. */
    public static User governor(NodeProfile profile, GearSettings settings, String owner) {
      double perSecond = settings.capacity().perSecond();
      return new User(
          profile, perSecond, owner, System::nanoTime, System::currentTimeMillis, Map::of);
    }

    /** A study. */
    public static User study(NodeProfile profile, Supplier<Map<String, List<Long>>> processes) {
      return new User(
          profile,
          Double.NaN,
          "./calando study",
          System::nanoTime,
          System::currentTimeMillis,
          processes);
    }

    /** Whether a policy governs a cluster of the user's own. */
    public boolean isGovernor() {
      return !Double.isNaN(perSecond);
    }
  }

  /**
   * What a look has found.
   *
   * @param failed how many nodes that are to be on do not serve
   * @param load since the look before; empty if it is not known
   */
  public record Sight(int failed, Optional<GearObservation.Load> load) {}

  /** Gears that are shifted for somebody. */
  protected NodeGears(User user) {
    this.user = user;
  }

  /** Who shifts. */
  protected final User user() {
    return user;
  }

  /** The time of the clock. */
  protected final long nanos() {
    return user.nanos().getAsLong();
  }

  /** What is shifted, in words that are the same for whoever shifts it. */
  public abstract String target();

  /**
   * Keeps others from shifting until this is closed, where gears are shifted by several: a study or
   * a governor would be at odds with them between its shifts.
   *
   * @throws BadRequestException naming who shifts it
   */
  public void hold() {}

  /** How many nodes are on in a gear. */
  public abstract int nodesOn(int gear);

  /** What policies of governors take it for, in the unit of the load that they go by. */
  public abstract GearModel model();

  /** The same of equal nodes that miss nothing while they are off. */
  protected final GearModel model(double offSeconds) {
    List<Integer> on = IntStream.rangeClosed(1, highest()).map(this::nodesOn).boxed().toList();
    return GearModel.ofEqualNodes(
        on, user.profile(), user.perSecond(), offSeconds, CatchUpModel.none(on.size()));
  }

  /**
   * Where a plan goes that was begun and has not ended, in words that follow "an unfinished plan";
   * empty if there is none.
   */
  public abstract Optional<String> unfinished();

  /** What is in force, in words. */
  public String words() {
    return "gear " + gear();
  }

  /** What could not be asked for at the last look, one sentence each. */
  public List<String> troubles() {
    return List.of();
  }

  /** The command that shows how all is. */
  public abstract String status();

  /** The command that has all nodes on again, as they are now. */
  public String remedy() {
    return "./calando gear up" + (unfinished().isPresent() ? " --resume" : "");
  }

  /** How many nodes that are to be on do not serve; asks them. */
  public abstract int failed();

  /** The same in words; empty if all serve. */
  public final Optional<String> failure() {
    int failed = failed();
    return failed == 0
        ? Optional.empty()
        : Optional.of(
            failed
                + (failed == 1 ? " node that is to be on does" : " nodes that are to be on do")
                + " not serve in gear "
                + gear());
  }

  /**
   * Asks the nodes.
   *
   * @throws FailedWorkException if one that is to be on does not serve
   */
  public final void requireServing() {
    failure()
        .ifPresent(
            why -> {
              throw new FailedWorkException(why, target(), "see " + status() + ", and fix that");
            });
  }

  /** Whether nodes are off, or may be by a plan that has not ended. */
  public final boolean isLow() {
    return unfinished().isPresent() || gear() < highest();
  }

  /**
   * Refuses a cluster of which nodes are off, or may be.
   *
   * @param where what has gears
   * @param then what is to be done once all are on
   * @throws BadRequestException naming the command that switches them on
   */
  public final void requireAllOn(String where, String then) {
    if (isLow()) {
      throw new BadRequestException(
          unfinished().isPresent()
              ? "a shift of its gear was begun and not ended"
              : "nodes of it are off: " + words(),
          where,
          "see " + status() + ", then " + remedy() + ", and " + then);
    }
  }

  /**
   * Asks the nodes.
   *
   * @throws BadRequestException if the cluster, or its files, are not as they have to be
   * @throws FailedWorkException if nothing is to be decided now
   */
  protected abstract Sight look();

  /** Counts load from now on; if that cannot be asked for now, the next look begins to count. */
  protected abstract void begin();

  /** Has nodes be as shifts left them, before each look of what may shift. */
  protected void tend() {}

  /**
   * Begins, for looks each period; may ask the store.
   *
   * @return from now to the first look, in nanoseconds
   */
  protected long firstNanos(long periodNanos) {
    return 0;
  }

  /** The gear that a shift to another one goes to. */
  protected int goal(int to) {
    return to;
  }

  /** Shifts; blocks. */
  protected abstract void move(int to) throws InterruptedException;

  /**
   * Ends a shift that was begun and has not ended, with all data readable; does nothing if there is
   * none.
   *
   * @throws FailedWorkException if a step fails
   */
  public abstract void settle() throws InterruptedException;

  /**
   * Whether the plan that was begun and has not ended can be taken back; false by default. It says
   * nothing where there is none.
   */
  public boolean canUndo() {
    return false;
  }

  /**
   * Takes back a shift that was begun and has not ended; does nothing if there is none. As {@link
   * #settle} by default, where that takes it back.
   *
   * @throws FailedWorkException if a step fails
   */
  public void undo() throws InterruptedException {
    settle();
  }

  /** What is known of a shift, with what bringing data home came to, where that is counted. */
  protected GearShift counted(GearShift shift) {
    return shift;
  }

  /**
   * Shifts, and reports what that took; what was written meanwhile is brought home.
   *
   * @throws FailedWorkException if a step fails
   */
  public final GearShift shift(int to) throws InterruptedException {
    int from = gear();
    int goal = goal(to);
    CpuSince used = new CpuSince(this::processes);
    long begunNanos = System.nanoTime();
    shifting = Optional.of(used);
    move(goal);
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    int nodes = Math.abs(nodesOn(goal) - nodesOn(from));
    double joules = ShiftEnergy.joules(user.profile(), goal > from, nodes, seconds, used.seconds());
    return counted(
        new GearShift(
            from, goal, seconds, Double.NaN, GearShift.UNKNOWN, GearShift.UNKNOWN, joules));
  }

  private List<Long> processes() {
    return user.processes().get().values().stream().flatMap(List::stream).toList();
  }

  /**
   * Has all nodes on, whatever was begun.
   *
   * @throws FailedWorkException if a step fails: the plan stays open
   */
  public final void shiftUp() throws InterruptedException {
    settle();
    if (gear() < highest()) {
      var unused = shift(highest());
    }
  }

  /** As {@link #shiftUp}, between the runs of a study. */
  public final void heal() {
    try {
      shiftUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException(
          "interrupted while nodes were switched on", "gears", "repeat it with --resume", e);
    }
  }

  /** Who is told of nodes that go off and come on, from now on. */
  public final void tell(NodePresence newPresence) {
    presence = newPresence;
  }

  /** Who hears what there is to report of shifts, a line each, on any thread; nobody at first. */
  public final void hear(Consumer<String> news) {
    heard = news;
  }

  /** Reports a line of a shift, from any thread. */
  protected final void report(String line) {
    heard.accept(line);
  }

  /**
   * Switches that tell of nodes that go off and come on.
   *
   * @param name of the node of a switch, by the switch's
   */
  protected final Map<String, PowerSwitch> told(
      Map<String, PowerSwitch> bare, UnaryOperator<String> name) {
    Map<String, PowerSwitch> told = new HashMap<>();
    bare.forEach((key, each) -> told.put(key, told(name.apply(key), each)));
    return told;
  }

  private PowerSwitch told(String node, PowerSwitch bare) {
    return bare.told(() -> goesOff(node), () -> cameBack(node));
  }

  private void goesOff(String node) {
    // What it was drained for is known of nobody once its process has ended.
    shifting.ifPresent(CpuSince::look);
    presence.mayGoOff(node);
  }

  private void cameBack(String node) {
    List<Long> processes = user.processes().get().getOrDefault(node, List.of());
    if (!processes.isEmpty()) {
      presence.cameBack(node, processes.get(0), processes.subList(1, processes.size()));
    }
  }

  @Override
  public void close() {}
}
