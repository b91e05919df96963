package org.calando.engine.cassandra;

import org.calando.engine.LinkDelay;
import org.calando.engine.ServerControl;
import org.calando.local.cassandra.LocalCassandra;

/** Changes a local cluster, and puts it back. */
final class LocalControl extends ServerControl {
  private final LocalCassandra cluster;
  private final LinkDelay declared;
  private volatile boolean delayed;
  private volatile boolean nodesEnded;

  /**
   * A cluster that is as declared.
   *
   * @param declared the links' delay that holds between runs
   */
  LocalControl(LocalCassandra cluster, LinkDelay declared) {
    super(cluster, "nodes");
    this.cluster = cluster;
    this.declared = declared;
  }

  @Override
  public void delayLinks(LinkDelay delay) {
    delayed = true;
    cluster.linkDelays(CassandraLocalTarget.delays(delay, cluster.config().nodes()));
  }

  @Override
  public void kill(String node) {
    nodesEnded = true;
    super.kill(node);
  }

  @Override
  public void stop(String node) {
    nodesEnded = true;
    super.stop(node);
  }

  /** Gives links back their declared delay, if they had another. */
  void restoreDelays() {
    if (delayed) {
      delayLinks(declared);
      delayed = false;
    }
  }

  /** Waits, if nodes were ended, until every node sees every node up; all run by now. */
  void awaitNodes() {
    if (nodesEnded) {
      cluster.awaitAllUp();
      nodesEnded = false;
    }
  }
}
