package org.calando.control;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 *   writes --> RecentWrites --> ControlLoop, policy, four times a second --> Client
 */
/**
 * Has a policy hold how far a client defers its writes. Without decisions writes are strong: nobody
 * would watch them. Thread safe: the loop's thread decides, any thread may close.
 */
public final class HeldBuffer implements Actor {
  private final Function<Decision<?>, Optional<String>> notToBeHad;
  private final Client client;
  private final Consumer<Decided> listener;
  private boolean closed;

  /** Who defers writes: a session of a real store, or the clients of a simulated cluster. */
  public interface Client {
    /** What it can be set to. */
    BufferRange range();

    /** What is in force. */
    BufferSetting current();

    /**
     * Sets it, and reads it back.
     *
     * @throws org.calando.core.CalandoException if it is not set
     * @throws InterruptedException if the waiting thread is interrupted
     */
    void set(BufferSetting to) throws InterruptedException;

    /** Has writes be strong, whatever became of setting that. */
    void strong();

    /** Notes all writes from now on; null: none any more. */
    void watch(@Nullable RecentWrites recent);

    /** Writes at risk now. */
    long atRisk();
  }

  /**
   * A decision, and what became of it. Immutable and thread safe.
   *
   * @param decision what was decided, and from what
   * @param set what is in force now
   * @param changed whether it differs from what was in force by enough to set it
   * @param notToBeHad that what is promised is not to be had here, in words; else empty
   */
  public record Decided(
      Decision<?> decision, BufferSetting set, boolean changed, Optional<String> notToBeHad) {}

  /**
   * Holds what a controller of more than buffers decides; its loop is the caller's.
   *
   * @param notToBeHad that what is promised is not to be had, by a decision
   * @param listener hears of decisions that are in force, on the loop's thread
   */
  public HeldBuffer(
      Function<Decision<?>, Optional<String>> notToBeHad,
      Client client,
      Consumer<Decided> listener) {
    this.notToBeHad = notToBeHad;
    this.client = client;
    this.listener = listener;
  }

  /**
   * Begins to decide; what is in force stays until the first decision. If it cannot be decided or
   * set, the loop fails, and writes are strong; as they are when it is closed.
   *
   * @param target whose writes, as decisions name it
   * @param listener hears of decisions that are in force, on the scheduler's thread
   */
  public static ControlLoop<BufferState> start(
      Scheduler scheduler,
      BufferPolicy policy,
      String target,
      Client client,
      Consumer<Decided> listener) {
    RecentWrites recent = new RecentWrites(BufferRange.SLICES, scheduler.clock().nanos());
    client.watch(recent);
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(policy, target),
            now -> Optional.of(recent.observe(now, target, client.atRisk())),
            new HeldBuffer(
                decision -> policy.notToBeHad((BufferState) decision.step().state()),
                client,
                listener))
        .periodNanos(BufferRange.PERIOD_NANOS)
        .firstNanos(BufferRange.PERIOD_NANOS)
        .start();
  }

  @Override
  public synchronized void act(Decision<?> decision, long nowNanos) {
    if (closed) {
      return;
    }
    BufferSetting current = client.current();
    BufferSetting next = client.range().next(decision.value(KnobId.WRITE_BUFFER), current);
    boolean changed = !next.equals(current);
    if (changed) {
      set(next);
    }
    listener.accept(new Decided(decision, next, changed, notToBeHad.apply(decision)));
  }

  private void set(BufferSetting to) {
    try {
      client.set(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void lost(String why, long nowNanos) {
    client.strong();
  }

  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    client.strong();
    Actor.super.failed(why, cause, nowNanos);
  }

  @Override
  public synchronized void close(long nowNanos) {
    if (closed) {
      return;
    }
    closed = true;
    client.watch(null);
    try {
      client.set(BufferSetting.STRONG);
    } catch (InterruptedException e) {
      // Who ends it is ended too: writes are strong all the same, and nobody waits for the room.
      Thread.currentThread().interrupt();
    } finally {
      client.strong();
    }
  }
}
