package org.calando.engine.cassandra;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.layout.gear.ShiftEnergy;
import org.calando.core.layout.rack.RackOrder;
import org.calando.engine.GearControl;
import org.calando.engine.NodePresence;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.power.CpuSince;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.power.onoff.ToldSwitch;
import org.calando.store.cassandra.gear.NodeSight;

/**
 * Shifts the racks of the Cassandra of a study, as the command {@code gear} does, and tells what
 * each shift came to. One shift at a time; what asks for the gear is thread safe.
 */
final class RackBox implements GearControl {
  private static final String OWNER = "./calando study";

  private final RackMeans means;
  private final RackGears gears;
  private final Supplier<Map<String, Long>> processes;
  private final NodeProfile profile;
  private final RackShifter shifter;
  private final RackOrder order;
  private volatile NodePresence presence = NodePresence.IGNORED;
  private volatile Consumer<String> news = line -> {};

  /**
   * Of a cluster.
   *
   * @param gears that its file tells
   * @param processes of the nodes on this machine, by name, as they are now
   * @param profile of every node
   * @throws BadRequestException if the cluster has other racks than its file tells
   * @throws org.calando.core.FailedWorkException if a node does not answer
   */
  RackBox(
      RackMeans means,
      RackGears gears,
      Supplier<Map<String, Long>> processes,
      NodeProfile profile) {
    this.gears = gears;
    this.processes = processes;
    this.profile = profile;
    Map<String, PowerSwitch> told = new HashMap<>();
    means.board().switches().forEach((name, bare) -> told.put(name, telling(name, bare)));
    this.means =
        new RackMeans(
            means.servers(),
            new SwitchBoard(told, means.board().telling(), line -> news.accept(line)),
            means.path(),
            means.keeps(),
            means.patience(),
            means.named(),
            means.changed());
    this.shifter = new RackShifter(this.means, OWNER);
    this.order = shifter.gears(gears.mostOff());
    if (order.nodesOf(order.offIn(1)).size() != gears.nodesOff()) {
      throw new BadRequestException(
          "the cluster has other racks than its file tells: those that would go have "
              + String.join(", ", order.nodesOf(order.offIn(1))),
          "matrix.gear",
          "write the racks of cassandra-rackdc.properties into the inventory");
    }
  }

  private PowerSwitch telling(String name, PowerSwitch bare) {
    return new ToldSwitch(
        bare,
        () -> presence.mayGoOff(name),
        () ->
            Optional.ofNullable(processes.get().get(name))
                .ifPresent(process -> presence.cameBack(name, process)));
  }

  @Override
  public String target() {
    return means.target();
  }

  @Override
  public int gear() {
    return order.gearOf(shifter.mayBeOff()).orElse(1);
  }

  @Override
  public int highest() {
    return order.highest();
  }

  /** Names of the nodes that are off in the lowest gear. */
  Set<String> mayBeOff() {
    return Set.copyOf(order.nodesOf(order.offIn(1)));
  }

  @Override
  public int notServing(int gear) {
    List<String> on = new ArrayList<>(means.servers().names());
    on.removeAll(order.nodesOf(order.offIn(gear)));
    return (int)
        on.stream()
            .filter(name -> means.servers().sight(name).filter(NodeSight::serves).isEmpty())
            .count();
  }

  @Override
  public int replication() {
    return gears.copies();
  }

  @Override
  public void tell(NodePresence newPresence) {
    presence = newPresence;
  }

  @Override
  public void hear(Consumer<String> newNews) {
    news = newNews;
  }

  /** {@inheritDoc} Racks come on together, so that a shift up goes to the highest gear. */
  @Override
  public GearShift shift(int to) throws InterruptedException {
    int from = gear();
    int goal = to > from ? highest() : to;
    CpuSince used = new CpuSince(() -> List.copyOf(processes.get().values()));
    long begunNanos = System.nanoTime();
    shifter.shift(order.offIn(goal));
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    int nodes = Math.abs(nodesOff(goal) - nodesOff(from));
    return new GearShift(
        from,
        goal,
        seconds,
        Double.NaN,
        GearShift.UNKNOWN,
        GearShift.UNKNOWN,
        processes.get().isEmpty()
            ? Double.NaN
            : ShiftEnergy.joules(profile, goal > from, nodes, seconds, used.seconds()));
  }

  private int nodesOff(int gear) {
    return order.nodesOf(order.offIn(gear)).size();
  }

  @Override
  public boolean isOpen() {
    return RackShifter.unfinished(means.path()).isPresent();
  }

  /** {@inheritDoc} A plan that goes down is taken back: to resume it would switch the rack off. */
  @Override
  public String remedy() {
    String up = means.command("up");
    return RackShifter.unfinished(means.path())
        .map(open -> up + (shifter.goesUp() ? " --resume" : " --undo"))
        .orElse(up);
  }

  /** {@inheritDoc} A shift down is taken back, and one up resumed: all racks are on then. */
  @Override
  public void settle() throws InterruptedException {
    if (isOpen()) {
      shifter.settle();
    }
  }
}
