package org.calando.kept;

import org.calando.local.LocalCluster;
import org.calando.power.onoff.SwitchableProcess;

/**
 * A server of a cluster on this machine, as a switch takes it.
 *
 * @param cluster the cluster
 * @param name of the server
 */
public record LocalServer(LocalCluster<?> cluster, String name) implements SwitchableProcess {
  @Override
  public boolean isRunning() {
    return cluster.isRunning(name);
  }

  @Override
  public void start() {
    cluster.launch(name);
  }

  @Override
  public void stop() {
    cluster.stop(name);
  }

  @Override
  public void kill() {
    cluster.kill(name);
  }
}
