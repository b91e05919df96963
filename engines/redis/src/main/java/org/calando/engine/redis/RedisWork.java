package org.calando.engine.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.WorkSource;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisNode;

/**
 * What Redis or Valkey servers do: their counts of commands ({@code INFO commandstats}) and the CPU
 * time of their main threads, by the scheduler of this machine or {@code INFO cpu} of servers on
 * others, over windows of about a second. Thread safe.
 *
 * <p>Figures are of one clock, that of the window. There are none of one that was busy throughout,
 * and of one that does not answer. Where few commands come, what the server does of itself is
 * counted as theirs, and they seem dearer than they are: that errs to the side of higher clocks.
 */
public final class RedisWork implements WorkSource {
  /**
   * How long windows usually are, in nanoseconds. A changed clock costs a window, so that figures
   * are up to two windows old: less than policies allow, {@link
   * org.calando.core.policy.clock.ClockLimits#defaults}.
   */
  public static final long USUAL_NANOS = Duration.ofMillis(750).toNanos();

  private final LongSupplier clock;
  private final WorkWindows windows;
  private final CountsMonitor monitor;

  private RedisWork(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long windowNanos,
      ToLongFunction<String> kiloHertz,
      LongSupplier clock) {
    this.clock = clock;
    // Two windows while a clock changes, and one for an answer that is late.
    windows = new WorkWindows(kiloHertz, windowNanos / 2, 3 * windowNanos);
    monitor = CountsMonitor.start(nodes, credentials, tls, windowNanos, clock, windows);
  }

  /**
   * Begins to measure; returns at once. The first figures are there after a window.
   *
   * @param nodes to measure, named as the manager has them
   * @param credentials of all nodes, if they ask for some; may run INFO and ACL CAT
   * @param tls how connections are encrypted; empty: not at all
   * @param windowNanos how long to measure, {@link CountsMonitor#SHORTEST_NANOS} or more
   * @param kiloHertz the clock of a node's processors now, in kHz, 0 if it is not known, as the
   *     lease of clocks knows it
   * @param clock the manager's
   * @throws IllegalArgumentException if windows are shorter
   */
  public static RedisWork start(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long windowNanos,
      ToLongFunction<String> kiloHertz,
      LongSupplier clock) {
    return new RedisWork(nodes, credentials, tls, windowNanos, kiloHertz, clock);
  }

  @Override
  public Optional<Work> work(String node) {
    return windows.work(node, clock.getAsLong());
  }

  @Override
  public long cpuNanos() {
    return monitor.cpuNanos();
  }

  @Override
  public List<String> problems() {
    return monitor.problems();
  }

  /** Ends the measurement; nothing is told any more. Idempotent. */
  @Override
  public void close() {
    monitor.close();
  }
}
