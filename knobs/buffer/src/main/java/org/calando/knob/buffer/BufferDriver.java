package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionLog;
import org.calando.control.DeferringClients;
import org.calando.control.DeferringSession;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.DeferralFigures;
import org.calando.core.time.Scheduler;
import org.calando.knob.KnobRun;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;

/*
 *   writes --> ControlLoop, four times a second: policy --> a session, by a lease, or simulated clients
 *                                                   |
 *                                                   +--> decisions.csv
 */
/**
 * Has a policy choose how far a run's writes are deferred, while it goes, and keeps account of its
 * decisions in the measured window. Its knob is this run's alone, and strong again when this is
 * closed. Thread safe.
 */
final class BufferDriver implements RunPart {
  private final FreshPromise promise;
  private final DecisionLog log;
  private final ControlLoop<?> loop;
  private boolean measuring;
  private int decisions;
  private int changes;
  private int beyond;
  private String lastBeyond = "";

  private BufferDriver(
      FreshPromise promise,
      DecisionLog log,
      Function<Consumer<HeldBuffer.Decided>, ControlLoop<?>> begin) {
    this.promise = promise;
    this.log = log;
    this.loop = begin.apply(this::decided);
  }

  /**
   * Begins to decide on a run's writes, which are strong until the first decision; or has a
   * simulated cluster's clients defer alike throughout, as a real session was asked to.
   *
   * @return empty if the run's writes are sent alike throughout
   */
  static Optional<RunPart> begin(KnobRun run, BufferChoice choice) {
    FreshPromise promise = choice.promise().orElse(null);
    BufferPolicy policy = choice.policy().orElse(null);
    if (promise == null || policy == null) {
      run.cluster()
          .find(DeferringClients.class)
          .ifPresent(clients -> clients.fix(choice.setting(), choice.shared(), bytes(run)));
      return Optional.empty();
    }
    HeldBuffer.Client client = client(run, choice, promise);
    Scheduler scheduler = run.schedulers().apply("calando-write-buffer");
    String table = run.workload().table();
    return Optional.of(
        new BufferDriver(
            promise,
            run.decisions().get(),
            heard -> HeldBuffer.start(scheduler, policy, table, client, heard)));
  }

  private static HeldBuffer.Client client(KnobRun run, BufferChoice choice, FreshPromise promise) {
    Optional<DeferringClients> clients = run.cluster().find(DeferringClients.class);
    if (clients.isPresent()) {
      return clients.get().deferring(bytes(run), promise.mostAtRisk());
    }
    BufferedWrites session = run.cluster().find(BufferedWrites.class).orElseThrow();
    BufferKnob knob =
        new BufferKnob(session, run.workload().table(), true, choice.readYourWrites());
    Lease lease = Lease.ofProcess("run " + run.id());
    run.ends().accept(lease::close);
    return new DeferringSession(session, knob, promise.mostAtRisk(), lease);
  }

  private static long bytes(KnobRun run) {
    return Math.round(run.workload().meanWriteBytes());
  }

  private synchronized void decided(HeldBuffer.Decided decided) {
    log.decided(decided.decision(), decided.set().words());
    if (measuring) {
      decisions++;
      changes += decided.changed() ? 1 : 0;
      beyond += decided.notToBeHad().isPresent() ? 1 : 0;
      lastBeyond = decided.notToBeHad().orElse(lastBeyond);
    }
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    measuring = true;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    measuring = false;
  }

  @Override
  public void record(RunRecord found) {
    found.note(notes(found.find(DeferralFigures.class)));
    loop.failure()
        .map(
            why ->
                "the policy of write buffers failed, and writes were strong since: "
                    + String.valueOf(why.getMessage()).lines().findFirst().orElse(why.toString()))
        .ifPresent(found::fail);
  }

  private synchronized List<String> notes(Optional<DeferralFigures> figures) {
    List<String> notes = new ArrayList<>();
    notes.add("write buffer set %d times by %d decisions".formatted(changes, decisions));
    if (beyond > 0) {
      notes.add("%s: in %d of %d decisions".formatted(lastBeyond, beyond, decisions));
    }
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
    loop.close();
  }
}
