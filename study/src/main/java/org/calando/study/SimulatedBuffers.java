package org.calando.study;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.DeferralFigures;
import org.calando.core.workload.Workload;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.control.SimBuffers;
import org.calando.sim.kernel.SimScheduler;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.SimDeferral;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * Has a run's writes deferred on a simulated cluster as its matrix says: alike throughout, or as a
 * policy chooses. Belongs to the simulation's thread.
 */
final class SimulatedBuffers implements RunEdges, AutoCloseable {
  private final @Nullable FreshPromise promise;
  private final @Nullable BufferAccount account;
  private final @Nullable SimBuffers buffers;

  private SimulatedBuffers(
      StudySpec study,
      BufferChoice choice,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    long bytes = Math.round(SimulatedClocks.writeBytes(workload));
    double costShare =
        study
            .store()
            .sim()
            .map(sim -> sim.model().deferral())
            .map(SimDeferral::costShare)
            .orElse(1.0);
    Optional<BufferPolicy> policy = choice.policy();
    if (policy.isEmpty()) {
      promise = null;
      account = null;
      buffers = null;
      SimBuffers.fix(cluster, choice.setting(), choice.shared(), bytes, costShare);
      return;
    }
    FreshPromise kept = choice.promise().orElseThrow();
    BufferAccount counts = new BufferAccount(files.decisions());
    promise = kept;
    account = counts;
    buffers =
        new SimBuffers(
            cluster,
            scheduler,
            policy.get(),
            new SimBuffers.Settings(workload.table(), bytes, costShare, kept.mostAtRisk()),
            counts::decided);
  }

  /** What defers a run's writes; null where the matrix does not say. */
  static @Nullable SimulatedBuffers start(
      StudySpec study,
      RunConfig run,
      Workload workload,
      SimCluster cluster,
      SimScheduler scheduler,
      RunFiles files) {
    return run.writeBuffer().isEmpty()
        ? null
        : new SimulatedBuffers(study, run.writeBuffer().get(), workload, cluster, scheduler, files);
  }

  @Override
  public void measurementBegan(long nanos) {
    if (account != null) {
      account.measurementBegan(nanos);
    }
  }

  @Override
  public void measurementEnded(long nanos) {
    if (account != null) {
      account.measurementEnded(nanos);
    }
  }

  /** What a reader of the run's figures should know. */
  List<String> notes(Optional<DeferralFigures> figures) {
    return account == null || promise == null
        ? List.of()
        : BufferControl.notes(promise, account, figures);
  }

  @Override
  public void close() {
    if (buffers != null) {
      buffers.close();
    }
  }
}
