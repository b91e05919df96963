package org.calando.power;

/** CPU time that a test sets; a node can be dead. */
final class FakeUsage implements UsageSource {
  private final Ticker ticker;
  final long[] cpuNanos;
  final long[] incarnations;
  final boolean[] dead;

  FakeUsage(int nodes, Ticker ticker) {
    this.ticker = ticker;
    cpuNanos = new long[nodes];
    incarnations = new long[nodes];
    dead = new boolean[nodes];
  }

  synchronized void use(int node, double cpuSeconds) {
    cpuNanos[node] += Math.round(cpuSeconds * 1e9);
  }

  synchronized void kill(int node) {
    dead[node] = true;
  }

  synchronized void restart(int node) {
    dead[node] = false;
    incarnations[node]++;
    cpuNanos[node] = 0;
  }

  @Override
  public synchronized NodeUsage read(int node) throws MeterException {
    if (dead[node]) {
      throw new MeterException("process has ended", "node " + node, "restart it");
    }
    return NodeUsage.ofProcess(ticker.nanos(), incarnations[node], cpuNanos[node], 4096);
  }
}
