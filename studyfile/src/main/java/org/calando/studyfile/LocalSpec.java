package org.calando.studyfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.WarmShare;

/**
 * A cluster that is started on this machine for the study.
 *
 * <p>Immutable and thread safe.
 *
 * @param nodes number of nodes, 1 .. 9
 * @param racks number of racks, 1 .. nodes; node i is in rack i modulo racks
 * @param replicationFactor replicas of a key, 1 .. nodes
 * @param linkDelay delay between nodes
 * @param tokens one entry a node, each one or more tokens separated by commas; empty for evenly
 *     spread, or as the layout has them
 * @param layout which share of the nodes is warm; only without tokens
 * @param heapBytes maximum heap of a node
 * @param compiler the compiler of the nodes' machines
 * @param loopback first half of the nodes' addresses
 * @param ports the nodes' ports
 * @param auth whether clients must log in
 * @param tls whether clients must use TLS
 * @param cassandraYaml settings that are put into each node's cassandra.yaml
 * @param redis what only a local Redis has
 * @param hdfs what only a local HDFS has
 * @param hbase what only a local HBase has
 */
public record LocalSpec(
    int nodes,
    int racks,
    int replicationFactor,
    LinkDelay linkDelay,
    List<String> tokens,
    Optional<WarmShare> layout,
    long heapBytes,
    Compiler compiler,
    String loopback,
    Ports ports,
    boolean auth,
    boolean tls,
    Map<String, Object> cassandraYaml,
    RedisLocal redis,
    HdfsLocal hdfs,
    HBaseLocal hbase) {

  /** The same cluster in a layout, if there is one: its own tokens do not matter then. */
  public LocalSpec with(Optional<WarmShare> newLayout) {
    return newLayout.isEmpty() || newLayout.equals(layout)
        ? this
        : new LocalSpec(
            nodes,
            racks,
            replicationFactor,
            linkDelay,
            List.of(),
            newLayout,
            heapBytes,
            compiler,
            loopback,
            ports,
            auth,
            tls,
            cassandraYaml,
            redis,
            hdfs,
            hbase);
  }

  /**
   * The first setting that only Cassandra's clusters have and that is not as if it were left out.
   */
  public Optional<String> onlyForCassandra() {
    if (racks != 1) {
      return Optional.of("racks");
    }
    if (!linkDelay.equals(LinkDelay.uniform(0))) {
      return Optional.of("link-delay");
    }
    if (!tokens.isEmpty() || layout.isPresent()) {
      return Optional.of(layout.isPresent() ? "layout" : "tokens");
    }
    return cassandraYaml.isEmpty() ? Optional.empty() : Optional.of("cassandra-yaml");
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
