package org.calando.power.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;
import org.calando.power.PowerSource;

/**
 * How energy is measured.
 *
 * <p>Immutable and thread safe.
 *
 * @param meter {@code auto} or a meter's name
 * @param profile power of a node
 * @param calibrated whether {@code profile} is to be that of the calibrated cluster
 * @param baselineNanos how long idle nodes are observed before each run
 * @param intervalNanos time between two readings of a node
 * @param pricing what energy costs
 * @param nodes where the energy of nodes of a local cluster can be read, by their names
 */
public record PowerSpec(
    String meter,
    NodeProfile profile,
    boolean calibrated,
    long baselineNanos,
    long intervalNanos,
    EnergyPricing pricing,
    Map<String, List<PowerSource>> nodes) {
  /** Copies the mapping. */
  public PowerSpec {
    nodes = Map.copyOf(nodes);
  }

  /**
   * The same with the power profile of a calibrated cluster, if that is wanted and there is one.
   */
  public PowerSpec of(Optional<NodeProfile> cluster) {
    return calibrated && cluster.isPresent()
        ? new PowerSpec(meter, cluster.get(), true, baselineNanos, intervalNanos, pricing, nodes)
        : this;
  }
}
