package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop that one would write on the driver's asynchronous interface if nothing were to be
 * measured: no latencies, no versions kept, a callback a client that sends the next request.
 */
final class PlainLoad implements LoadVariant {
  private final CqlSession driver;
  private final PlainStatements statements;
  private final int clients;
  private final SplittableRandom seeds;

  PlainLoad(CqlSession driver, PlainStatements statements, int clients, long seed) {
    this.driver = driver;
    this.statements = statements;
    this.clients = clients;
    this.seeds = new SplittableRandom(seed);
  }

  @Override
  public String name() {
    return "plain";
  }

  @Override
  public void perform(long operations) throws InterruptedException {
    Loop loop = new Loop(operations);
    for (int i = 0; i < clients; i++) {
      loop.new Client(seeds.split()).send();
    }
    loop.ended.await();
    if (loop.failures.get() > 0) {
      throw new IllegalStateException(loop.failures + " operations failed");
    }
  }

  private final class Loop {
    private final AtomicLong left;
    private final AtomicLong failures = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(clients);

    Loop(long operations) {
      left = new AtomicLong(operations);
    }

    private final class Client
        implements BiConsumer<@Nullable AsyncResultSet, @Nullable Throwable> {
      private final SplittableRandom random;

      Client(SplittableRandom random) {
        this.random = random;
      }

      void send() {
        if (left.getAndDecrement() > 0) {
          var unused = driver.executeAsync(statements.next(random)).whenComplete(this);
        } else {
          ended.countDown();
        }
      }

      @Override
      public void accept(@Nullable AsyncResultSet rows, @Nullable Throwable error) {
        if (rows == null || isEmptyRead(rows)) {
          failures.incrementAndGet();
        }
        send();
      }
    }
  }

  /** Looks at the record as a reader would; only reads have columns. */
  static boolean isEmptyRead(AsyncResultSet rows) {
    if (rows.getColumnDefinitions().size() == 0) {
      return false;
    }
    Row row = rows.one();
    return row == null || row.getLong(0) < 1;
  }
}
