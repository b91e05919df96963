package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.NodeGears;
import org.calando.gears.NodeMeans;
import org.calando.gears.ShiftNews;
import org.calando.store.hbase.RegionServers;

/*
 * What cannot be known for a moment ends nothing: a load that is not known wakes all, by the policies' guard, and a shift
 * that is refused before it begins is tried again later.
 */
/**
 * The idle servers of an HBase: in gear 1 the fewest nodes are awake, in each further gear one
 * more. Their load is rows that servers read and write.
 */
public final class IdleNodeGears extends NodeGears {
  /** From the order to power off of a node, whose servers are processes of this machine. */
  public static final double OFF_SECONDS = GearModel.PROCESS_OFF_SECONDS;

  /** In which servers may come to report twice since counting was begun. */
  private static final long GRACE_NANOS = 30_000_000_000L;

  private final IdleMeans means;
  private final int least;
  private final Runnable shifted;
  private final Runnable end;
  private final IdleShifter shifter;
  private volatile List<String> troubles = List.of();

  // Of what carries out looks and shifts, but for what is done before there is any.
  private final LoadMeter meter = new LoadMeter();
  private long begunNanos;
  private boolean hasLooked;

  /**
   * Those of servers that sleep.
   *
   * @param least nodes that are awake always, 1 or more
   * @param shifted runs after each shift, when servers have other processes
   * @param end closes what it needs
   */
  public IdleNodeGears(User user, IdleMeans bare, int least, Runnable shifted, Runnable end) {
    super(user);
    NodeMeans servers = bare.servers();
    Map<String, String> names =
        bare.nodes().stream().collect(Collectors.toMap(IdleNode::server, IdleNode::name));
    ShiftNews news =
        line -> {
          servers.news().tell(line);
          report(line);
        };
    NodeMeans dataNodes = bare.dataNodes();
    // The server is told of: it ends before its DataNode, and begins after it.
    this.means =
        new IdleMeans(
            bare.nodes(),
            bare.regions(),
            new NodeMeans(
                servers.cluster(),
                told(servers.switches(), server -> names.getOrDefault(server, server)),
                servers.patience(),
                news),
            new NodeMeans(dataNodes.cluster(), dataNodes.switches(), dataNodes.patience(), news),
            bare.root(),
            bare.path());
    this.least = Math.min(least, bare.nodes().size());
    this.shifted = shifted;
    this.end = end;
    this.shifter = new IdleShifter(means, user.owner());
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
  public String target() {
    return means.regions().name();
  }

  /**
   * {@inheritDoc} Below 1 while fewer are awake than are to be. Nodes that an unfinished plan has
   * sleep are not on.
   */
  @Override
  public int gear() {
    return means.nodes().size() - IdleShifter.mayBeAsleep(means.path()).size() - least + 1;
  }

  @Override
  public int highest() {
    return means.nodes().size() - least + 1;
  }

  @Override
  public int nodesOn(int gear) {
    return least + gear - 1;
  }

  @Override
  public GearModel model() {
    return model(OFF_SECONDS).in("rows/s");
  }

  @Override
  public Optional<String> unfinished() {
    return shifter.unfinished().map(setting -> ": " + setting.words());
  }

  @Override
  public String status() {
    return "./calando idle status --local";
  }

  @Override
  public String remedy() {
    String up = "./calando idle up --local";
    return unfinished().isEmpty() ? up : up + (isToWake() ? " --undo" : " --resume");
  }

  /** Whether a plan that has nodes sleep is taken back, as a study ends with all nodes on. */
  private boolean isToWake() {
    return !user().isGovernor()
        && shifter.unfinished().filter(to -> to.without(shifter.current()).size() > 0).isPresent();
  }

  /**
   * Refuses a cluster that plans which were given up have left out of order: servers that are on
   * would carry no regions, or the balancer would move none.
   *
   * @throws BadRequestException naming the command that puts it in order
   */
  public void requireInOrder() {
    if (isLow()) {
      return; // by which it is refused anyway
    }
    Set<String> strays = shifter.strays();
    if (!strays.isEmpty() || shifter.isBalancerLeftOff()) {
      throw new BadRequestException(
          strays.isEmpty()
              ? "an abandoned plan has left its balancer off"
              : "these are not in the state that they should be in: " + String.join(", ", strays),
          target(),
          "./calando idle up --local puts that in order; " + status() + " shows it");
    }
  }

  @Override
  public void settle() throws InterruptedException {
    if (unfinished().isPresent()) {
      if (isToWake()) {
        shifter.undo();
      } else {
        shifter.resume();
      }
      shifted.run();
    }
  }

  @Override
  public boolean canUndo() {
    return true;
  }

  @Override
  public void undo() throws InterruptedException {
    if (unfinished().isPresent()) {
      shifter.undo();
      shifted.run();
    }
  }

  @Override
  protected void move(int to) throws InterruptedException {
    shifter.shift(asleep(shifter.current().off(), means.nodes(), nodesOn(to)));
    shifted.run();
  }

  @Override
  public String words() {
    return shifter.current().words();
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  /** {@inheritDoc} Of such a node the server or the DataNode does not serve. */
  @Override
  public int failed() {
    Set<String> live = means.live();
    Set<String> serving = IdleOrders.serving(means);
    return (int)
        means.others(shifter.current().off()).stream()
            .filter(node -> !live.contains(node.server()) || !serving.contains(node.dataNode()))
            .count();
  }

  @Override
  protected Sight look() {
    List<String> found = new ArrayList<>();
    Optional<Integer> failed = asked("the nodes", this::failed, found);
    Optional<GearObservation.Load> load =
        asked("the load", this::load, found)
            .flatMap(known -> known)
            .filter(known -> failed.isPresent());
    troubles = List.copyOf(found);
    if (load.isEmpty() && found.isEmpty() && failed.orElse(0) == 0 && isEarly()) {
      throw new FailedWorkException("servers have not yet reported twice", "", "");
    }
    hasLooked = true;
    return new Sight(failed.orElse(0), load);
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
      if (e instanceof BadRequestException && !hasLooked) {
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

  private Optional<GearObservation.Load> load() {
    List<RegionServers.Report> reports = means.regions().reports();
    return meter.look(reports, nanos());
  }

  @Override
  public void close() {
    end.run();
  }
}
