package org.calando.predict;

import org.calando.core.energy.NodeProfile;

/** Watts and joules of runs by the power profile of a node. Immutable. */
record NodePower(NodeProfile profile, int nodes) {
  /** Of all nodes; of those whose cores are not told one by one, as if all used the mean. */
  double watts(Figures figures) {
    return nodes
        * figures.nodeCores().stream()
            .mapToDouble(cores -> profile.watts(profile.utilisation(cores, 1)))
            .average()
            .orElse(Double.NaN);
  }

  /** Of all nodes, an operation. */
  double joules(Figures figures) {
    return watts(figures) / figures.throughput();
  }

  /** The busiest node's share of the profile's cores; above 1 it does what the profile's cannot. */
  double most(Figures figures) {
    return figures.nodeCores().stream()
        .mapToDouble(cores -> profile.utilisation(cores, 1))
        .max()
        .orElse(Double.NaN);
  }
}
