package org.calando.store.hbase;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;
import org.calando.store.hbase.internal.HBaseSession;
import org.calando.store.hbase.internal.RecentWrites;

/*
 * All clients of the session share one buffer while a policy decides: a promise is on the session's writes, and the
 * buffers of many clients would each wait for their delay with few writes in them.
 */
/**
 * Observes a session's writes, has a policy decide four times a second how far they are deferred,
 * and sets it. Closing leaves writes strong. Thread safe.
 */
public final class BufferAgent implements AutoCloseable {
  /** From one decision to the next. */
  public static final Duration PERIOD = Duration.ofMillis(250);

  private static final int SLICES = 8;

  /** Settings nearer to each other than this are the same: no need to set anew. */
  private static final double SAME = 0.05;

  /** Told of decisions, on the agent's thread. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A decision.
     *
     * @param observation what was known
     * @param step what was decided, and why
     * @param set what is set now
     */
    void decided(BufferObservation observation, Step<BufferState> step, WriteBuffering set);
  }

  private final HBaseSession session;
  private final BufferPolicy policy;
  private final String target;
  private final boolean readYourWrites;
  private final Listener listener;
  private final LongSupplier clock;
  private final RecentWrites recent;
  private final ScheduledExecutorService thread;
  private BufferState state;
  private boolean closed;

  private BufferAgent(
      HBaseSession session,
      BufferPolicy policy,
      String target,
      boolean readYourWrites,
      Listener listener,
      LongSupplier clock) {
    this.session = session;
    this.policy = policy;
    this.target = target;
    this.readYourWrites = readYourWrites;
    this.listener = listener;
    this.clock = clock;
    this.state = policy.initial();
    this.recent = new RecentWrites(SLICES, clock.getAsLong());
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread one = new Thread(task, "calando-hbase-buffer");
              one.setDaemon(true);
              return one;
            });
  }

  /**
   * Begins to decide; writes are strong until the first decision says otherwise.
   *
   * @param target what decisions name: the table
   * @param mostAtRisk writes that may be at risk at once, at most; those that come then wait
   * @param readYourWrites whether reads see writes that have not been sent
   */
  public static BufferAgent start(
      HBaseSession session,
      BufferPolicy policy,
      String target,
      long mostAtRisk,
      boolean readYourWrites,
      Listener listener) {
    BufferAgent agent =
        new BufferAgent(session, policy, target, readYourWrites, listener, System::nanoTime);
    session.buffering(WriteBuffering.STRONG);
    session.mostAtRisk(mostAtRisk);
    session.watch(agent.recent);
    var unused =
        agent.thread.scheduleAtFixedRate(
            agent::decide, PERIOD.toNanos(), PERIOD.toNanos(), TimeUnit.NANOSECONDS);
    return agent;
  }

  private synchronized void decide() {
    if (closed) {
      return;
    }
    try {
      decideNow();
    } catch (RuntimeException e) {
      // A schedule that ends without a word would leave writes deferred that nobody watches.
      closed = true;
      session.buffering(WriteBuffering.STRONG);
      throw e;
    }
  }

  private void decideNow() {
    BufferObservation observation = recent.observe(clock.getAsLong(), target, session.atRisk());
    Step<BufferState> step = policy.decide(state, observation);
    state = step.state();
    for (Setting<?> setting : step.settings()) {
      if (setting.value() instanceof BufferSetting decided) {
        set(buffering(decided));
      }
    }
    listener.decided(observation, step, session.buffering());
  }

  private WriteBuffering buffering(BufferSetting setting) {
    if (setting.isStrong()) {
      return WriteBuffering.STRONG;
    }
    long bytes = Math.min(setting.bytes(), WriteBuffering.MOST_BYTES);
    long delay = Math.max(setting.delayNanos(), WriteBuffering.SHORTEST_DELAY_NANOS);
    return new WriteBuffering(bytes, delay, true, readYourWrites);
  }

  private void set(WriteBuffering wanted) {
    WriteBuffering now = session.buffering();
    boolean kind = now.isStrong() != wanted.isStrong();
    boolean other =
        differ(now.bytes(), wanted.bytes()) || differ(now.delayNanos(), wanted.delayNanos());
    if (kind || other) {
      session.buffering(wanted);
    }
  }

  private static boolean differ(long one, long other) {
    return Math.abs((double) one - (double) other) > SAME * (double) Math.max(one, other);
  }

  /** Ends it; writes are strong afterwards, and what was collected is sent. */
  @Override
  public synchronized void close() {
    closed = true;
    thread.shutdownNow();
    session.unwatch();
    session.buffering(WriteBuffering.STRONG);
  }
}
