package org.calando.studyfile.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.WarmShare;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.engine.BlockLayout;
import org.calando.engine.EngineSettings;
import org.calando.engine.GearedNodes;
import org.calando.engine.LinkDelay;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSpec;
import org.calando.sim.away.ShiftCosts;
import org.calando.studyfile.GearNodes;
import org.calando.studyfile.profile.CalibratedWork;
import org.calando.studyfile.profile.CalibrationProfile;

/**
 * A cluster that is simulated.
 *
 * <p>Immutable and thread safe.
 *
 * @param dataCentres its data centres, 1 or more
 * @param racks racks of each data centre, 1 or more; nodes take them in turn
 * @param replicas replicas by data centre, each of them one of {@code dataCentres}
 * @param linkDelay added to the latency of messages between nodes
 * @param tokens those of its nodes
 * @param gears groups of nodes that are switched on and off together, if there are any
 * @param model how it works
 * @param machines what it runs on
 * @param profile what it was calibrated on, if it was; {@code model} has its work and latencies
 */
public record SimSpec(
    List<DataCentre> dataCentres,
    int racks,
    Map<String, Integer> replicas,
    LinkDelay linkDelay,
    Tokens tokens,
    Optional<GearNodes> gears,
    SimModel model,
    SimMachines machines,
    Optional<CalibrationProfile> profile)
    implements EngineSettings, GearedNodes, ModelledWork {
  /** The data centre of a cluster that has one. */
  public static final String ONLY_DATA_CENTRE = "dc1";

  /** Copies the collections. */
  public SimSpec {
    dataCentres = List.copyOf(dataCentres);
    replicas = Map.copyOf(replicas);
  }

  /**
   * A data centre.
   *
   * @param name its name
   * @param nodes how many nodes it has, 1 or more
   */
  public record DataCentre(String name, int nodes) {}

  /**
   * Which tokens nodes have. Immutable and thread safe.
   *
   * @param each one entry a node, each one or more tokens separated by commas; empty for evenly
   *     spread, or as the layout has them
   * @param warm which share of each data centre's nodes is warm; only where {@code each} is empty
   * @param partitioner whose tokens the layout has
   */
  public record Tokens(List<String> each, Optional<WarmShare> warm, Partitioner partitioner) {
    /** Copies the list. */
    public Tokens {
      each = List.copyOf(each);
    }
  }

  /** That of a store; empty if it is not simulated. */
  public static Optional<SimSpec> of(StoreSpec store) {
    return store.find(SimSpec.class);
  }

  @Override
  public String engine() {
    return SimEngine.ID;
  }

  /** Nodes of all data centres. */
  public int size() {
    return dataCentres.stream().mapToInt(DataCentre::nodes).sum();
  }

  @Override
  public OptionalInt nodes() {
    return OptionalInt.of(size());
  }

  @Override
  public OptionalInt highest() {
    return gears.map(nodes -> OptionalInt.of(nodes.gears())).orElse(OptionalInt.empty());
  }

  @Override
  public Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
    return gears
        .filter(nodes -> nodes.nodePerSecond().isPresent())
        .map(nodes -> nodes.model(profile, offSeconds(nodes)));
  }

  @Override
  public Optional<GearModel> fixedModel(NodeProfile profile) {
    return gears.map(nodes -> nodes.model(profile, offSeconds(nodes)));
  }

  /** Of the racks of a local cluster what policies take them for there. */
  private double offSeconds(GearNodes nodes) {
    ShiftCosts costs = model.absences().costs();
    return nodes.byTurns()
        ? GearModel.PROCESS_OFF_SECONDS
        : (costs.noticeNanos() + costs.stopNanos()) / 1e9;
  }

  @Override
  public Optional<Lack> lack() {
    int copies = ReplicationSchema.total(replicas);
    return gears.isPresent() || racks == 1 || racks == copies
        ? Optional.empty()
        : Optional.of(
            new Lack(
                "needs a copy of each row in each rack, and there are %d racks and rf %d"
                    .formatted(racks, copies),
                "write as many racks as rf, 3 or more, or store.sim.gears"));
  }

  @Override
  public int copies(int gear) {
    return gears.map(nodes -> nodes.copies(gear)).orElse(gear);
  }

  @Override
  public Optional<StoreLayout> layout() {
    return tokens.warm().map(StoreLayout.Tokens::new);
  }

  @Override
  public WorkCosts costs() {
    double delay =
        linkDelay.matrix().stream()
            .flatMap(List::stream)
            .mapToDouble(Long::doubleValue)
            .max()
            .orElse(0);
    double between =
        racks > 1 || gears.isPresent()
            ? model.betweenRacks().meanNanos()
            : model.latency().meanNanos();
    return CalibratedWork.costs(
        model.services(), 2 * (model.clientLatency().meanNanos() + between + delay) / 1e9);
  }

  @Override
  public Optional<PStates> states() {
    return machines.clocks().map(clocks -> clocks.clocks().states());
  }

  @Override
  public double idleActivity() {
    return machines.clocks().map(clocks -> clocks.clocks().idleActivity()).orElse(0.0);
  }

  @Override
  public boolean hasRoles() {
    return model.hasGroups();
  }
}
