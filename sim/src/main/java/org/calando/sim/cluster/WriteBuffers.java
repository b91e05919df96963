package org.calando.sim.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.calando.core.observe.RecentWrites;
import org.calando.core.observe.WriteAccount;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.sim.kernel.Simulation;
import org.jspecify.annotations.Nullable;

/*
 *   write -> fewer at risk than the bound? -> the client's buffer -> full, too old or flushed -> a flush
 *                   no: the caller waits, all buffers are sent
 *
 * Each write of a flush is an operation of its own, whose tag is its place in the entries. The write
 * that filled a buffer is told its own outcome once all of the flush has ended; the others were told
 * before.
 */
/**
 * The buffers of all requesters, and what becomes of their writes. How they are deferred can be
 * changed at any time. Belongs to the simulation's thread; allocates only when it grows, and where
 * writes wait for the bound.
 */
public final class WriteBuffers {
  private static final int ACKNOWLEDGE = 0;
  private static final int TOO_OLD = 1;
  private static final int NO_TAG = -1;

  /** Sends a write. */
  interface Sender {
    void write(int requester, int tag, long key, long version, ConsistencyLevel level);
  }

  /** A caller that waits for room. */
  private record Waiting(
      int requester, int tag, long key, long version, ConsistencyLevel level, long calledNanos) {}

  private final Simulation simulation;
  private final Sender sender;
  private final ClientSide clients;
  private final DoubleConsumer costShare;
  private final int handler;
  private final int self;
  private final List<ClientBuffer> buffers = new ArrayList<>();
  private final List<List<ClientBuffer>> byRequester = new ArrayList<>();
  private final WriteAccount account = new WriteAccount(0);
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final List<Runnable> flushed = new ArrayList<>();
  private final Flushes flushes = new Flushes();
  private final DueAnswers due = new DueAnswers();
  private @Nullable WriteBuffer limits;
  private long mostAtRisk = Long.MAX_VALUE;
  private @Nullable RecentWrites recent;
  private long writeBytes;

  private long deferred;
  private long written;
  private long failed;
  private double atRiskNanos;
  private long sinceNanos;

  WriteBuffers(
      @Nullable WriteBuffer limits,
      Simulation simulation,
      ClientSide clients,
      Sender sender,
      DoubleConsumer costShare) {
    this.limits = limits;
    this.simulation = simulation;
    this.clients = clients;
    this.sender = sender;
    this.costShare = costShare;
    this.handler = simulation.register(this::handle);
    this.self = clients.register(this::sent, false);
  }

  /** Whether each write is sent by itself. */
  public boolean isStrong() {
    return limits == null;
  }

  /**
   * Takes other limits. What has been collected goes on being collected where there is a place for
   * it, no longer than they say; else it is sent.
   *
   * @param now null for strong writes
   */
  public void set(@Nullable WriteBuffer now) {
    WriteBuffer before = limits;
    limits = now;
    if (now != null) {
      costShare.accept(now.costShare());
    }
    if (now == null || before == null || before.shared() != now.shared()) {
      flush();
      return;
    }
    for (ClientBuffer buffer : buffers) {
      if (buffer.size >= now.mostWrites()) {
        flush(buffer, NO_TAG);
      } else if (buffer.size > 0) {
        arm(buffer, now);
      }
    }
  }

  /** At most so many writes may be at risk from now on; further ones wait. */
  public void mostAtRisk(long writes) {
    mostAtRisk = writes;
    admit();
  }

  /** What becomes of writes. */
  public WriteAccount account() {
    return account;
  }

  /**
   * Has somebody told of all writes from now on, in place of who was before.
   *
   * @param watching null for nobody
   * @param bytes of a write
   */
  public void watch(@Nullable RecentWrites watching, long bytes) {
    recent = watching;
    writeBytes = bytes;
    account.watch(watching);
  }

  /** A client calls a write. */
  public void called() {
    if (recent != null) {
      recent.called(writeBytes);
    }
  }

  /** The cluster has acknowledged a write that was sent by itself, so long after its call. */
  public void writtenAlone(long nanos) {
    account.visible(nanos);
    requestEnded(1, nanos);
  }

  private void requestEnded(int writes, long nanos) {
    if (recent != null) {
      recent.answered(writes, nanos);
    }
  }

  /** See {@link Session#flush}. */
  public boolean flush(Runnable done) {
    if (atRisk() == 0) {
      return false;
    }
    flushed.add(done);
    flush();
    return true;
  }

  /** Takes a write in. */
  void write(int requester, int tag, long key, long version, ConsistencyLevel level) {
    long now = simulation.nowNanos();
    if (waiting.isEmpty() && atRisk() < mostAtRisk) {
      take(requester, tag, key, version, level, now);
      return;
    }
    waiting.add(new Waiting(requester, tag, key, version, level, now));
    flush();
  }

  /** Those that wait go on in their order. */
  private void admit() {
    while (!waiting.isEmpty() && atRisk() < mostAtRisk) {
      Waiting next = waiting.remove();
      take(
          next.requester(),
          next.tag(),
          next.key(),
          next.version(),
          next.level(),
          next.calledNanos());
    }
    if (!waiting.isEmpty()) {
      // What has been collected since may be all that keeps the room.
      flush();
    }
  }

  private void take(
      int requester, int tag, long key, long version, ConsistencyLevel level, long calledNanos) {
    WriteBuffer now = limits;
    ClientBuffer buffer = buffer(requester, now == null || now.shared() ? 0 : tag);
    if (buffer.size > 0 && buffer.level != level) {
      flush(buffer, NO_TAG);
    }
    tick();
    if (buffer.size == 0) {
      buffer.sinceNanos = simulation.nowNanos();
      buffer.level = level;
    }
    buffer.add(key, version, calledNanos);
    // Of strong writes only those come here that waited when they became strong.
    if (now == null || buffer.size >= now.mostWrites()) {
      flush(buffer, tag);
      return;
    }
    deferred++;
    account.deferred(simulation.nowNanos());
    acknowledge(requester, tag);
    if (flushed.isEmpty()) {
      arm(buffer, now);
    } else {
      flush(buffer, NO_TAG);
    }
  }

  /** Sends all that is buffered. */
  void flush() {
    for (ClientBuffer buffer : buffers) {
      flush(buffer, NO_TAG);
    }
  }

  DeferredCounts counts() {
    return new DeferredCounts(deferred, atRisk(), written, failed);
  }

  private long atRisk() {
    return deferred - written - failed;
  }

  /** Time that each write was at risk up to now, summed over writes. */
  double atRiskNanos() {
    tick();
    return atRiskNanos;
  }

  /** To be called before the number of writes at risk changes. */
  private void tick() {
    long now = simulation.nowNanos();
    atRiskNanos += (double) atRisk() * (now - sinceNanos);
    sinceNanos = now;
  }

  private ClientBuffer buffer(int requester, int place) {
    while (byRequester.size() <= requester) {
      byRequester.add(new ArrayList<>());
    }
    List<ClientBuffer> own = byRequester.get(requester);
    while (own.size() <= place) {
      ClientBuffer next = new ClientBuffer(buffers.size(), requester);
      buffers.add(next);
      own.add(next);
    }
    return own.get(place);
  }

  private void arm(ClientBuffer buffer, WriteBuffer now) {
    if (now.mostAgeNanos() == ClientBuffer.NEVER) {
      return;
    }
    long atNanos = Math.max(simulation.nowNanos(), buffer.sinceNanos + now.mostAgeNanos());
    if (atNanos < buffer.armedNanos) {
      buffer.armedNanos = atNanos;
      simulation.schedule(atNanos, handler, TOO_OLD, buffer.number);
    }
  }

  private void flush(ClientBuffer buffer, int tag) {
    int size = buffer.size;
    if (size == 0) {
      return;
    }
    account.flushed();
    int flush = flushes.begin(size, buffer.requester, tag, simulation.nowNanos());
    buffer.size = 0;
    for (int i = 0; i < size; i++) {
      int entry = flushes.entry(flush, buffer.calledNanos[i], i == size - 1);
      sender.write(self, entry, buffer.keys[i], buffer.versions[i], buffer.level);
    }
  }

  /** A write of a flush has ended. */
  private void sent(int entry, Outcome outcome, long version) {
    tick();
    int flush = flushes.flushOf(entry);
    boolean waits = flushes.isLast(entry) && flushes.tag(flush) != NO_TAG;
    if (flushes.isLast(entry)) {
      flushes.outcome(flush, outcome);
    }
    // A client that waits has been told of nothing so far.
    deferred += waits ? 1 : 0;
    if (outcome == Outcome.OK) {
      written++;
    } else {
      failed++;
    }
    count(flushes.called(entry), outcome, waits);
    flushes.free(entry);
    if (flushes.endOne(flush)) {
      requestEnded(flushes.size(flush), simulation.nowNanos() - flushes.begun(flush));
      int tag = flushes.tag(flush);
      if (tag != NO_TAG) {
        clients.tell(flushes.requester(flush), tag, flushes.outcome(flush), Session.NO_VERSION);
      }
    }
    if (!waiting.isEmpty()) {
      admit();
    }
    if (atRisk() == 0 && !flushed.isEmpty()) {
      List<Runnable> told = List.copyOf(flushed);
      flushed.clear();
      told.forEach(Runnable::run);
    }
  }

  private void count(long calledNanos, Outcome outcome, boolean waits) {
    long now = simulation.nowNanos();
    if (outcome != Outcome.OK && !waits) {
      account.failed(now);
    } else if (outcome == Outcome.OK && waits) {
      account.visible(now - calledNanos);
    } else if (outcome == Outcome.OK) {
      account.landed(calledNanos, now);
    }
  }

  private void acknowledge(int requester, int tag) {
    due.add(requester, tag);
    simulation.schedule(simulation.nowNanos(), handler, ACKNOWLEDGE, 0);
  }

  private void handle(int kind, int number) {
    if (kind == ACKNOWLEDGE) {
      due.remove();
      clients.tell(due.requester(), due.tag(), Outcome.OK, Session.NO_VERSION);
    } else {
      tooOld(buffers.get(number));
    }
  }

  private void tooOld(ClientBuffer buffer) {
    if (simulation.nowNanos() < buffer.armedNanos) {
      // Of limits that have been changed since.
      return;
    }
    buffer.armedNanos = ClientBuffer.NEVER;
    WriteBuffer now = limits;
    if (buffer.size == 0 || now == null) {
      return;
    }
    // The buffer may have been sent since, and begun anew.
    if (simulation.nowNanos() - buffer.sinceNanos >= now.mostAgeNanos()) {
      flush(buffer, NO_TAG);
    } else {
      arm(buffer, now);
    }
  }
}
