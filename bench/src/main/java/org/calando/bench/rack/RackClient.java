package org.calando.bench.rack;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.time.RealTimeScheduler;
import org.jspecify.annotations.Nullable;

/**
 * A client of its own process on the plain driver, that reads and writes at QUORUM, half of each,
 * and keeps books. Each thread has keys of its own, so that it knows what its reads must not miss.
 */
public final class RackClient {
  static final String GOING = "going";
  static final String ENDED = "ended ";
  static final String LOST = "lost ";
  private static final int THREADS = 4;
  private static final int KEYS = 100;
  private static final long GAP_NANOS = 20_000_000L;
  private static final int TRIES = 10;

  private final CqlSession session;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong stale = new AtomicLong();
  private final long[] books = new long[THREADS * KEYS];
  private volatile boolean ends;

  private RackClient(List<InetSocketAddress> nodes) {
    session =
        CqlSession.builder()
            .addContactPoints(nodes)
            .withLocalDatacenter("dc1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .build())
            .build();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS trials WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    session.execute("CREATE TABLE IF NOT EXISTS trials.books (id int PRIMARY KEY, n bigint)");
    write = session.prepare("INSERT INTO trials.books (id, n) VALUES (?, ?)");
    read = session.prepare("SELECT n FROM trials.books WHERE id = ?");
  }

  /** Arguments: seed, then the nodes as ADDRESS:PORT. Goes until a line comes, then checks. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<InetSocketAddress> nodes = new ArrayList<>();
    for (String node : List.of(args).subList(1, args.length)) {
      String[] parts = node.split(":", 2);
      nodes.add(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
    }
    try {
      new RackClient(nodes).go(Long.parseLong(args[0]));
    } catch (DriverException | IllegalStateException e) {
      System.err.println(e);
      // The driver's threads would keep the process, and whoever waits for its last line.
      System.exit(1);
    }
    System.exit(0);
  }

  private void go(long seed) throws IOException, InterruptedException {
    // Numbers rise from trial to trial, whose rows stay.
    long first = System.currentTimeMillis() * 1000;
    List<RealTimeScheduler> threads = new ArrayList<>();
    CountDownLatch working = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      RealTimeScheduler thread = new RealTimeScheduler("client-" + number);
      threads.add(thread);
      thread.at(
          thread.clock().nanos(),
          () -> {
            work(number, new SplittableRandom(seed + number), first);
            working.countDown();
          });
    }
    System.out.println(GOING);
    @Nullable String line =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    if (line == null) {
      throw new IllegalStateException("whoever started this is gone");
    }
    ends = true;
    if (!working.await(2, TimeUnit.MINUTES)) {
      throw new IllegalStateException("requests do not end");
    }
    threads.forEach(RealTimeScheduler::close);
    System.out.println(ENDED + acknowledged + " " + failed + " " + stale);
    System.out.println(LOST + lost());
  }

  private void work(int number, SplittableRandom random, long first) {
    long next = first;
    while (!ends) {
      int key = number * KEYS + random.nextInt(KEYS);
      try {
        if (random.nextBoolean()) {
          next++;
          session.execute(write.bind(key, next).setIdempotent(true));
          books[key] = next;
          acknowledged.incrementAndGet();
        } else {
          Row row = session.execute(read.bind(key).setIdempotent(true)).one();
          if ((row == null ? 0 : row.getLong("n")) < books[key]) {
            stale.incrementAndGet();
          }
        }
      } catch (DriverException e) {
        failed.incrementAndGet();
      }
      LockSupport.parkNanos(GAP_NANOS);
    }
  }

  /** Keys that are older at ALL than what was acknowledged last. */
  private int lost() throws InterruptedException {
    int lost = 0;
    for (int key = 0; key < books.length; key++) {
      if (books[key] > 0 && atAll(key) < books[key]) {
        lost++;
      }
    }
    return lost;
  }

  private long atAll(int key) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        Row row = session.execute(read.bind(key).setConsistencyLevel(ConsistencyLevel.ALL)).one();
        return row == null ? 0 : row.getLong("n");
      } catch (DriverException e) {
        if (tries == TRIES) {
          throw e;
        }
        Thread.sleep(1000);
      }
    }
  }
}
