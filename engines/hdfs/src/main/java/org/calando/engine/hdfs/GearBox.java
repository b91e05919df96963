package org.calando.engine.hdfs;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.calando.control.Patience;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearShift;
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
import org.calando.power.MeterException;
import org.calando.power.ProcessCpu;
import org.calando.power.onoff.PowerSwitch;
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
  private final ProcessCpu reader = ProcessCpu.ofThisMachine();
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
                    node.name(),
                    () -> presence,
                    () -> cluster.nodes().get(node.index() - 1).pid()));
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

  /** Resumes a shift that was not finished, if there is one. */
  void resume() throws InterruptedException {
    if (GearShifter.unfinished(path).isPresent()) {
      shifter(ShiftNews.NONE).resume();
    }
  }

  /** {@inheritDoc} {@link #resume} resumes a shift that failed. */
  @Override
  public GearShift shift(int to) throws InterruptedException {
    int from = gear();
    Heard heard = new Heard();
    Map<Long, Double> before = cpuSeconds();
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
        ShiftEnergy.joules(profile, to > from, nodes, seconds, used(before)));
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

  /** CPU time that processes which run now have used since; new ones with all that they used. */
  private double used(Map<Long, Double> before) {
    double sum = 0;
    for (Map.Entry<Long, Double> now : cpuSeconds().entrySet()) {
      sum += now.getValue() - before.getOrDefault(now.getKey(), 0.0);
    }
    return sum;
  }

  private Map<Long, Double> cpuSeconds() {
    Map<Long, Double> seconds = new HashMap<>();
    for (LocalHdfsNode node : cluster.nodes()) {
      try {
        seconds.put(node.pid(), reader.read(reader.identify(node.pid())).cpuNanos() / 1e9);
      } catch (MeterException e) {
        // It is off, or goes off now: what it used at last is not known.
      }
    }
    return seconds;
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
