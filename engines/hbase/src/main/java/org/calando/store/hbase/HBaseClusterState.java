package org.calando.store.hbase;

import java.util.List;
import java.util.Optional;

/**
 * What the master tells of its cluster. Immutable and thread safe.
 *
 * @param version HBase's release
 * @param master the active master, empty while there is none
 * @param servers RegionServers that live, in the order of their names
 * @param dead RegionServers that the master holds for dead
 * @param regionsInTransition regions that are on their way between servers
 * @param balancing whether the master moves regions of its own accord; false where it does not say
 */
public record HBaseClusterState(
    String version,
    Optional<HBaseServer> master,
    List<HBaseServer> servers,
    List<HBaseServer> dead,
    int regionsInTransition,
    boolean balancing) {
  /** Copies the lists. */
  public HBaseClusterState {
    servers = List.copyOf(servers);
    dead = List.copyOf(dead);
  }
}
