package org.calando.store.cassandra;

import java.util.Map;
import java.util.TreeMap;

/** How a keyspace's rows are replicated. Immutable and thread safe. */
public sealed interface Replication {
  /** Replicas of each key in the whole cluster. */
  int replicas();

  /** The keyspace's {@code replication} option, with the class's short name. */
  Map<String, String> options();

  /**
   * The next nodes of the ring, whatever their rack and data centre.
   *
   * @param replicas 1 or more
   */
  record Simple(int replicas) implements Replication {
    public Simple {
      if (replicas < 1) {
        throw new IllegalArgumentException("replication factor " + replicas + " < 1");
      }
    }

    @Override
    public Map<String, String> options() {
      return Map.of("class", "SimpleStrategy", "replication_factor", Integer.toString(replicas));
    }
  }

  /**
   * A number of replicas per data centre, on different racks where there are enough.
   *
   * @param byDataCentre replicas by name of the data centre, each 1 or more; not empty
   */
  record NetworkTopology(Map<String, Integer> byDataCentre) implements Replication {
    public NetworkTopology {
      byDataCentre = Map.copyOf(byDataCentre);
      if (byDataCentre.isEmpty()) {
        throw new IllegalArgumentException("no data centre has replicas");
      }
      byDataCentre.forEach(
          (name, replicas) -> {
            if (replicas < 1) {
              throw new IllegalArgumentException(
                  "replication factor " + replicas + " of data centre " + name + " < 1");
            }
          });
    }

    @Override
    public int replicas() {
      return byDataCentre.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public Map<String, String> options() {
      Map<String, String> options = new TreeMap<>();
      options.put("class", "NetworkTopologyStrategy");
      byDataCentre.forEach((name, replicas) -> options.put(name, Integer.toString(replicas)));
      return options;
    }
  }
}
