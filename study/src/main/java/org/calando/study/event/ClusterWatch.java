package org.calando.study.event;

import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run's load at once when a process of the cluster ends unasked, or something else happens
 * to it that fails the run, and remembers what. Thread safe.
 */
public final class ClusterWatch implements Consumer<String> {
  private @Nullable String failure;
  private @Nullable Runnable load;
  private boolean ends;

  /** A process of the cluster has ended. */
  @Override
  public void accept(String process) {
    failed(process + " ended during the run; see the ends of the nodes' logs beside");
  }

  /** The run has failed for a reason; the first one counts. */
  public synchronized void failed(String reason) {
    if (failure == null) {
      failure = reason;
      stopLoad();
    }
  }

  /**
   * The load to end, from now on.
   *
   * @param stopLoad ends it; it has started
   */
  public synchronized void watch(Runnable stopLoad) {
    load = stopLoad;
    if (ends) {
      stopLoad.run();
    }
  }

  /** Ends the load, and each that is watched from now on. */
  public synchronized void stopLoad() {
    ends = true;
    if (load != null) {
      load.run();
    }
  }

  /** Why the run failed, if it did by what happened to the cluster. */
  public synchronized Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /** The error with what happened to the cluster, if anything did, for that is the cause. */
  public FailedWorkException explain(FailedWorkException error, String run) {
    return failure()
        .map(
            reason ->
                new FailedWorkException(
                    reason,
                    "run " + run,
                    "repeat it with --resume when the cause is mended",
                    error))
        .orElse(error);
  }
}
