package org.calando.engine.hbase;

import java.util.List;
import java.util.Optional;
import org.calando.engine.EngineSettings;

/**
 * How a user's own HBase is reached. Immutable and thread safe.
 *
 * @param quorum ZooKeeper's servers, each {@code HOST:PORT}, 1 or more
 * @param znode where in ZooKeeper the cluster is
 * @param user whom the cluster is told that Calando is; without it this process's user
 * @param others names of nodes without a RegionServer
 */
public record HBaseSpec(
    List<String> quorum, String znode, Optional<String> user, List<String> others)
    implements EngineSettings {
  /** Copies the lists. */
  public HBaseSpec {
    quorum = List.copyOf(quorum);
    others = List.copyOf(others);
  }

  @Override
  public String engine() {
    return HBaseEngine.ID;
  }
}
