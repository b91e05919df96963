package org.calando.engine.cassandra;

import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;

/** Changes a local cluster, and puts it back. */
final class LocalControl implements ClusterControl {
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
    cluster.kill(find(node).index());
  }

  @Override
  public void stop(String node) {
    nodesEnded = true;
    cluster.stop(find(node).index());
  }

  @Override
  public void start(String node) {
    cluster.launch(find(node).index());
  }

  @Override
  public boolean takesRequests(String node) {
    return cluster.isUp(find(node).index());
  }

  @Override
  public long pid(String node) {
    return find(node).pid();
  }

  private LocalNode find(String node) {
    return cluster.nodes().stream()
        .filter(each -> each.name().equals(node))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no node " + node));
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
