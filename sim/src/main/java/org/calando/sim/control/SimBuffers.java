package org.calando.sim.control;

import java.util.function.Consumer;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.buffer.BufferLoop;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.WriteBuffer;
import org.calando.sim.cluster.WriteBuffers;
import org.calando.sim.kernel.SimScheduler;

/*
 *   writes --> RecentWrites --> BufferLoop, policy, four times a second --> WriteBuffers
 *
 * A real client decides as often, of as many periods, and has the same shortest delay.
 */
/**
 * Has a policy decide how far the clients of a simulated cluster defer their writes, in simulated
 * time; until the first decision they are strong. Deciding takes no time and no work. Belongs to
 * the simulation's thread.
 */
public final class SimBuffers implements AutoCloseable {
  private final SimCluster cluster;
  private final SimScheduler scheduler;
  private final Settings settings;
  private final Consumer<BufferLoop.Decided> listener;
  private final WriteBuffers buffers;
  private final RecentWrites recent;
  private final BufferLoop loop;
  private BufferSetting current = BufferSetting.STRONG;
  private boolean closed;

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
  public SimBuffers(
      SimCluster cluster,
      SimScheduler scheduler,
      BufferPolicy policy,
      Settings settings,
      Consumer<BufferLoop.Decided> listener) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.settings = settings;
    this.listener = listener;
    this.buffers = cluster.writeBuffers();
    this.recent = new RecentWrites(BufferLoop.SLICES, now());
    long mostBytes = settings.writeBytes() * cluster.config().mostUnderWay();
    this.loop =
        new BufferLoop(
            policy,
            settings.target(),
            new BufferLoop.Range(BufferLoop.SHORTEST_DELAY_NANOS, mostBytes));
    buffers.set(null);
    buffers.mostAtRisk(settings.mostAtRisk());
    buffers.watch(recent, settings.writeBytes());
    plan();
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

  private long now() {
    return cluster.simulation().nowNanos();
  }

  private void plan() {
    scheduler.at(now() + BufferLoop.PERIOD_NANOS, this::tick);
  }

  private void tick() {
    if (closed) {
      return;
    }
    BufferLoop.Decided decided =
        loop.decide(recent.observe(now(), settings.target(), buffers.account().atRisk()), current);
    if (decided.changed()) {
      current = decided.set();
      fix(cluster, current, true, settings.writeBytes(), settings.costShare());
    }
    listener.accept(decided);
    plan();
  }

  /** Decides no more; writes are strong, and what was collected is sent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffers.watch(null, 0);
      buffers.set(null);
    }
  }
}
