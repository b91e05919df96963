package org.calando.gears;

import org.calando.local.hdfs.LocalHdfs;
import org.calando.power.onoff.SwitchableProcess;

/**
 * A DataNode of a local cluster, as a switch takes it.
 *
 * @param cluster the cluster
 * @param node from 1
 */
record LocalNode(LocalHdfs cluster, int node) implements SwitchableProcess {
  @Override
  public String name() {
    return "n" + node;
  }

  @Override
  public boolean isRunning() {
    return cluster.isRunning(node);
  }

  @Override
  public void start() {
    cluster.launch(node);
  }

  @Override
  public void stop() {
    cluster.stop(node);
  }

  @Override
  public void kill() {
    cluster.kill(node);
  }
}
