package org.calando.store.hbase.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.calando.core.observe.WriteAccount;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.WriteBuffering;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 *   write -> room under the bound? -> the client's buffer -> full, too old or flushed -> a batch
 *                   no: the caller waits, all buffers are sent
 *
 * The bound holds over all buffers and batches under way. Writers that wait go on in their order, as
 * batches are answered. Batches are put together on one thread of our own: the client's threads,
 * which also bring answers of reads, are never kept by them.
 *
 * A write is counted as at risk before its caller is told and until its own row is answered, so the
 * count is never below the writes that a kill would lose.
 */
/** The buffers of all clients of a session. Thread safe. */
final class WriteBuffers {
  /** Brings writes to the server. */
  interface Sender {
    /** Sends writes together; each is told of, once or more often, on any thread. */
    void send(Batch batch, Answers answers);
  }

  /** Told of each write that was sent. */
  interface Answers {
    /** A write is on the server, or has failed for good. */
    void ended(Batch batch, Write write, @Nullable FailedWrite failure);
  }

  /** A caller that waits for room. */
  private record Waiting(Slot slot, long operation, Write write) {}

  private static final String NO_ANSWER = "no answer by the time that the session closed";

  private final WriteBuffer[] buffers;
  private final long boundBytes;
  private final WriteAccount account;
  private final Unsent unsent;
  private final FailedWrites failures;
  private final Sender sender;
  private final LongSupplier clock;
  private final ScheduledThreadPoolExecutor thread;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong heldWrites = new AtomicLong();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final List<Runnable> flushed = new ArrayList<>();

  /** Taken from buffers and not answered. A close that gives up tells of what is left in them. */
  private final Set<Batch> underWay = ConcurrentHashMap.newKeySet();

  private volatile WriteBuffering settings;
  private volatile long mostWrites = Long.MAX_VALUE;
  private volatile boolean someWait;
  private volatile boolean closing;

  /** While somebody waits until nothing is at risk, nothing is collected. */
  private volatile boolean flushing;

  WriteBuffers(
      int clients,
      long boundBytes,
      WriteBuffering settings,
      WriteAccount account,
      Unsent unsent,
      FailedWrites failures,
      Sender sender,
      LongSupplier clock) {
    this.buffers = new WriteBuffer[clients];
    for (int i = 0; i < clients; i++) {
      buffers[i] = new WriteBuffer();
    }
    this.boundBytes = boundBytes;
    this.settings = settings;
    this.account = account;
    this.unsent = unsent;
    this.failures = failures;
    this.sender = sender;
    this.clock = clock;
    thread = new ScheduledThreadPoolExecutor(1, DaemonThread.factory("calando-hbase-flush"));
    thread.setRemoveOnCancelPolicy(true);
  }

  WriteBuffering settings() {
    return settings;
  }

  /**
   * Takes other settings. What has been collected goes on being collected where the new ones have a
   * place for it, no longer than they say; else it is sent.
   */
  void set(WriteBuffering now) {
    WriteBuffering before = settings;
    settings = now;
    if (now.isStrong() || before.isStrong() || now.shared() != before.shared()) {
      sendAll();
      return;
    }
    for (WriteBuffer buffer : buffers) {
      @Nullable Batch full = null;
      synchronized (buffer) {
        if (buffer.bytes() >= now.bytes()) {
          full = take(buffer, clock.getAsLong());
        } else if (!buffer.isEmpty()) {
          arm(buffer, now);
        }
      }
      if (full != null) {
        send(full);
      }
    }
  }

  /** At most so many writes may be at risk from now on; further ones wait. */
  void mostAtRisk(long writes) {
    mostWrites = writes;
    submit(this::admitWaiting);
  }

  /** Defers a write, or has its caller wait until there is room. */
  void write(Slot slot, long operation, Write write) {
    if (someWait || !takeRoom(write.bytes)) {
      await(new Waiting(slot, operation, write));
      return;
    }
    admit(slot, operation, write);
  }

  private void await(Waiting caller) {
    synchronized (waiting) {
      if (!closing) {
        waiting.add(caller);
        someWait = true;
      }
    }
    if (closing) {
      // Told here or by who closes; the second is ignored.
      caller.slot.end(caller.operation, Outcome.REFUSED, Session.NO_VERSION);
      return;
    }
    sendAll();
    submit(this::admitWaiting);
  }

  /** A write of more than the bound goes alone. */
  private boolean takeRoom(long bytes) {
    if (heldWrites.incrementAndGet() > mostWrites) {
      heldWrites.decrementAndGet();
      return false;
    }
    long held = heldBytes.get();
    while (held == 0 || held + bytes <= boundBytes) {
      if (heldBytes.compareAndSet(held, held + bytes)) {
        return true;
      }
      held = heldBytes.get();
    }
    heldWrites.decrementAndGet();
    return false;
  }

  private void giveRoom(long bytes) {
    heldBytes.addAndGet(-bytes);
    heldWrites.decrementAndGet();
  }

  private void admitWaiting() {
    while (true) {
      Waiting next;
      synchronized (waiting) {
        next = waiting.peek();
        if (next == null || !takeRoom(next.write.bytes)) {
          someWait = next != null;
          break;
        }
        waiting.remove();
      }
      admit(next.slot, next.operation, next.write);
    }
    if (someWait) {
      // What has been collected since may be all that keeps the room.
      sendAll();
    }
  }

  private void admit(Slot slot, long operation, Write write) {
    WriteBuffering now = settings;
    WriteBuffer buffer = bufferOf(slot, now);
    write.acknowledgedNanos = clock.getAsLong();
    account.deferred(write.acknowledgedNanos);
    if (now.readYourWrites()) {
      unsent.add(write.key, write.version);
      write.overlaid = true;
    }
    @Nullable Batch full = null;
    boolean refused;
    synchronized (buffer) {
      refused = closing;
      // They may have been changed since, and this buffer been emptied for the last time.
      now = settings;
      if (!refused) {
        buffer.add(write);
        if (flushing || buffer.bytes() >= now.bytes() || buffer != bufferOf(slot, now)) {
          full = take(buffer, clock.getAsLong());
        } else if (buffer.filling() != buffer.armed()) {
          arm(buffer, now);
        }
      }
    }
    if (refused) {
      refuse(write);
      slot.end(operation, Outcome.REFUSED, Session.NO_VERSION);
      return;
    }
    if (full != null) {
      send(full);
    }
    slot.end(operation, Outcome.OK, Session.NO_VERSION);
  }

  private WriteBuffer bufferOf(Slot slot, WriteBuffering now) {
    return buffers[now.shared() ? 0 : slot.index() % buffers.length];
  }

  private void refuse(Write write) {
    giveRoom(write.bytes);
    if (write.overlaid) {
      unsent.remove(write.key);
    }
    if (account.refused(clock.getAsLong()) == 0) {
      tellFlushed();
    }
  }

  /** The oldest write of a buffer sets the time at which it is sent. */
  private void arm(WriteBuffer buffer, WriteBuffering now) {
    buffer.arm();
    if (now.delayNanos() == WriteBuffering.NEVER) {
      return;
    }
    long filling = buffer.filling();
    long nowNanos = clock.getAsLong();
    long left = Math.max(0, now.delayNanos() - (nowNanos - buffer.oldestNanos()));
    long dueNanos = nowNanos + left;
    try {
      var unused =
          thread.schedule(() -> tooOld(buffer, filling, dueNanos), left, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      // The close sends what is left.
    }
  }

  private void tooOld(WriteBuffer buffer, long filling, long dueNanos) {
    Batch batch;
    synchronized (buffer) {
      if (buffer.filling() != filling) {
        return;
      }
      batch = take(buffer, dueNanos);
    }
    sendHere(batch);
  }

  /** Sends all that has been collected. */
  private void sendAll() {
    for (WriteBuffer buffer : buffers) {
      Batch batch;
      synchronized (buffer) {
        if (buffer.isEmpty()) {
          continue;
        }
        batch = take(buffer, clock.getAsLong());
      }
      send(batch);
    }
  }

  /** Empties a buffer, which the caller has locked. */
  private Batch take(WriteBuffer buffer, long dueNanos) {
    Batch batch = new Batch(buffer.take(), dueNanos);
    underWay.add(batch);
    return batch;
  }

  private void send(Batch batch) {
    submit(() -> sendHere(batch));
  }

  private void sendHere(Batch batch) {
    account.flushed();
    sender.send(batch, this::ended);
  }

  private void submit(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException closed) {
      // The thread ends only when all has been answered, or nobody waits any more.
      task.run();
    }
  }

  private void ended(Batch batch, Write write, @Nullable FailedWrite failure) {
    if (!write.end()) {
      // A close had given it up before its answer came.
      return;
    }
    if (batch.ended()) {
      underWay.remove(batch);
    }
    if (failure != null) {
      failures.add(failure);
    }
    if (write.overlaid) {
      unsent.remove(write.key);
    }
    giveRoom(write.bytes);
    long now = clock.getAsLong();
    long left = failure == null ? account.landed(write.calledNanos, now) : account.failed(now);
    if (someWait) {
      submit(this::admitWaiting);
    }
    if (left == 0) {
      tellFlushed();
    }
  }

  /** See {@link Session#flush}. */
  boolean flush(Runnable done) {
    AtomicBoolean told = new AtomicBoolean();
    Runnable once =
        () -> {
          if (told.compareAndSet(false, true)) {
            done.run();
          }
        };
    synchronized (flushed) {
      if (account.atRisk() == 0) {
        return false;
      }
      flushed.add(once);
      flushing = true;
    }
    sendAll();
    return true;
  }

  private void tellFlushed() {
    List<Runnable> told;
    synchronized (flushed) {
      if (account.atRisk() != 0) {
        // Another write was acknowledged since the last was answered: its own answer tells.
        return;
      }
      told = List.copyOf(flushed);
      flushed.clear();
      flushing = false;
    }
    told.forEach(Runnable::run);
  }

  /** Refuses further writes; those that wait for room are refused too. */
  void refuseFurther() {
    closing = true;
    List<Waiting> left;
    synchronized (waiting) {
      left = List.copyOf(waiting);
      waiting.clear();
      someWait = false;
    }
    left.forEach(each -> each.slot.end(each.operation, Outcome.REFUSED, Session.NO_VERSION));
  }

  /**
   * Ends the thread; nothing is deferred any more. Writes that have no answer by now are told of as
   * failed, and that the server may have them: whoever was told that they are done has to know.
   */
  void close() {
    thread.shutdownNow();
    for (Batch batch : underWay) {
      for (Write write : batch.writes()) {
        ended(batch, write, new FailedWrite(write.key, write.version, true, NO_ANSWER));
      }
    }
  }
}
