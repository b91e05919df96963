package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.sim.kernel.Simulation;

/** The buffers of all requesters. Not thread safe; allocates only when they grow. */
final class WriteBuffers {
  private static final int ACKNOWLEDGE = 0;
  private static final int TOO_OLD = 1;
  private static final int NO_TAG = -1;

  /** Sends a write. */
  interface Sender {
    void write(int requester, int tag, long key, long version, ConsistencyLevel level);
  }

  /** Of one requester. */
  private static final class Buffer {
    private long[] keys = new long[16];
    private long[] versions = new long[16];
    private ConsistencyLevel level = ConsistencyLevel.ONE;
    private int size;
    private long sinceNanos;
    private boolean armed;
  }

  private final WriteBuffer limits;
  private final Simulation simulation;
  private final Sender sender;
  private final ClientSide clients;
  private final int handler;
  private final int self;
  private final List<Buffer> buffers = new ArrayList<>();

  // Acknowledgements at the present time, in order: requester and tag.
  private int[] due = new int[64];
  private int dueFirst;
  private int dueCount;

  // Flushes under way: writes left, and who waits for the last of them.
  private int[] left = new int[0];
  private int[] requesterOf = new int[0];
  private int[] tagOf = new int[0];
  private Outcome[] outcomeOf = new Outcome[0];
  private int[] free = new int[0];
  private int freeCount;

  private long deferred;
  private long written;
  private long failed;
  private double atRiskNanos;
  private long sinceNanos;

  WriteBuffers(WriteBuffer limits, Simulation simulation, ClientSide clients, Sender sender) {
    this.limits = limits;
    this.simulation = simulation;
    this.clients = clients;
    this.sender = sender;
    this.handler = simulation.register(this::handle);
    this.self = clients.register(this::sent, false);
  }

  /** Takes a write in. */
  void write(int requester, int tag, long key, long version, ConsistencyLevel level) {
    Buffer buffer = buffer(requester);
    if (buffer.size > 0 && buffer.level != level) {
      flush(buffer, requester, NO_TAG);
    }
    tick();
    boolean fills = buffer.size + 1 >= limits.mostWrites();
    if (!fills) {
      deferred++;
    }
    if (buffer.size == 0) {
      buffer.sinceNanos = simulation.nowNanos();
      buffer.level = level;
    }
    if (buffer.size == buffer.keys.length) {
      buffer.keys = Arrays.copyOf(buffer.keys, 2 * buffer.size);
      buffer.versions = Arrays.copyOf(buffer.versions, 2 * buffer.size);
    }
    buffer.keys[buffer.size] = key;
    buffer.versions[buffer.size++] = version;
    if (fills) {
      flush(buffer, requester, tag);
    } else {
      acknowledge(requester, tag);
      arm(buffer, requester);
    }
  }

  /** Sends all that is buffered. */
  void flush() {
    for (int requester = 0; requester < buffers.size(); requester++) {
      flush(buffers.get(requester), requester, NO_TAG);
    }
  }

  DeferredCounts counts() {
    return new DeferredCounts(deferred, deferred - written - failed, written, failed);
  }

  /** Time that each write was at risk up to now, summed over writes. */
  double atRiskNanos() {
    tick();
    return atRiskNanos;
  }

  /** To be called before the number of writes at risk changes. */
  private void tick() {
    long now = simulation.nowNanos();
    atRiskNanos += (double) (deferred - written - failed) * (now - sinceNanos);
    sinceNanos = now;
  }

  private Buffer buffer(int requester) {
    while (buffers.size() <= requester) {
      buffers.add(new Buffer());
    }
    return buffers.get(requester);
  }

  private void arm(Buffer buffer, int requester) {
    if (!buffer.armed && limits.mostAgeNanos() != Long.MAX_VALUE) {
      buffer.armed = true;
      simulation.schedule(buffer.sinceNanos + limits.mostAgeNanos(), handler, TOO_OLD, requester);
    }
  }

  private void flush(Buffer buffer, int requester, int tag) {
    int size = buffer.size;
    if (size == 0) {
      return;
    }
    int flush = take();
    left[flush] = size;
    requesterOf[flush] = requester;
    tagOf[flush] = tag;
    buffer.size = 0;
    for (int i = 0; i < size; i++) {
      int last = i == size - 1 ? 1 : 0;
      sender.write(self, 2 * flush + last, buffer.keys[i], buffer.versions[i], buffer.level);
    }
  }

  /** A write of a flush has ended; that of an odd tag is the last that came into its buffer. */
  private void sent(int tagOfWrite, Outcome outcome, long version) {
    tick();
    int flush = tagOfWrite / 2;
    if ((tagOfWrite & 1) != 0) {
      outcomeOf[flush] = outcome;
      // A client that waits has been told of nothing so far.
      deferred += tagOf[flush] == NO_TAG ? 0 : 1;
    }
    if (outcome == Outcome.OK) {
      written++;
    } else {
      failed++;
    }
    if (--left[flush] == 0) {
      int tag = tagOf[flush];
      free[freeCount++] = flush;
      if (tag != NO_TAG) {
        clients.tell(requesterOf[flush], tag, outcomeOf[flush], Session.NO_VERSION);
      }
    }
  }

  private void acknowledge(int requester, int tag) {
    if (2 * dueCount == due.length) {
      int[] longer = new int[2 * due.length];
      for (int i = 0; i < due.length; i++) {
        longer[i] = due[(dueFirst + i) & (due.length - 1)];
      }
      due = longer;
      dueFirst = 0;
    }
    int at = (dueFirst + 2 * dueCount++) & (due.length - 1);
    due[at] = requester;
    due[at + 1] = tag;
    simulation.schedule(simulation.nowNanos(), handler, ACKNOWLEDGE, 0);
  }

  private void handle(int kind, int number) {
    if (kind == ACKNOWLEDGE) {
      int requester = due[dueFirst];
      int tag = due[dueFirst + 1];
      dueFirst = (dueFirst + 2) & (due.length - 1);
      dueCount--;
      clients.tell(requester, tag, Outcome.OK, Session.NO_VERSION);
      return;
    }
    Buffer buffer = buffers.get(number);
    buffer.armed = false;
    if (buffer.size == 0) {
      return;
    }
    // The buffer may have been sent since, and begun anew.
    if (simulation.nowNanos() - buffer.sinceNanos >= limits.mostAgeNanos()) {
      flush(buffer, number, NO_TAG);
    } else {
      arm(buffer, number);
    }
  }

  private int take() {
    if (freeCount == 0) {
      int old = left.length;
      int length = Math.max(16, 2 * old);
      left = Arrays.copyOf(left, length);
      requesterOf = Arrays.copyOf(requesterOf, length);
      tagOf = Arrays.copyOf(tagOf, length);
      outcomeOf = Arrays.copyOf(outcomeOf, length);
      free = Arrays.copyOf(free, length);
      for (int flush = length - 1; flush >= old; flush--) {
        free[freeCount++] = flush;
      }
    }
    return free[--freeCount];
  }
}
