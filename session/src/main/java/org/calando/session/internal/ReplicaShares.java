package org.calando.session.internal;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.calando.core.store.ReplicaPlacement;

/*
 * Each replica of a row counts a write of it once, be it alone, in a batch, conditional or a delete.
 * So the counts of all nodes of a data centre, divided by its replicas, are the rows written. While a
 * node is down its part is missing: the others stand for it, as replicas are spread evenly. Every
 * data centre gets each write, so of several the mean is taken. Read repair and hints that are
 * delivered add to the counts: too many writes make reads too strict, never too weak.
 */
/** What a write that a node applied is of a row that a client wrote. Immutable and thread safe. */
final class ReplicaShares {
  private static final String ALL = "";

  private final Map<String, Double> byDataCentre;

  private ReplicaShares(Map<String, Double> byDataCentre) {
    this.byDataCentre = byDataCentre;
  }

  /**
   * Of the nodes that count now.
   *
   * @param placement the keyspace's replicas; empty if not known
   * @param nodes all that the session knows and may ask
   */
  static ReplicaShares of(Optional<ReplicaPlacement> placement, Collection<Node> nodes) {
    Map<String, Double> shares = new HashMap<>();
    placement.ifPresent(
        known ->
            known
                .byDataCentre()
                .forEach(
                    (name, replicas) -> {
                      List<Node> there =
                          nodes.stream()
                              .filter(node -> name.equals(ALL) || name.equals(centre(node)))
                              .toList();
                      long up = there.stream().filter(node -> !Nodes.isDown(node)).count();
                      if (up > 0) {
                        int held = Math.min(replicas, there.size());
                        shares.put(name, (double) there.size() / up / held);
                      }
                    }));
    shares.replaceAll((name, share) -> share / shares.size());
    return new ReplicaShares(shares);
  }

  private static String centre(Node node) {
    return Objects.requireNonNullElse(node.getDatacenter(), ALL);
  }

  /** Rows for a write that a node counted; 0 if it holds none, NaN if that is not known. */
  double of(Node node) {
    if (byDataCentre.isEmpty()) {
      return Double.NaN;
    }
    double all = byDataCentre.getOrDefault(ALL, 0.0);
    return all > 0 ? all : byDataCentre.getOrDefault(centre(node), 0.0);
  }
}
