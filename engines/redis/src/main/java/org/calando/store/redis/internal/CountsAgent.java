package org.calando.store.redis.internal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.jspecify.annotations.Nullable;

/** The thread that asks nodes for their counts. Thread safe. */
public final class CountsAgent implements AutoCloseable {
  private static final long CLOSE_MILLIS = 5_000;

  private final long periodNanos;
  private final LongSupplier clock;
  private final CountsMonitor.Listener listener;
  private final Selector selector;
  private final List<CountsPoll> polls;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  private CountsAgent(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsKeys> tls,
      long periodNanos,
      LongSupplier clock,
      CountsMonitor.Listener listener,
      CountsPoll.Finder finder,
      Selector selector) {
    this.periodNanos = periodNanos;
    this.clock = clock;
    this.listener = listener;
    this.selector = selector;
    polls =
        nodes.stream()
            .map(
                node ->
                    new CountsPoll(node, credentials, tls, periodNanos, clock, listener, finder))
            .toList();
    thread = DaemonThread.of("calando-redis-counts", this::run);
  }

  /** As {@link CountsMonitor#start}. */
  public static CountsAgent start(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long periodNanos,
      LongSupplier clock,
      CountsMonitor.Listener listener) {
    return start(nodes, credentials, tls, periodNanos, clock, listener, LocalProcess::find);
  }

  /** The same, with another way to find servers' processes. */
  static CountsAgent start(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long periodNanos,
      LongSupplier clock,
      CountsMonitor.Listener listener,
      CountsPoll.Finder finder) {
    Optional<TlsKeys> keys = tls.map(TlsKeys::read);
    try {
      CountsAgent agent =
          new CountsAgent(
              nodes, credentials, keys, periodNanos, clock, listener, finder, Selector.open());
      agent.thread.start();
      return agent;
    } catch (IOException e) {
      throw new FailedWorkException(
          "no selector can be opened: " + e.getMessage(), "work", "free file descriptors", e);
    }
  }

  private void run() {
    try {
      serve();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      polls.forEach(poll -> listener.lost(poll.node().name()));
      polls.forEach(CountsPoll::close);
    }
  }

  private void serve() throws IOException {
    long nextTick = clock.getAsLong();
    while (!closed) {
      long now = clock.getAsLong();
      if (now - nextTick >= 0) {
        nextTick = now + periodNanos;
        polls.forEach(poll -> poll.tick(selector, now));
      }
      selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextTick - now + 999_999)));
      selector.selectedKeys().forEach(key -> ((Polled) key.attachment()).ready(clock.getAsLong()));
      selector.selectedKeys().clear();
    }
  }

  /** What is wrong with nodes, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    Throwable failed = failure;
    if (failed != null) {
      problems.add("the measurement of work failed: " + failed);
    }
    for (CountsPoll poll : polls) {
      String problem = poll.problem();
      if (problem != null) {
        problems.add(poll.node() + " " + problem);
      }
    }
    return problems;
  }

  /** CPU time of the thread so far. */
  public long cpuNanos() {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // nothing more is asked of it
    }
  }
}
