package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.control.ControlLoop;
import org.calando.control.DeferringSession;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.store.hbase.BufferKnob;
import org.calando.studyfile.BufferChoice;
import org.jspecify.annotations.Nullable;

/*
 *   writes --> ControlLoop, four times a second: policy --> Lease (step, read back) --> session
 *                                                   |
 *                                                   +--> RunFiles.decisions
 */
/**
 * Has a policy choose how far a run's writes are deferred, while it goes. Its knob is this run's
 * alone, and strong again when this is closed. Thread safe.
 */
final class BufferControl implements RunEdges, AutoCloseable {
  private final FreshPromise promise;
  private final BufferAccount account;
  private final Lease lease;
  private final RealTimeScheduler scheduler;
  private final ControlLoop<?> loop;

  private BufferControl(
      FreshPromise promise,
      BufferAccount account,
      Lease lease,
      RealTimeScheduler scheduler,
      ControlLoop<?> loop) {
    this.promise = promise;
    this.account = account;
    this.lease = lease;
    this.scheduler = scheduler;
    this.loop = loop;
  }

  /**
   * Begins to decide on a session's writes, which are strong until the first decision.
   *
   * @param table what the knob acts on
   * @param files of the run
   * @return null if the run's writes are sent alike throughout
   */
  static @Nullable BufferControl start(
      RunConfig run, Session session, String table, RunFiles files) {
    Optional<BufferChoice> choice = run.writeBuffer();
    FreshPromise promise = choice.flatMap(BufferChoice::promise).orElse(null);
    BufferPolicy policy = choice.flatMap(BufferChoice::policy).orElse(null);
    if (promise == null || policy == null) {
      return null;
    }
    BufferedWrites deferring = session.find(BufferedWrites.class).orElseThrow();
    boolean own = choice.get().readYourWrites();
    BufferKnob knob = new BufferKnob(deferring, table, true, own);
    Lease lease = Lease.ofProcess("run " + run.id());
    RealTimeScheduler scheduler = new RealTimeScheduler("calando-write-buffer");
    boolean started = false;
    try {
      lease.own(knob);
      BufferSetting first = knob.current();
      BufferAccount account = new BufferAccount(files.decisions());
      DeferringSession.Setter leased =
          setting -> {
            long unused = lease.set(knob, first, setting, first.words());
          };
      ControlLoop<?> loop =
          HeldBuffer.start(
              scheduler,
              policy,
              table,
              new DeferringSession(deferring, knob, promise.mostAtRisk(), leased),
              account::decided);
      started = true;
      return new BufferControl(promise, account, lease, scheduler, loop);
    } finally {
      if (!started) {
        scheduler.close();
        lease.close();
      }
    }
  }

  @Override
  public void measurementBegan(long nanos) {
    account.measurementBegan(nanos);
  }

  @Override
  public void measurementEnded(long nanos) {
    account.measurementEnded(nanos);
  }

  /** Why the figures are not those of the policy; empty if they are. */
  Optional<String> failure() {
    return loop.failure()
        .map(
            why ->
                "the policy of write buffers failed, and writes were strong since: "
                    + String.valueOf(why.getMessage()).lines().findFirst().orElse(why.toString()));
  }

  /** What a reader of the run's figures should know. */
  List<String> notes(Optional<DeferralFigures> figures) {
    return notes(promise, account, figures);
  }

  /** The same for any that decides. */
  static List<String> notes(
      FreshPromise promise, BufferAccount account, Optional<DeferralFigures> figures) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "write buffer set %d times by %d decisions"
            .formatted(account.changes(), account.decisions()));
    account.notToBeHad().ifPresent(notes::add);
    figures
        .filter(found -> found.freshness99Nanos() > promise.freshNanos())
        .ifPresent(found -> notes.add(broken(promise, found)));
    return notes;
  }

  private static String broken(FreshPromise promise, DeferralFigures found) {
    return String.format(
        Locale.ROOT,
        "the promised freshness of %.0f ms was not kept: %.1f ms at the 99th percentile",
        promise.freshNanos() / 1e6,
        found.freshness99Nanos() / 1e6);
  }

  /** Decides no more; writes are strong. */
  @Override
  public void close() {
    try (lease;
        scheduler) {
      loop.close();
    }
  }
}
