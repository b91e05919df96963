package org.calando.sim.control;

import org.calando.control.DeferringClients;
import org.calando.control.HeldBuffer;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.WriteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sets how far the clients of a simulated cluster defer their writes; setting it takes no time and
 * no work. Belongs to the simulation's thread.
 */
public final class SimBuffers implements DeferringClients {
  private final SimCluster cluster;
  private final double costShare;

  /**
   * Those of a cluster.
   *
   * @param costShare of the work for a write of a buffer: see {@link WriteBuffer}
   */
  public SimBuffers(SimCluster cluster, double costShare) {
    this.cluster = cluster;
    this.costShare = costShare;
  }

  @Override
  public HeldBuffer.Client deferring(long writeBytes, long mostAtRisk) {
    if (writeBytes < 1) {
      throw new IllegalArgumentException("writes of " + writeBytes + " bytes");
    }
    cluster.writeBuffers().set(null);
    cluster.writeBuffers().mostAtRisk(mostAtRisk);
    return new Clients(writeBytes);
  }

  @Override
  public void fix(BufferSetting setting, boolean shared, long writeBytes) {
    if (setting.isStrong()) {
      cluster.writeBuffers().set(null);
    } else {
      long most = Math.min(cluster.config().mostUnderWay(), setting.bytes() / writeBytes);
      cluster
          .writeBuffers()
          .set(new WriteBuffer((int) Math.max(1, most), setting.delayNanos(), costShare, shared));
    }
  }

  private final class Clients implements HeldBuffer.Client {
    private final long writeBytes;
    private BufferSetting current = BufferSetting.STRONG;

    Clients(long writeBytes) {
      this.writeBytes = writeBytes;
    }

    @Override
    public BufferRange range() {
      return new BufferRange(
          BufferRange.SHORTEST_DELAY_NANOS, writeBytes * cluster.config().mostUnderWay());
    }

    @Override
    public BufferSetting current() {
      return current;
    }

    @Override
    public void set(BufferSetting to) {
      current = to;
      fix(to, true, writeBytes);
    }

    @Override
    public void strong() {
      cluster.writeBuffers().set(null);
    }

    @Override
    public void watch(@Nullable RecentWrites recent) {
      cluster.writeBuffers().watch(recent, recent == null ? 0 : writeBytes);
    }

    @Override
    public long atRisk() {
      return cluster.writeBuffers().account().atRisk();
    }
  }
}
