package org.calando.power;

/**
 * Reads one {@link PowerSource}. One thread reads at a time, not always the same one; {@link
 * #close} may come from another while a reading is under way and ends it soon.
 */
public interface PowerProbe extends AutoCloseable {
  /** What the samples are. */
  ProbeInfo info();

  /**
   * Asks the instrument once, with what retries fit into the time.
   *
   * @param deadlineNanos when to give up, on the ticker that the probe was opened with
   * @throws MeterException if there is no figure; a later sample may succeed
   * @throws InterruptedException if the waiting thread was interrupted
   */
  PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException;

  /** Releases what the probe holds; harmless if repeated. */
  @Override
  void close();
}
