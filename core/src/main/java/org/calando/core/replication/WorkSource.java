package org.calando.core.replication;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.clock.ClockObservation.Work;

/** Who tells what nodes do, for policies that predict. Implementations are thread safe. */
public interface WorkSource extends AutoCloseable {
  /** Nobody measures. */
  WorkSource NONE = node -> Optional.empty();

  /**
   * What was measured last of a node; answers at once.
   *
   * @return empty if nothing was
   */
  Optional<Work> work(String node);

  /** CPU time that measuring took so far, in nanoseconds. */
  default long cpuNanos() {
    return 0;
  }

  /** Why nodes are not measured, one sentence each; empty if all are. */
  default List<String> problems() {
    return List.of();
  }

  /** Ends the measurement; nothing is told any more. Idempotent. */
  @Override
  default void close() {}
}
