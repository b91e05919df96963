package org.calando.engine;

import org.calando.core.BadRequestException;
import org.calando.local.LocalCluster;

/** Ends and starts the servers of a cluster on this machine; their links are as they are. */
public class ServerControl implements ClusterControl {
  private final LocalCluster<?> cluster;
  private final String servers;

  /**
   * A cluster.
   *
   * @param servers what its servers are called, for a message
   */
  public ServerControl(LocalCluster<?> cluster, String servers) {
    this.cluster = cluster;
    this.servers = servers;
  }

  @Override
  public void delayLinks(LinkDelay delay) {
    throw new BadRequestException(
        "links between " + servers + " cannot be delayed", "events", "remove the event");
  }

  @Override
  public void kill(String node) {
    cluster.kill(node);
  }

  @Override
  public void stop(String node) {
    cluster.stop(node);
  }

  @Override
  public final void start(String node) {
    cluster.launch(node);
  }

  @Override
  public final boolean takesRequests(String node) {
    return cluster.isUp(node);
  }

  @Override
  public final long pid(String node) {
    return cluster.pid(node);
  }
}
