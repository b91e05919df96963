package org.calando.engine.cassandra;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.engine.EngineSettings;

/**
 * What only a local Cassandra has. Immutable and thread safe.
 *
 * @param compiler the compiler of the nodes' machines
 * @param loopback first half of the nodes' addresses
 * @param ports the nodes' ports
 * @param yaml settings that are put into each node's cassandra.yaml
 */
public record CassandraLocal(
    Compiler compiler, String loopback, Ports ports, Map<String, Object> yaml)
    implements EngineSettings {
  /** Copies the settings. */
  public CassandraLocal {
    yaml = Collections.unmodifiableMap(new LinkedHashMap<>(yaml));
  }

  @Override
  public String engine() {
    return CassandraEngine.ID;
  }

  /** How far a node's machine compiles: C1 starts in half the CPU time, C2 runs hot code faster. */
  public enum Compiler {
    C1,
    C2
  }

  /**
   * The nodes' ports.
   *
   * @param cql for clients, the same on every node's address
   * @param storage between nodes, the same on every node's address
   * @param jmx node i (from 1) takes {@code jmx + i}; empty for what the loopback has
   */
  public record Ports(int cql, int storage, Optional<Integer> jmx) {}
}
