package org.calando.store.redis.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.store.redis.RedisNode;

/**
 * Who is the master, and which replicas follow it. Immutable.
 *
 * @param master index of the master among the nodes, or -1 while there is none
 * @param replicas indices of the replicas that are linked, to the master or to one another
 * @param followers how many of them are linked to the master itself: only these WAIT counts
 * @param size the master and all that were last heard to follow it, linked or not; without Redis
 *     Cluster, all nodes
 */
record Topology(int master, List<Integer> replicas, int followers, int size) {
  /** Before anybody has answered. */
  static final Topology NOBODY = new Topology(-1, List.of(), 0, 0);

  Topology {
    replicas = List.copyOf(replicas);
  }

  /**
   * What the nodes say. Of two masters the one that became it last is meant: the other has been
   * replaced, and does not know yet.
   *
   * @param nodes in the order of the indices
   * @param views what is known of them
   * @param newest the node that said last that it had become the master
   */
  static Topology of(List<RedisNode> nodes, List<NodeView> views, Optional<String> newest) {
    int master = -1;
    List<Integer> replicas = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      String name = nodes.get(i).name();
      for (NodeView view : views) {
        if (!view.node().equals(name)) {
          continue;
        }
        if (view.role() == Role.MASTER && (master < 0 || newest.equals(Optional.of(name)))) {
          master = i;
        } else if (view.role() == Role.REPLICA && view.word().linkUp()) {
          replicas.add(i);
        }
      }
    }
    String of = master < 0 ? "" : nodes.get(master).name();
    long followers =
        views.stream()
            .filter(view -> view.role() == Role.REPLICA && view.word().linkUp())
            .filter(view -> view.word().upstream().equals(of))
            .count();
    return new Topology(master, replicas, (int) followers, nodes.size());
  }

  /**
   * One master of several, and the linked replicas that follow it; nobody if the node does not say
   * that it is one.
   */
  static Topology of(List<RedisNode> nodes, List<NodeView> views, int master) {
    String name = nodes.get(master).name();
    boolean is = views.stream().anyMatch(v -> v.node().equals(name) && v.role() == Role.MASTER);
    List<Integer> replicas = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      String node = nodes.get(i).name();
      boolean follows =
          views.stream()
              .anyMatch(
                  v ->
                      v.node().equals(node)
                          && v.role() == Role.REPLICA
                          && v.word().linkUp()
                          && v.word().upstream().equals(name));
      if (follows) {
        replicas.add(i);
      }
    }
    long members =
        views.stream()
            .filter(v -> v.role() != Role.MASTER && v.word().upstream().equals(name))
            .count();
    return new Topology(is ? master : -1, replicas, replicas.size(), 1 + (int) members);
  }

  /** The master, if there is one, and the linked replicas. */
  List<Integer> all() {
    List<Integer> all = new ArrayList<>(replicas);
    if (master >= 0) {
      all.add(master);
    }
    return all;
  }
}
