package org.calando.local.cassandra;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.local.process.SupervisedProcess;

/**
 * Tells when nodes of a cluster are up: each takes CQL connections, and each sees each other up in
 * its present life. Not thread safe.
 *
 * <p>Peers go on to hold a killed node for alive for about 19 s, so "alive" alone would be true
 * before a restarted node says a word: the gossip generation they know of it must be its own.
 */
final class Readiness implements AutoCloseable {
  private final LocalCassandraConfig config;
  private final List<NodeProbe> probes = new ArrayList<>();
  private final List<Integer> nodes;
  private String missing = "";

  /**
   * Asks about some nodes.
   *
   * @param nodes numbers of the nodes that must be up, 1 to N
   */
  Readiness(LocalCassandraConfig config, List<Integer> nodes) {
    this.config = config;
    this.nodes = List.copyOf(nodes);
    nodes.forEach(node -> probes.add(new NodeProbe(config, node)));
  }

  /**
   * Waits until all are up.
   *
   * @param check asked before each round; throws to give up
   * @return false if the time is up; {@link #missing} then says what was wanting
   */
  boolean await(Runnable check, Duration timeout) {
    return SupervisedProcess.poll(
        () -> {
          check.run();
          return allUp();
        },
        timeout);
  }

  /** What was wanting in the last round. */
  String missing() {
    return missing;
  }

  private boolean allUp() {
    // A connection is cheaper than a question over JMX, and comes last in a node's start.
    for (int i = 0; i < nodes.size(); i++) {
      if (!probes.get(i).acceptsCql()) {
        missing = "n" + nodes.get(i) + " takes no CQL connection";
        return false;
      }
    }
    Map<Integer, NodeProbe.View> views = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      int node = nodes.get(i);
      var view = probes.get(i).view();
      if (view.isEmpty() || !view.get().ready()) {
        missing = "n" + node + (view.isEmpty() ? " does not answer over JMX" : " is still joining");
        return false;
      }
      views.put(node, view.get());
    }
    return views.entrySet().stream().allMatch(e -> sees(e.getKey(), e.getValue(), views));
  }

  private boolean sees(int observer, NodeProbe.View view, Map<Integer, NodeProbe.View> views) {
    for (Map.Entry<Integer, NodeProbe.View> peer : views.entrySet()) {
      String address = config.peerAddress(peer.getKey());
      boolean present =
          Integer.valueOf(peer.getValue().ownGeneration()).equals(view.generations().get(address));
      if (!view.live().contains(address) || !present) {
        missing = "n" + observer + " does not see n" + peer.getKey() + " up";
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    probes.forEach(NodeProbe::close);
  }
}
