package org.calando.sim.kernel;

/** Core time of each node, whose cores may be those of others too. Not thread safe. */
public final class CoreTime {
  private final int[] busy;
  private final long[] busyNanos;
  private final long[] sinceNanos;

  /** Of so many nodes, without work. */
  public CoreTime(int nodes) {
    busy = new int[nodes];
    busyNanos = new long[nodes];
    sinceNanos = new long[nodes];
  }

  /** Work of a node begins or ends on a core: changes the cores it has by 1 or -1. */
  public void change(int node, int by, long nowNanos) {
    busyNanos[node] += (nowNanos - sinceNanos[node]) * busy[node];
    sinceNanos[node] = nowNanos;
    busy[node] += by;
  }

  /** Cores that a node has now. */
  public int busy(int node) {
    return busy[node];
  }

  /** Core time of a node up to a time not before the last change. */
  public long busyNanos(int node, long nowNanos) {
    return busyNanos[node] + (nowNanos - sinceNanos[node]) * busy[node];
  }
}
