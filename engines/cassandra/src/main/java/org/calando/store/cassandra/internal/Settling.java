package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.CassandraStoreConfig;

/** Waits until a cluster has no hints and compactions left, asking with back-off. */
public final class Settling implements AutoCloseable {
  /** Asks the cluster. Calls block for a few seconds at most. */
  interface Probe extends AutoCloseable {
    /** What is left, one line per node and kind; empty if nothing. */
    List<String> workLeft();

    @Override
    void close();
  }

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LAST_PAUSE_MILLIS = 1_000;

  private final Probe probe;

  private Settling(Probe probe) {
    this.probe = probe;
  }

  /**
   * Chooses how to ask and takes the baseline of the hint counters.
   *
   * @throws FailedWorkException if a JMX endpoint does not answer
   * @throws org.calando.core.BadRequestException if the user may not ask over CQL
   */
  public static Settling start(CassandraStoreConfig config, CqlSession session) {
    return new Settling(
        config.jmxEndpoints().isEmpty() ? CqlProbe.of(session) : JmxProbe.connect(config));
  }

  /**
   * Waits; blocks.
   *
   * @throws FailedWorkException if work is left at the deadline, or the wait is interrupted
   */
  public void await(Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      List<String> left = probe.workLeft();
      if (left.isEmpty()) {
        return;
      }
      long remainingMillis = (end - System.nanoTime()) / 1_000_000;
      if (remainingMillis <= 0) {
        throw new FailedWorkException(
            "the cluster has work left after " + deadline.toMillis() + " ms: " + left,
            "cassandra",
            "start nodes that are down, wait for their hints and compactions, or allow more time");
      }
      Pause.ofMillis(Math.min(pauseMillis, remainingMillis));
      pauseMillis = Math.min(2 * pauseMillis, LAST_PAUSE_MILLIS);
    }
  }

  @Override
  public void close() {
    probe.close();
  }
}
