package org.calando.engine.cassandra;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.engine.BlockLayout;
import org.calando.engine.GearedNodes;
import org.calando.engine.InventorySpec;
import org.calando.engine.LocalSpec;
import org.calando.engine.StoreSpec;

/**
 * The gears of a Cassandra as a study's file tells them: each of its racks has a copy of every row,
 * and those go off that a quorum does not need, the last by name first. Immutable and thread safe.
 *
 * @param racks number of nodes by rack; with an empty name those that name none
 * @param copies of each row
 * @param dataCentres that are told
 * @param nodePerSecond operations that policies take a node to serve in a second
 * @param offSeconds from the order to power off
 */
record RackGears(
    TreeMap<String, Integer> racks,
    int copies,
    int dataCentres,
    Optional<Double> nodePerSecond,
    double offSeconds)
    implements GearedNodes {
  private static final String THREE = "write three racks, and rf: 3";

  static RackGears of(StoreSpec store) {
    TreeMap<String, Integer> racks = new TreeMap<>();
    Optional<LocalSpec> local = store.local();
    local.ifPresent(
        own ->
            IntStream.range(0, own.nodes())
                .forEach(node -> racks.merge("r" + (1 + node % own.racks()), 1, Integer::sum)));
    List<InventorySpec.Node> nodes = store.inventory().map(InventorySpec::nodes).orElse(List.of());
    nodes.forEach(node -> racks.merge(node.rack().orElse(""), 1, Integer::sum));
    return new RackGears(
        racks,
        store.replicationFactor(),
        store.inventory().map(own -> own.datacenters().size()).orElse(1),
        store.find(CassandraSettings.class).flatMap(CassandraSettings::nodePerSecond),
        store.inventory().map(InventorySpec::offSeconds).orElse(GearModel.PROCESS_OFF_SECONDS));
  }

  /** Racks that are off in gear 1. */
  int mostOff() {
    return lack().isPresent() ? 0 : spare();
  }

  /** Nodes that are off in gear 1. */
  int nodesOff() {
    List<Integer> sizes = List.copyOf(racks.values());
    return sizes.subList(sizes.size() - mostOff(), sizes.size()).stream()
        .mapToInt(size -> size)
        .sum();
  }

  /** Copies that a quorum does without. */
  private int spare() {
    return copies - (copies / 2 + 1);
  }

  @Override
  public Optional<Lack> lack() {
    if (racks.containsKey("")) {
      return lack("needs the racks of the nodes", "give each node its rack in the inventory");
    }
    if (dataCentres > 1) {
      return lack(
          "is not supported in studies of several data centres",
          "remove it; ./calando gear and a governor shift their racks");
    }
    if (spare() < 1) {
      return lack(
          "leaves no quorum: rf %d spares no copy at QUORUM".formatted(copies),
          racks.size() < 3 ? THREE : "write rf: 3");
    }
    if (racks.size() != copies) {
      return lack(
          "needs a copy of each row in each rack, and there are %d racks and rf %d"
              .formatted(racks.size(), copies),
          racks.size() < 3 ? THREE : "write as many racks as rf");
    }
    return Optional.empty();
  }

  private static Optional<Lack> lack(String problem, String remedy) {
    return Optional.of(new Lack(problem, remedy));
  }

  @Override
  public OptionalInt highest() {
    return lack().isPresent() ? OptionalInt.empty() : OptionalInt.of(1 + spare());
  }

  @Override
  public int copies(int gear) {
    return copies - (1 + spare() - gear);
  }

  /** {@inheritDoc} Racks that are off first would hold hints for those that go or come later. */
  @Override
  public boolean isViaHighest() {
    return true;
  }

  @Override
  public Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
    return highest().isEmpty()
        ? Optional.empty()
        : nodePerSecond.map(
            serves ->
                GearModel.ofEqualNodes(
                    nodesOn(), profile, serves, offSeconds, CatchUpModel.none(1 + spare())));
  }

  private List<Integer> nodesOn() {
    List<Integer> sizes = List.copyOf(racks.values());
    return IntStream.rangeClosed(copies - spare(), copies)
        .mapToObj(on -> sizes.subList(0, on).stream().mapToInt(Integer::intValue).sum())
        .toList();
  }
}
