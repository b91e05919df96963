package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.engine.NodeGears;
import org.calando.store.hdfs.NodeTraffic;
import org.jspecify.annotations.Nullable;

/*
 * A name server that does not answer is no doubt that has all nodes on: no gear can be shifted to then, and the counts go
 * on behind its back. The look after a shift knows the load since: one that did not would have to go up again, as policies
 * do in doubt.
 */
/**
 * The gears of an HDFS. Their load is megabytes (10^6) a second that nodes read and write for
 * clients, each written byte once.
 */
public final class HdfsNodeGears extends NodeGears {
  private static final double MEGA = 1e6;

  private final GearMeans means;
  private final Supplier<List<NodeTraffic>> traffic;
  private final double offSeconds;
  private final Runnable end;
  private final GearShifter shifter;
  private volatile @Nullable CatchUpTotals totals;

  // Of what carries out looks and shifts.
  private Map<String, NodeTraffic> last = Map.of();
  private long lastNanos;
  private boolean looked;

  /**
   * Gears as the gear file has them.
   *
   * @param traffic asks the nodes that are on
   * @param offSeconds from the order to power off of a node
   * @param end closes what it needs
   */
  public HdfsNodeGears(
      User user,
      GearMeans bare,
      Supplier<List<NodeTraffic>> traffic,
      double offSeconds,
      Runnable end) {
    super(user);
    this.means =
        new GearMeans(
            bare.cluster(),
            bare.path(),
            bare.file(),
            told(bare.switches(), address -> "n" + (1 + bare.file().nodes().indexOf(address))),
            bare.patience(),
            bare.catchUp(),
            heard(bare.news()),
            bare.named());
    this.traffic = traffic;
    this.offSeconds = offSeconds;
    this.end = end;
    this.shifter = new GearShifter(means, user.owner());
  }

  @Override
  public String target() {
    return means.cluster().target();
  }

  @Override
  public int gear() {
    return shifter.gear();
  }

  @Override
  public int highest() {
    return means.groups().gears();
  }

  @Override
  public int nodesOn(int gear) {
    return means.groups().nodesIn(gear);
  }

  @Override
  public GearModel model() {
    return LayoutGears.ofFiles(
            means.file().layout(), user().profile(), user().perSecond() / MEGA, offSeconds)
        .in("MB/s");
  }

  @Override
  public Optional<String> unfinished() {
    return shifter.unfinished().map(to -> " to gear " + to.gear());
  }

  @Override
  public String status() {
    return means.command("status");
  }

  @Override
  public void settle() throws InterruptedException {
    if (shifter.unfinished().isPresent()) {
      shifter.resume();
    }
  }

  @Override
  public boolean canUndo() {
    return true;
  }

  @Override
  public void undo() throws InterruptedException {
    if (shifter.unfinished().isPresent()) {
      shifter.undo();
    }
  }

  @Override
  protected void move(int to) throws InterruptedException {
    totals = null;
    shifter.shift(to);
  }

  @Override
  protected GearShift counted(GearShift shift) {
    CatchUpTotals found = totals;
    return new GearShift(
        shift.from(),
        shift.to(),
        shift.seconds(),
        found == null ? 0 : found.seconds(),
        found == null ? 0 : found.bytes(),
        found == null ? 0 : found.predicted(),
        shift.joules());
  }

  @Override
  public int failed() {
    int on = nodesOn(gear());
    return (int)
        means.cluster().members().stream()
            .filter(member -> member.number() <= on && !member.serves())
            .count();
  }

  @Override
  protected Sight look() {
    Optional<GearObservation.Load> load = load();
    return new Sight(failed(), load);
  }

  @Override
  protected void begin() {
    looked = false;
    try {
      var unused = load();
    } catch (FailedWorkException e) {
      // The next look says so if the NameNode is silent then.
    }
  }

  private Optional<GearObservation.Load> load() {
    long now = nanos();
    Map<String, NodeTraffic> counts = new HashMap<>();
    traffic.get().forEach(node -> counts.put(node.name(), node));
    double read = 0;
    double written = 0;
    List<NodeTraffic> known = new ArrayList<>(counts.values());
    for (NodeTraffic node : known) {
      NodeTraffic before = last.get(node.name());
      if (before != null) {
        read += node.readSince(before);
        written += node.writtenSince(before);
      }
    }
    double seconds = (now - lastNanos) / 1e9;
    boolean first = !looked || !(seconds > 0);
    last = counts;
    lastNanos = now;
    looked = true;
    double once = written / means.file().layout().replicas();
    return first
        ? Optional.empty()
        : Optional.of(
            new GearObservation.Load(now, (read + once) / MEGA / seconds, once / seconds));
  }

  @Override
  public void close() {
    end.run();
  }

  /** Hears what the catch-up came to, and hands all on. */
  private ShiftNews heard(ShiftNews news) {
    return new ShiftNews() {
      @Override
      public void tell(String line) {
        news.tell(line);
        report(line);
      }

      @Override
      public void caughtUp(long doneBytes, long allBytes) {
        news.caughtUp(doneBytes, allBytes);
      }

      @Override
      public void ended(CatchUpTotals sum) {
        totals = sum;
        news.ended(sum);
      }
    };
  }
}
