package org.calando.store.hbase;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.Plan;
import org.calando.core.policy.buffer.BufferLoop;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.WriteBuffering;
import org.jspecify.annotations.Nullable;

/*
 * The knob is to have all clients share one buffer while a policy decides: a promise is on the session's writes, and the
 * buffers of many clients would each wait for their delay with few writes in them.
 */
/**
 * Observes a session's writes, has a policy decide four times a second how far they are deferred,
 * and has it set. Closing leaves writes strong. Thread safe.
 */
public final class BufferAgent implements AutoCloseable {
  private static final BufferLoop.Range RANGE =
      new BufferLoop.Range(WriteBuffering.SHORTEST_DELAY_NANOS, WriteBuffering.MOST_BYTES);

  /** Sets the knob: directly, or by way of an executor with a journal. */
  @FunctionalInterface
  public interface Setter {
    /**
     * Sets it, and reads it back.
     *
     * @throws org.calando.core.CalandoException if it is not set
     * @throws InterruptedException if the waiting thread is interrupted
     */
    void set(BufferSetting to) throws InterruptedException;

    /** Carries out the knob's plan at once, and notes nothing. */
    static Setter direct(BufferKnob knob) {
      return to -> {
        for (Plan.Action step : knob.plan(knob.current(), to).steps()) {
          step.perform();
        }
      };
    }
  }

  /** Told of decisions, on the agent's thread. */
  @FunctionalInterface
  public interface Listener {
    /** A decision, once it is in force. */
    void decided(BufferLoop.Decided decided);
  }

  private final BufferedWrites session;
  private final BufferKnob knob;
  private final BufferLoop loop;
  private final Setter setter;
  private final Listener listener;
  private final LongSupplier clock;
  private final RecentWrites recent;
  private final ScheduledExecutorService thread;
  private @Nullable RuntimeException failure;
  private boolean closed;

  private BufferAgent(
      BufferedWrites session,
      BufferKnob knob,
      BufferPolicy policy,
      Setter setter,
      Listener listener,
      LongSupplier clock) {
    this.session = session;
    this.knob = knob;
    this.loop = new BufferLoop(policy, knob.target(), RANGE);
    this.setter = setter;
    this.listener = listener;
    this.clock = clock;
    this.recent = new RecentWrites(BufferLoop.SLICES, clock.getAsLong());
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
   * @param knob the session's; its target is what decisions name
   * @param mostAtRisk writes that may be at risk at once, at most; those that come then wait
   * @param setter sets the knob
   */
  public static BufferAgent start(
      BufferedWrites session,
      BufferKnob knob,
      BufferPolicy policy,
      long mostAtRisk,
      Setter setter,
      Listener listener) {
    BufferAgent agent = new BufferAgent(session, knob, policy, setter, listener, System::nanoTime);
    session.buffering(WriteBuffering.STRONG);
    session.mostAtRisk(mostAtRisk);
    session.watch(agent.recent);
    var unused =
        agent.thread.scheduleAtFixedRate(
            agent::decide, BufferLoop.PERIOD_NANOS, BufferLoop.PERIOD_NANOS, TimeUnit.NANOSECONDS);
    return agent;
  }

  /** Why it decides no more, though it was not closed: writes are strong since then. */
  public synchronized Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * That the policy's promise is not to be had here, in words, as far as was seen; empty while it
   * may be kept, or too little was seen.
   */
  public synchronized Optional<String> notToBeHad() {
    return loop.notToBeHad();
  }

  private synchronized void decide() {
    if (closed || failure != null) {
      return;
    }
    try {
      decideNow();
    } catch (InterruptedException e) {
      fail(new IllegalStateException("interrupted", e));
    } catch (RuntimeException e) {
      fail(e);
    } catch (Error e) {
      fail(new IllegalStateException("the policy broke", e));
      throw e;
    }
  }

  /** Without decisions writes must not stay deferred: nobody would watch them. */
  private void fail(RuntimeException why) {
    failure = why;
    session.buffering(WriteBuffering.STRONG);
  }

  private void decideNow() throws InterruptedException {
    BufferLoop.Decided decided =
        loop.decide(
            recent.observe(clock.getAsLong(), knob.target(), session.atRisk()), knob.current());
    if (decided.changed()) {
      setter.set(decided.set());
    }
    listener.decided(decided);
  }

  /**
   * Ends it; writes are strong afterwards, and what was collected is sent.
   *
   * @throws org.calando.core.CalandoException if the setter could not set that; they are all the
   *     same
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    // No interrupt: it would close the journal of a setting under way.
    thread.shutdown();
    session.unwatch();
    try {
      setter.set(BufferSetting.STRONG);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      session.buffering(WriteBuffering.STRONG);
    }
  }
}
