package org.calando.study.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.WarmShare;
import org.calando.study.config.SimSpec.DataCentre;

/**
 * What a file says of a simulated cluster; it may leave the cluster's shape to the local cluster
 * that it stands for. Immutable.
 */
record SimPart(
    Optional<Integer> nodes,
    Optional<Map<String, Integer>> dataCentres,
    Optional<Integer> racks,
    Optional<Map<String, Integer>> replicas,
    Optional<LinkDelay> linkDelay,
    Optional<WarmShare> layout,
    Partitioner partitioner,
    SimModel model) {
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
          SimModel.DEFAULT);

  /** The whole cluster, where what is left open is as a local one has it, or by default. */
  SimSpec orAs(Optional<LocalSpec> local) {
    List<DataCentre> centres = centres(local);
    Map<String, Integer> wanted =
        replicas.orElseGet(
            () ->
                Map.of(
                    ReplicationSchema.EVERYWHERE,
                    local.map(LocalSpec::replicationFactor).orElse(REPLICAS)));
    // Tokens are those of so many nodes; a layout stands in their place.
    boolean sameNodes = nodes.isEmpty() && dataCentres.isEmpty() && layout.isEmpty();
    return new SimSpec(
        centres,
        racks.or(() -> local.map(LocalSpec::racks)).orElse(1),
        byCentre(wanted, centres),
        linkDelay.or(() -> local.map(LocalSpec::linkDelay)).orElse(LinkDelay.uniform(0)),
        sameNodes ? local.map(LocalSpec::tokens).orElse(List.of()) : List.of(),
        layout.or(() -> local.flatMap(LocalSpec::layout)),
        partitioner,
        model);
  }

  private List<DataCentre> centres(Optional<LocalSpec> local) {
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
                        nodes.or(() -> local.map(LocalSpec::nodes)).orElse(NODES))));
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
