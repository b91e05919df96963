package org.calando.studyfile.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LinkDelay;
import org.calando.engine.LocalSpec;
import org.calando.engine.ReplicationSchema;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.studyfile.GearNodes;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.sim.SimSpec.DataCentre;

/**
 * What a file says of a simulated cluster; it may leave the cluster's shape to the local cluster
 * that it stands for, or else to the one that was calibrated. Such a cluster is asked as Calando's
 * own sessions ask Cassandra, unless the file says otherwise: through a replica of the key, which
 * asks the nearest. Immutable.
 */
record SimPart(
    Optional<Integer> nodes,
    Optional<Map<String, Integer>> dataCentres,
    Optional<Integer> racks,
    Optional<Map<String, Integer>> replicas,
    Optional<LinkDelay> linkDelay,
    Optional<WarmShare> layout,
    Partitioner partitioner,
    Optional<GearNodes> gears,
    Optional<CoordinatorChoice> coordinators,
    Optional<ReplicaChoice> asked,
    SimModel model,
    SimMachines machines,
    Optional<CalibrationProfile> profile) {
  private static final int NODES = 3;
  private static final int REPLICAS = 3;

  /** A file that says nothing of it. */
  static final SimPart NONE =
      new SimPart(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Partitioner.MURMUR3,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          SimModel.DEFAULT,
          SimMachines.NONE,
          Optional.empty());

  /**
   * The whole cluster, where what is left open is as another one has it, or by default.
   *
   * @param capacity operations a second that a node of a local cluster serves, if that is told
   */
  SimSpec orAs(Optional<LocalSpec> local, Optional<Double> capacity) {
    // Where there is a local cluster, that is what is simulated, however it was calibrated.
    Optional<ClusterShape> fitted =
        local.isPresent() ? Optional.empty() : profile.map(CalibrationProfile::cluster);
    List<DataCentre> centres = centres(local, fitted);
    Map<String, Integer> wanted =
        replicas.orElseGet(
            () ->
                Map.of(
                    ReplicationSchema.EVERYWHERE,
                    local
                        .map(LocalSpec::replicationFactor)
                        .or(() -> fitted.map(ClusterShape::replicationFactor))
                        .orElse(REPLICAS)));
    // Tokens are those of so many nodes; a layout stands in their place.
    boolean sameNodes = nodes.isEmpty() && dataCentres.isEmpty() && layout.isEmpty();
    int inRacks =
        racks
            .or(() -> local.map(LocalSpec::racks))
            .or(() -> fitted.map(ClusterShape::racks))
            .orElse(1);
    return new SimSpec(
        centres,
        inRacks,
        byCentre(wanted, centres),
        linkDelay
            .or(() -> local.map(LocalSpec::linkDelay))
            .or(() -> fitted.map(shape -> new LinkDelay(shape.delayNanos())))
            .orElse(LinkDelay.uniform(0)),
        new SimSpec.Tokens(
            sameNodes ? local.map(LocalSpec::tokens).orElse(List.of()) : List.of(),
            layout
                .or(() -> local.flatMap(LocalSpec::layout))
                .or(() -> fitted.flatMap(ClusterShape::layout)),
            partitioner),
        gears.or(() -> local.flatMap(own -> gears(centres, inRacks, wanted, capacity))),
        standsFor(local) ? asking() : model,
        machines,
        profile);
  }

  /** The gears that a real cluster of this shape has; see RackGears. */
  private Optional<GearNodes> gears(
      List<DataCentre> centres, int racks, Map<String, Integer> wanted, Optional<Double> capacity) {
    boolean spares = racks >= 3 && centres.size() == 1 && ReplicationSchema.total(wanted) == racks;
    // What fits no gears is refused where it asks for them, by their capacity, and has none else.
    boolean fits = capacity.isPresent() || (!model.hasGroups() && machines.off().isEmpty());
    return spares && fits
        ? Optional.of(GearNodes.ofRacks(centres.get(0).nodes(), racks, capacity))
        : Optional.empty();
  }

  private boolean standsFor(Optional<LocalSpec> local) {
    return local.isPresent() || profile.isPresent();
  }

  private SimModel asking() {
    return model.asking(
        coordinators.orElse(CoordinatorChoice.TOKEN_AWARE), asked.orElse(ReplicaChoice.NEAREST));
  }

  private List<DataCentre> centres(Optional<LocalSpec> local, Optional<ClusterShape> fitted) {
    return dataCentres
        .map(
            byName ->
                byName.entrySet().stream()
                    .map(entry -> new DataCentre(entry.getKey(), entry.getValue()))
                    .toList())
        .orElseGet(
            () ->
                List.of(
                    new DataCentre(
                        SimSpec.ONLY_DATA_CENTRE,
                        nodes
                            .or(() -> local.map(LocalSpec::nodes))
                            .or(() -> fitted.map(ClusterShape::nodes))
                            .orElse(NODES))));
  }

  /** One number is that of the only data centre; of several, it stays as it is, to be refused. */
  private static Map<String, Integer> byCentre(
      Map<String, Integer> wanted, List<DataCentre> centres) {
    Integer everywhere = wanted.get(ReplicationSchema.EVERYWHERE);
    return everywhere == null || centres.size() > 1
        ? wanted
        : Map.of(centres.get(0).name(), everywhere);
  }
}
