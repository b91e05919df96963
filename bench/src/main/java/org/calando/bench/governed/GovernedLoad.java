package org.calando.bench.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * A key is written by one session only and one write at a time, so the newest acknowledged version of a key is known.
 * Versions of a load are above those of loads before it, by the time at which it was made. A read is stale if it returns less than was acknowledged when it was sent. Latency counts from the intended time.
 */
/** Reads and writes of many sessions at a fixed rate, in an open loop, and what became of them. */
final class GovernedLoad implements AutoCloseable {
  static final int KEYS = 1000;

  /** So few that reads of one replica miss writes when links are slow. */
  static final int HOT_KEYS = 10;

  private static final double WRITES = 0.1;
  private static final int MOST_UNDER_WAY = 2000;

  private final List<? extends CqlSession> sessions;
  private final List<PreparedStatement> reads;
  private final List<PreparedStatement> writes;
  private final double perSecond;
  private final int keys;
  private final long firstVersion = System.currentTimeMillis() * 1000;
  private final AtomicLongArray sent = new AtomicLongArray(KEYS);
  private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);
  private final Recorder latencies = new Recorder(3);
  private final LongAdder done = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final Map<String, LongAdder> failed = new ConcurrentHashMap<>();
  private final LongAdder unsent = new LongAdder();
  private final LongAdder operations = new LongAdder();
  private final LongAdder underWay = new LongAdder();
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * What became of reads.
   *
   * @param reads that were answered
   * @param failed reads and writes that failed, by their error
   * @param unsent operations that were due while too many were under way
   */
  record Result(
      long reads,
      long stale,
      Map<String, Long> failed,
      long unsent,
      double p50Millis,
      double p99Millis) {}

  GovernedLoad(List<? extends CqlSession> sessions, String table, double perSecond) {
    this(sessions, table, perSecond, KEYS);
  }

  GovernedLoad(List<? extends CqlSession> sessions, String table, double perSecond, int keys) {
    this.keys = keys;
    for (int key = 0; key < KEYS; key++) {
      sent.set(key, firstVersion);
    }
    this.sessions = sessions;
    this.perSecond = perSecond;
    this.reads =
        sessions.stream().map(s -> s.prepare("SELECT v FROM " + table + " WHERE id = ?")).toList();
    this.writes =
        sessions.stream()
            .map(s -> s.prepare("INSERT INTO " + table + " (id, v) VALUES (?, ?)"))
            .toList();
  }

  void start() {
    thread = DaemonThread.start("load", this::work);
  }

  /** Operations sent so far. */
  long operations() {
    return operations.sum();
  }

  /** What became of reads since the last call. */
  Result take() {
    Histogram times = latencies.getIntervalHistogram();
    return new Result(
        done.sumThenReset(),
        stale.sumThenReset(),
        takeFailed(),
        unsent.sumThenReset(),
        times.getValueAtPercentile(50) / 1e3,
        times.getValueAtPercentile(99) / 1e3);
  }

  private Map<String, Long> takeFailed() {
    Map<String, Long> taken = new TreeMap<>();
    failed.forEach(
        (error, count) -> {
          long since = count.sumThenReset();
          if (since > 0) {
            taken.put(error, since);
          }
        });
    return taken;
  }

  private void failed(Throwable error) {
    failed
        .computeIfAbsent(
            error.getClass().getSimpleName(),
            name -> {
              // The first of its kind is told with all that it says.
              System.out.println(Instant.now() + " " + error);
              return new LongAdder();
            })
        .increment();
  }

  private void work() {
    long gap = (long) (1e9 / perSecond);
    long intended = System.nanoTime();
    while (!closed) {
      intended += gap;
      long wait = intended - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
      if (underWay.sum() > MOST_UNDER_WAY) {
        unsent.increment();
      } else {
        one(intended);
      }
    }
  }

  private void one(long intended) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int client = random.nextInt(sessions.size());
    int key = random.nextInt(keys);
    underWay.increment();
    if (random.nextDouble() < WRITES) {
      int own = key - key % sessions.size() + client;
      boolean few = keys <= sessions.size();
      write(few ? key : client, few ? key : own < keys ? own : client);
    } else {
      read(client, key, intended);
    }
  }

  private void write(int client, int key) {
    long version = Math.max(firstVersion, acknowledged.get(key)) + 1;
    if (!sent.compareAndSet(key, version - 1, version)) {
      underWay.decrement(); // the one before is still under way
      return;
    }
    operations.increment();
    CompletionStage<AsyncResultSet> answer =
        sessions.get(client).executeAsync(writes.get(client).bind((long) key, version));
    var unused =
        answer.whenComplete(
            (rows, error) -> {
              underWay.decrement();
              if (error == null) {
                acknowledged.set(key, version);
              } else {
                failed(error);
                sent.set(key, version - 1);
              }
            });
  }

  private void read(int client, int key, long intended) {
    long newest = acknowledged.get(key);
    operations.increment();
    CompletionStage<AsyncResultSet> answer =
        sessions.get(client).executeAsync(reads.get(client).bind((long) key));
    var unused =
        answer.whenComplete(
            (rows, error) -> {
              underWay.decrement();
              if (error != null) {
                failed(error);
                return;
              }
              latencies.recordValue(Math.max(0, (System.nanoTime() - intended) / 1000));
              done.increment();
              @Nullable Row row = rows.one();
              if ((row == null ? 0 : row.getLong(0)) < newest) {
                stale.increment();
              }
            });
  }

  @Override
  public void close() {
    closed = true;
    Thread started = thread;
    if (started != null) {
      try {
        started.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
