package org.calando.sim.control;

import java.util.function.Consumer;
import org.calando.control.ControlLoop;
import org.calando.control.HeldBuffer;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.WriteBuffer;
import org.calando.sim.cluster.WriteBuffers;
import org.calando.sim.kernel.SimScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Has a policy decide how far the clients of a simulated cluster defer their writes, in simulated
 * time; until the first decision, and when the loop is closed, they are strong. Deciding takes no
 * time and no work. Belongs to the simulation's thread.
 */
public final class SimBuffers {
  private SimBuffers() {}

  /**
   * What is decided on, and what a decision comes to.
   *
   * @param target what decisions name
   * @param writeBytes of a write, 1 or more: buffers hold whole writes
   * @param costShare of the work for a write of a buffer: see {@link WriteBuffer}
   * @param mostAtRisk writes that may be at risk at once; those that come then wait
   */
  public record Settings(String target, long writeBytes, double costShare, long mostAtRisk) {
    /** Checks the size. */
    public Settings {
      if (writeBytes < 1) {
        throw new IllegalArgumentException("writes of " + writeBytes + " bytes");
      }
    }
  }

  /**
   * Begins to decide.
   *
   * @param listener told of decisions that are in force
   */
  public static ControlLoop<BufferState> start(
      SimCluster cluster,
      SimScheduler scheduler,
      BufferPolicy policy,
      Settings settings,
      Consumer<HeldBuffer.Decided> listener) {
    WriteBuffers buffers = cluster.writeBuffers();
    buffers.set(null);
    buffers.mostAtRisk(settings.mostAtRisk());
    return HeldBuffer.start(
        scheduler, policy, settings.target(), new Clients(cluster, settings), listener);
  }

  /**
   * Has clients defer their writes alike from now on.
   *
   * @param shared whether all operations under way fill one buffer
   */
  public static void fix(
      SimCluster cluster, BufferSetting setting, boolean shared, long bytes, double costShare) {
    if (setting.isStrong()) {
      cluster.writeBuffers().set(null);
    } else {
      long most = Math.min(cluster.config().mostUnderWay(), setting.bytes() / bytes);
      cluster
          .writeBuffers()
          .set(new WriteBuffer((int) Math.max(1, most), setting.delayNanos(), costShare, shared));
    }
  }

  private static final class Clients implements HeldBuffer.Client {
    private final SimCluster cluster;
    private final Settings settings;
    private BufferSetting current = BufferSetting.STRONG;

    Clients(SimCluster cluster, Settings settings) {
      this.cluster = cluster;
      this.settings = settings;
    }

    @Override
    public BufferRange range() {
      return new BufferRange(
          BufferRange.SHORTEST_DELAY_NANOS,
          settings.writeBytes() * cluster.config().mostUnderWay());
    }

    @Override
    public BufferSetting current() {
      return current;
    }

    @Override
    public void set(BufferSetting to) {
      current = to;
      fix(cluster, to, true, settings.writeBytes(), settings.costShare());
    }

    @Override
    public void strong() {
      cluster.writeBuffers().set(null);
    }

    @Override
    public void watch(@Nullable RecentWrites recent) {
      cluster.writeBuffers().watch(recent, recent == null ? 0 : settings.writeBytes());
    }

    @Override
    public long atRisk() {
      return cluster.writeBuffers().account().atRisk();
    }
  }
}
