package org.calando.engine.hbase;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.engine.BlockLayout;
import org.calando.engine.EngineSettings;
import org.calando.engine.GearedNodes;
import org.calando.engine.NodeGears;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleNodeGears;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;

/**
 * The idle servers of an HBase as a study's file tells them: in gear 1 the fewest are awake, in
 * each further gear one more. Immutable and thread safe.
 *
 * @param servers RegionServers
 * @param least of them that are awake always
 * @param nodePerSecond operations that policies take a server to serve in a second
 */
public record IdleGears(int servers, int least, Optional<Double> nodePerSecond)
    implements GearedNodes, EngineSettings {
  /** Connects to a cluster; a user's inventory of it names the processes that run after shifts. */
  static IdleNodeGears open(
      NodeGears.User user, LocalHBase cluster, int least, ShiftNews news, Runnable shifted) {
    LocalIdle idle = LocalIdle.open(cluster, news);
    return new IdleNodeGears(user, idle.means(), least, shifted, idle::close);
  }

  /** Ids of the processes of a cluster's nodes, as they are now. */
  static Map<String, List<Long>> processes(LocalHBase cluster) {
    Map<String, List<Long>> processes = new TreeMap<>();
    LocalHBaseClusters.servers(cluster)
        .forEach(
            each ->
                processes.put(
                    each.name(),
                    Stream.concat(Stream.of(each.pid()), each.companions().stream()).toList()));
    return processes;
  }

  @Override
  public String engine() {
    return HBaseEngine.ID;
  }

  @Override
  public Optional<Lack> lack() {
    return servers > least
        ? Optional.empty()
        : Optional.of(
            new Lack(
                least == 1
                    ? "leaves no server awake: there is 1"
                    : "there %s, and store.gears.least keeps %d awake"
                        .formatted(
                            servers == 1 ? "is 1 server" : "are " + servers + " servers", least),
                "write more nodes" + (least == 1 ? "" : ", or a lower store.gears.least")));
  }

  @Override
  public OptionalInt highest() {
    return lack().isPresent() ? OptionalInt.empty() : OptionalInt.of(servers - least + 1);
  }

  /** {@inheritDoc} A row is on one server, which is awake in each gear. */
  @Override
  public int copies(int gear) {
    return 1;
  }

  @Override
  public Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
    List<Integer> awake = IntStream.rangeClosed(least, servers).boxed().toList();
    return highest().isEmpty()
        ? Optional.empty()
        : nodePerSecond.map(
            serves ->
                GearModel.ofEqualNodes(
                    awake,
                    profile,
                    serves,
                    IdleNodeGears.OFF_SECONDS,
                    CatchUpModel.none(awake.size())));
  }
}
