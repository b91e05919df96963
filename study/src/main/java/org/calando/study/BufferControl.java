package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionLog;
import org.calando.control.DeferringSession;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.Workload;
import org.calando.report.column.RunRecord;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimBuffers;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.sim.SimDeferral;
import org.calando.studyfile.sim.SimSpec;
import org.jspecify.annotations.Nullable;

/*
 *   writes --> ControlLoop, four times a second: policy --> a session, by a lease, or simulated clients
 *                                                   |
 *                                                   +--> RunFiles.decisions
 */
/**
 * Has a policy choose how far a run's writes are deferred, while it goes, and keeps account of its
 * decisions in the measured window. Its knob is this run's alone, and strong again when this is
 * closed. Thread safe.
 */
final class BufferControl implements RunPart {
  private final FreshPromise promise;
  private final DecisionLog log;
  private final ControlLoop<?> loop;
  private boolean measuring;
  private int decisions;
  private int changes;
  private int beyond;
  private String lastBeyond = "";

  private BufferControl(
      FreshPromise promise,
      RunFiles files,
      Function<Consumer<HeldBuffer.Decided>, ControlLoop<?>> begin) {
    this.promise = promise;
    this.log = files.decisions();
    this.loop = begin.apply(this::decided);
  }

  /**
   * Begins to decide on a session's writes, which are strong until the first decision.
   *
   * @param table what the knob acts on
   * @param parts close what this needs
   * @return null if the run's writes are sent alike throughout
   */
  static @Nullable BufferControl start(
      RunTask task, Session session, String table, RunParts parts) {
    Optional<BufferChoice> choice = task.run().writeBuffer();
    FreshPromise promise = choice.flatMap(BufferChoice::promise).orElse(null);
    BufferPolicy policy = choice.flatMap(BufferChoice::policy).orElse(null);
    if (promise == null || policy == null) {
      return null;
    }
    BufferedWrites deferring = session.find(BufferedWrites.class).orElseThrow();
    BufferKnob knob = new BufferKnob(deferring, table, true, choice.get().readYourWrites());
    Lease lease = Lease.ofProcess("run " + task.run().id());
    parts.closes(lease::close);
    RealTimeScheduler scheduler = parts.scheduler("calando-write-buffer");
    DeferringSession client = new DeferringSession(deferring, knob, promise.mostAtRisk(), lease);
    return new BufferControl(
        promise, task.files(), heard -> HeldBuffer.start(scheduler, policy, table, client, heard));
  }

  /**
   * The same on a simulated cluster, whose clients defer alike throughout if the run says so.
   *
   * @return null if the run's writes are sent alike throughout
   */
  static @Nullable BufferControl simulated(
      RunTask task, Workload workload, SimCluster cluster, SimScheduler scheduler) {
    BufferChoice choice = task.run().writeBuffer().orElse(null);
    if (choice == null) {
      return null;
    }
    long bytes = Math.round(SimulatedClocks.writeBytes(workload));
    double costShare =
        SimSpec.of(task.study().store())
            .map(sim -> sim.model().deferral())
            .map(SimDeferral::costShare)
            .orElse(1.0);
    Optional<BufferPolicy> policy = choice.policy();
    if (policy.isEmpty()) {
      SimBuffers.fix(cluster, choice.setting(), choice.shared(), bytes, costShare);
      return null;
    }
    FreshPromise promise = choice.promise().orElseThrow();
    SimBuffers.Settings settings =
        new SimBuffers.Settings(workload.table(), bytes, costShare, promise.mostAtRisk());
    return new BufferControl(
        promise,
        task.files(),
        heard -> SimBuffers.start(cluster, scheduler, policy.get(), settings, heard));
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
