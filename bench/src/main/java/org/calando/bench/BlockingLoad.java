package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A thread a client that waits for each answer, as YCSB does: for context. */
final class BlockingLoad implements LoadVariant {
  private final CqlSession driver;
  private final PlainStatements statements;
  private final int clients;
  private final SplittableRandom seeds;

  BlockingLoad(CqlSession driver, PlainStatements statements, int clients, long seed) {
    this.driver = driver;
    this.statements = statements;
    this.clients = clients;
    this.seeds = new SplittableRandom(seed);
  }

  @Override
  public String name() {
    return "blocking";
  }

  @Override
  public void perform(long operations) throws InterruptedException {
    AtomicLong left = new AtomicLong(operations);
    AtomicLong failures = new AtomicLong();
    Thread[] threads = new Thread[clients];
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = seeds.split();
      threads[i] = new Thread(() -> client(random, left, failures), "bench-client-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failures.get() > 0) {
      throw new IllegalStateException(failures + " operations failed");
    }
  }

  private void client(SplittableRandom random, AtomicLong left, AtomicLong failures) {
    while (left.getAndDecrement() > 0) {
      try {
        ResultSet rows = driver.execute(statements.next(random));
        if (rows.getColumnDefinitions().size() > 0) {
          Row row = rows.one();
          if (row == null || row.getLong(0) < 1) {
            failures.incrementAndGet();
          }
        }
      } catch (DriverException e) {
        failures.incrementAndGet();
      }
    }
  }
}
