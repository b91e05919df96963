package org.calando.store.hbase.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.calando.core.observe.WriteAccount;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;
import org.calando.core.store.WriteListener;
import org.calando.store.hbase.HBaseStoreConfig;
import org.jspecify.annotations.Nullable;

/*
 * One server has a row, so levels say nothing here: a read sees every write that the server has
 * acknowledged. What makes reads stale is that deferred writes are acknowledged before.
 */
/** Requests on one table by way of HBase's asynchronous client. Thread safe, a slot at a time. */
public final class HBaseSession implements Session, BufferedWrites {
  private static final long LOOK_MILLIS = 50;

  private static final int MOST_TOLD = 20;

  /**
   * How long a deferred write is retried: regions of a dead server are opened elsewhere by then.
   */
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long CLOSE_MARGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Rows rows;
  private final Slot[] slots;
  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Errors errors = new Errors();
  private final WriteAccount account;
  private final FailedWrites failures;
  private final Unsent unsent = new Unsent();
  private final WriteBuffers buffers;
  private final LongSupplier clock;
  private final long exitNanos;
  private final Thread exitHook = new Thread(this::flushAtExit, "calando-hbase-exit");
  private volatile @Nullable WriteListener listener;
  private final AtomicBoolean closeBegun = new AtomicBoolean();
  private volatile boolean closed;
  private volatile boolean exiting;

  /**
   * Opens a session on a connection that outlives it.
   *
   * @param clock nanoseconds
   */
  public HBaseSession(
      AsyncConnection connection,
      TableName name,
      TableSpec spec,
      SessionRequest request,
      HBaseStoreConfig config,
      LongSupplier clock) {
    this.rows = new Rows(spec);
    this.slots = new Slot[request.slots()];
    for (int i = 0; i < slots.length; i++) {
      this.slots[i] = new Slot(i);
    }
    this.clock = clock;
    this.account = new WriteAccount(clock.getAsLong());
    this.failures = new FailedWrites(request.failedWrites());
    table = connection.getTable(name);
    exitNanos = config.exitTimeout().toNanos();
    AsyncTable<AdvancedScanResultConsumer> batches =
        connection
            .getTableBuilder(name)
            .setOperationTimeout(FLUSH_NANOS, TimeUnit.NANOSECONDS)
            .setRpcTimeout(FLUSH_NANOS, TimeUnit.NANOSECONDS)
            .setWriteRpcTimeout(FLUSH_NANOS, TimeUnit.NANOSECONDS)
            .build();
    buffers =
        new WriteBuffers(
            slots.length,
            config.boundBytes(),
            request.writes(),
            account,
            unsent,
            failures,
            new BatchSender(batches, errors, this::requestEnded, clock),
            clock);
    Runtime.getRuntime().addShutdownHook(exitHook);
  }

  @Override
  public int slots() {
    return slots.length;
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    Slot target = slots[slot];
    long operation = target.begin(completion);
    long own = unsent.version(key);
    if (closed) {
      target.end(operation, Outcome.REFUSED, NO_VERSION);
      return;
    }
    CompletableFuture<Result> answer;
    try {
      answer = table.get(rows.get(key, field));
    } catch (RuntimeException e) {
      failed(target, operation, "read", e);
      return;
    }
    var unused =
        answer.whenComplete(
            (result, error) -> {
              if (error != null) {
                failed(target, operation, "read", error);
                return;
              }
              long version = Math.max(own, Rows.version(result));
              Outcome outcome = version == NO_VERSION ? Outcome.NOT_FOUND : Outcome.OK;
              target.end(operation, outcome, version);
            });
  }

  /**
   * {@inheritDoc}
   *
   * <p>The order of keys is that of their rows, which has nothing to do with that of their ids.
   */
  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    Slot target = slots[slot];
    long operation = target.begin(completion);
    if (closed) {
      target.end(operation, Outcome.REFUSED, NO_VERSION);
      return;
    }
    CompletableFuture<List<Result>> answer;
    try {
      answer = table.scanAll(rows.scan(key, count, field));
    } catch (RuntimeException e) {
      failed(target, operation, "scan", e);
      return;
    }
    var unused =
        answer.whenComplete(
            (results, error) -> {
              if (error != null) {
                failed(target, operation, "scan", error);
              } else {
                target.end(operation, Outcome.OK, NO_VERSION);
              }
            });
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    long calledNanos = clock.getAsLong();
    Slot target = slots[slot];
    long operation = target.begin(completion);
    if (closed) {
      target.end(operation, Outcome.REFUSED, NO_VERSION);
      return;
    }
    Put put;
    try {
      // A row that is too long is refused here: in a batch it would take others along.
      put = rows.put(key, field, valueBytes, version);
    } catch (IllegalArgumentException e) {
      failed(target, operation, "write", e);
      return;
    }
    WriteListener watching = listener;
    if (watching != null) {
      watching.called(put.heapSize());
    }
    if (buffers.settings().isStrong()) {
      writeNow(target, operation, put, calledNanos);
    } else {
      buffers.write(target, operation, new Write(key, version, put, calledNanos));
    }
  }

  private void writeNow(Slot target, long operation, Put put, long calledNanos) {
    CompletableFuture<Void> answer;
    try {
      answer = table.put(put);
    } catch (RuntimeException e) {
      missed(target, operation, e);
      return;
    }
    var unused =
        answer.whenComplete(
            (done, error) -> {
              if (error != null) {
                missed(target, operation, error);
              } else {
                long nanos = clock.getAsLong() - calledNanos;
                account.visible(nanos);
                requestEnded(1, nanos);
                target.end(operation, Outcome.OK, NO_VERSION);
              }
            });
  }

  private void missed(Slot target, long operation, Throwable error) {
    account.missed();
    failed(target, operation, "write", error);
  }

  private void failed(Slot target, long operation, String kind, Throwable error) {
    Outcome outcome = Errors.outcome(error);
    errors.note(kind, outcome, error);
    target.end(operation, outcome, NO_VERSION);
  }

  @Override
  public WriteBuffering buffering() {
    return buffers.settings();
  }

  @Override
  public void buffering(WriteBuffering buffering) {
    buffers.set(buffering);
  }

  private void requestEnded(int writes, long nanos) {
    WriteListener watching = listener;
    if (watching != null) {
      watching.answered(writes, nanos);
    }
  }

  @Override
  public void watch(WriteListener watching) {
    listener = watching;
    account.watch(watching);
  }

  @Override
  public void unwatch() {
    listener = null;
    account.watch(null);
  }

  @Override
  public void mostAtRisk(long writes) {
    buffers.mostAtRisk(writes);
  }

  @Override
  public long atRisk() {
    return account.atRisk();
  }

  @Override
  public void beginWindow() {
    account.beginWindow(clock.getAsLong());
  }

  @Override
  public DeferralFigures figures() {
    return account.figures(clock.getAsLong());
  }

  @Override
  public DeferralFigures figures(long promisedNanos) {
    return account.figures(clock.getAsLong(), promisedNanos);
  }

  @Override
  public boolean flush(Runnable done) {
    return buffers.flush(done);
  }

  @Override
  public List<String> errors() {
    return errors.texts();
  }

  /** On SIGTERM nothing that was acknowledged is lost, or it is told. */
  private void flushAtExit() {
    exiting = true;
    closed = true;
    buffers.refuseFurther();
    if (!awaitFlushed()) {
      buffers.close();
      tellLost();
    }
  }

  /** The last that this process can do for writes that it said were done. */
  private void tellLost() {
    List<FailedWrite> lost = failures.all();
    System.err.printf(
        "calando: %d writes that were acknowledged were not on the server when this process had to"
            + " end; the first keys: %s%n",
        lost.size(), lost.stream().limit(MOST_TOLD).map(FailedWrite::key).toList());
  }

  private boolean awaitFlushed() {
    CountDownLatch done = new CountDownLatch(1);
    if (!buffers.flush(done::countDown)) {
      return true;
    }
    long begunNanos = System.nanoTime();
    boolean interrupted = false;
    boolean flushed = false;
    // The process may be asked to end while a close waits.
    while (!flushed && System.nanoTime() - begunNanos < (exiting ? exitNanos : closeNanos())) {
      try {
        flushed = done.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        // Whoever is in a hurry would lose writes: it is told afterwards.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return flushed;
  }

  /** A batch, then its rows by themselves: each may take as long as a flush. */
  private long closeNanos() {
    return 2 * FLUSH_NANOS + CLOSE_MARGIN_NANOS;
  }

  /**
   * Refuses further operations, sends all writes that are left, and waits for their answers as long
   * as a flush may take. Writes without one by then are told of as failed; other operations under
   * way end without an answer.
   */
  @Override
  public void close() {
    // Not by closed: the exit hook may have set it, and is still sending.
    if (!closeBegun.compareAndSet(false, true)) {
      return;
    }
    closed = true;
    buffers.refuseFurther();
    boolean unused = awaitFlushed();
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException exiting) {
      // it is running, or about to
    }
    buffers.close();
    for (Slot slot : slots) {
      slot.abandon();
    }
  }
}
