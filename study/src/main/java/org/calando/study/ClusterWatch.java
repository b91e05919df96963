package org.calando.study;

import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.FailedWorkException;
import org.calando.load.LoadRun;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run's load at once when a process of the cluster ends, and remembers which. Thread safe.
 */
final class ClusterWatch implements Consumer<String> {
  private @Nullable String ended;
  private @Nullable LoadRun load;

  /** A process of the cluster has ended; the first one counts. */
  @Override
  public synchronized void accept(String process) {
    if (ended == null) {
      ended = process;
      stopLoad();
    }
  }

  /** The load to end, from now on; it has started. */
  synchronized void watch(LoadRun newLoad) {
    load = newLoad;
    if (ended != null) {
      stopLoad();
    }
  }

  private void stopLoad() {
    if (load != null) {
      load.stop();
    }
  }

  /** Why the run failed, if a process of the cluster ended in it. */
  synchronized Optional<String> failure() {
    return Optional.ofNullable(ended)
        .map(process -> process + " ended during the run; see the ends of the nodes' logs beside");
  }

  /** The error with the process that ended, if one did, for that is the cause. */
  FailedWorkException explain(FailedWorkException error, String run) {
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
