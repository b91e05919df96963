package org.calando.session.internal.governed;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.DoubleSupplier;
import java.util.function.LongFunction;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 *   NEW       the session began: it waits for a governor's levels for a while before it joins the others
 *   GOVERNED  the governor answers, and has levels for all tables that are read
 *   ALONE     the governor is silent, or has no levels: the session and the others look after themselves, and it asks on
 *
 *   NEW      --levels--> GOVERNED         NEW   --silence, or no levels for a while--> ALONE
 *   GOVERNED --silence, or no levels for as long--> ALONE        ALONE --levels--> GOVERNED
 *
 * Silence is the time since a report was sent that was answered: so an answer that lay in a buffer while this process was
 * stopped is as old as it is. What is a while differs by chance from session to session.
 */
/**
 * A session's part in being governed: reports, takes answers and notices silence. Does no I/O. All
 * of it is on the scheduler's thread.
 */
public final class GovernorLink implements AutoCloseable {
  private static final long SECOND = 1_000_000_000L;
  private static final long TICK_NANOS = SECOND / 4;
  private static final long GAP_NANOS = SECOND / 10;

  /** Answers come each second: three that are missing are silence. */
  private static final long SILENT_NANOS = 3 * SECOND;

  /** A governor that has begun has its first figures by then. */
  private static final long WARM_NANOS = 10 * SECOND;

  private static final long LONGEST_PAUSE_NANOS = 3 * SECOND;

  private final Scheduler scheduler;
  private final GovernorTransport transport;
  private final LongFunction<String> report;
  private final Host host;
  private final DoubleSupplier random;

  private State state = State.NEW;
  private String trouble = "the governor has not answered yet";
  private boolean underWay;
  private long told;
  private long dueNanos;
  private long failures;
  private long heardNanos;
  private long levelsNanos;
  private long patienceNanos;
  private volatile boolean closed;

  /** Who decides. */
  private enum State {
    NEW,
    GOVERNED,
    ALONE
  }

  /** Whose levels these are. */
  public interface Host {
    /**
     * Takes an answer.
     *
     * @param sentNanos when the report was sent
     * @return whether it has levels for all tables that are read
     */
    boolean take(Answer answer, long sentNanos);

    /**
     * The governor decides no more.
     *
     * @param first whether it never did
     */
    void silent(boolean first);
  }

  /**
   * Asks nothing yet.
   *
   * @param report makes a report, given the version of the last answer
   * @param random draws from 0 .. 1
   */
  public GovernorLink(
      Scheduler scheduler,
      GovernorTransport transport,
      LongFunction<String> report,
      Host host,
      DoubleSupplier random) {
    this.scheduler = scheduler;
    this.transport = transport;
    this.report = report;
    this.host = host;
    this.random = random;
  }

  /** Begins. */
  public void start() {
    long now = now();
    heardNanos = now;
    levelsNanos = now;
    dueNanos = now;
    patienceNanos = (long) (random.getAsDouble() * 2 * SECOND);
    tick();
  }

  /** Whether the governor decides. */
  public boolean isGoverned() {
    return state == State.GOVERNED;
  }

  /** What prevents it from deciding, or from answering; empty if nothing does. */
  public String trouble() {
    return trouble;
  }

  private long now() {
    return scheduler.clock().nanos();
  }

  private void at(long nanos, Runnable task) {
    try {
      scheduler.at(nanos, task);
    } catch (RejectedExecutionException e) {
      // Closed just now.
    }
  }

  private void tick() {
    if (closed) {
      return;
    }
    try {
      look(now());
    } finally {
      at(now() + TICK_NANOS, this::tick);
    }
  }

  private void look(long now) {
    boolean wentBack = now - heardNanos < 0;
    boolean isSilent = wentBack || now - heardNanos > SILENT_NANOS + patienceNanos;
    // Before the last levels end: a governor that was started again answers, and knows nothing yet.
    boolean isCold =
        now - levelsNanos
            > (state == State.GOVERNED
                ? SILENT_NANOS + patienceNanos
                : WARM_NANOS + 2 * patienceNanos);
    if (state != State.ALONE && (isSilent || isCold)) {
      boolean first = state == State.NEW;
      state = State.ALONE;
      host.silent(first);
    }
    if (wentBack) {
      heardNanos = now;
      dueNanos = now;
    }
    ask(now);
  }

  private void ask(long now) {
    if (closed || underWay || now - dueNanos < 0) {
      return;
    }
    underWay = true;
    dueNanos = now + GAP_NANOS;
    CompletionStage<String> answer = transport.exchange(report.apply(told));
    var unused = answer.whenComplete((text, error) -> at(now(), () -> ended(now, text, error)));
  }

  private void ended(long sent, @Nullable String text, @Nullable Throwable error) {
    underWay = false;
    if (closed) {
      return;
    }
    if (text == null) {
      failed(error);
      return;
    }
    Answer answer;
    try {
      answer = AnswerText.read(text);
    } catch (IllegalArgumentException e) {
      failed(e);
      return;
    }
    failures = 0;
    told = answer.version();
    trouble = answer.trouble();
    if (now() - sent <= SILENT_NANOS) {
      heardNanos = sent;
      if (host.take(answer, sent)) {
        levelsNanos = sent;
        state = State.GOVERNED;
      }
    }
    look(now());
  }

  private void failed(@Nullable Throwable error) {
    failures++;
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    trouble = "the governor does not answer: " + Objects.requireNonNullElse(cause, "nothing");
    long pause = Math.min(LONGEST_PAUSE_NANOS, TICK_NANOS << Math.min(10, failures));
    dueNanos = now() + (long) ((double) pause * (0.5 + 0.5 * random.getAsDouble()));
  }

  @Override
  public void close() {
    closed = true;
    transport.close();
  }
}
