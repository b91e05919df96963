package org.calando.engine.hdfs;

import java.nio.file.Path;
import java.util.Map;
import org.calando.control.Patience;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.layout.gear.ShiftEnergy;
import org.calando.engine.GearControl;
import org.calando.engine.NodePresence;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.HdfsGears;
import org.calando.gears.LocalGears;
import org.calando.gears.Member;
import org.calando.gears.ShiftNews;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.power.CpuSince;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.ToldSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Shifts the gear of a study's own HDFS, as the command {@code gear} does, and tells what each
 * shift came to. One shift at a time; what asks for the gear is thread safe.
 */
final class GearBox implements GearControl {
  private static final String OWNER = "./calando study";

  private final LocalHdfs cluster;
  private final HdfsGears gears;
  private final Path path;
  private final GearFile file;
  private final NodeProfile profile;
  private final Map<String, PowerSwitch> switches;
  private volatile NodePresence presence = NodePresence.IGNORED;

  /**
   * Of a cluster.
   *
   * @param path of its gear file
   * @param profile of every node
   */
  GearBox(LocalHdfs cluster, HdfsGears gears, Path path, NodeProfile profile) {
    this.cluster = cluster;
    this.gears = gears;
    this.path = path;
    this.file = GearFiles.read(path);
    this.profile = profile;
    this.switches =
        LocalGears.switches(
            cluster,
            (node, bare) ->
                new ToldSwitch(
                    bare,
                    () -> presence.mayGoOff(node.name()),
                    () ->
                        presence.cameBack(
                            node.name(), cluster.nodes().get(node.index() - 1).pid())));
  }

  @Override
  public String target() {
    return gears.target();
  }

  @Override
  public int notServing(int gear) {
    int on = groups().nodesIn(gear);
    return (int)
        gears.members().stream()
            .filter(member -> member.number() <= on)
            .filter(member -> !member.live() || member.service() != Member.Service.IN_SERVICE)
            .count();
  }

  @Override
  public void tell(NodePresence newPresence) {
    presence = newPresence;
  }

  @Override
  public int gear() {
    return GearFiles.read(path).gear();
  }

  @Override
  public int highest() {
    return groups().gears();
  }

  /** How many nodes, the first ones, are to be on now. */
  int nodesOn() {
    return groups().nodesIn(gear());
  }

  private GearGroups groups() {
    return file.layout().groups();
  }

  @Override
  public int replication() {
    return file.layout().replicas();
  }

  @Override
  public boolean isOpen() {
    return GearShifter.unfinished(path).isPresent();
  }

  @Override
  public void settle() throws InterruptedException {
    if (isOpen()) {
      shifter(ShiftNews.NONE).resume();
    }
  }

  @Override
  public GearShift shift(int to) throws InterruptedException {
    int from = gear();
    Heard heard = new Heard();
    CpuSince used = new CpuSince(() -> cluster.nodes().stream().map(LocalHdfsNode::pid).toList());
    long begunNanos = System.nanoTime();
    shifter(heard).shift(to);
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    CatchUpTotals totals = heard.totals;
    int nodes = Math.abs(groups().nodesIn(to) - groups().nodesIn(from));
    return new GearShift(
        from,
        to,
        seconds,
        totals == null ? 0 : totals.seconds(),
        totals == null ? 0 : totals.bytes(),
        totals == null ? 0 : totals.predicted(),
        ShiftEnergy.joules(profile, to > from, nodes, seconds, used.seconds()));
  }

  private GearShifter shifter(ShiftNews news) {
    return new GearShifter(
        new GearMeans(
            gears,
            path,
            GearFiles.read(path),
            switches,
            Patience.usual(),
            CatchUpPace.FOREGROUND,
            news),
        OWNER);
  }

  /** Hears what the catch-up came to. */
  private static final class Heard implements ShiftNews {
    private volatile @Nullable CatchUpTotals totals;

    @Override
    public void tell(String line) {
      // A run's progress line says that it shifts.
    }

    @Override
    public void ended(CatchUpTotals sum) {
      totals = sum;
    }
  }
}
