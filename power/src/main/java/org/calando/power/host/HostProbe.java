package org.calando.power.host;

import org.calando.power.MeterException;
import org.calando.power.NodeUsage;

/**
 * Reads one {@link HostSource}. One thread reads at a time, not always the same one; {@link #close}
 * may come from another while a reading is under way and ends it soon.
 */
public interface HostProbe extends AutoCloseable {
  /**
   * Asks once. What the machine does not tell is unknown in the answer.
   *
   * @param deadlineNanos when to give up, on the ticker that the probe was opened with
   * @throws MeterException if there is no CPU time; a later sample may succeed
   * @throws InterruptedException if the waiting thread was interrupted
   */
  NodeUsage sample(long deadlineNanos) throws MeterException, InterruptedException;

  /** Releases what the probe holds; harmless if repeated. */
  @Override
  void close();
}
