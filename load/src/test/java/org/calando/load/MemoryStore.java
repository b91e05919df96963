package org.calando.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/** A store in memory that answers after a virtual delay, or at once. */
final class MemoryStore implements Session {
  /** Decides on the fate of a request when it is sent. */
  interface Behaviour {
    /** Never answer. */
    long NEVER = Long.MAX_VALUE;

    /** Answer before the method returns. */
    long AT_ONCE = -1;

    long delayNanos(long sentNanos);

    default Outcome outcome(long sentNanos) {
      return Outcome.OK;
    }
  }

  /** What was asked. */
  record Request(
      String verb, int slot, long key, ConsistencyLevel level, long version, long sentNanos) {}

  private final int slots;
  private final VirtualScheduler scheduler;
  private final Map<Long, Long> versions = new HashMap<>();
  private final boolean[] busy;
  final List<Request> requests = new ArrayList<>();
  final List<Completion> unanswered = new ArrayList<>();
  Behaviour behaviour;
  boolean keepRequests = true;

  /** How long a flush takes; 0 if there is nothing to send. */
  long flushNanos;

  final List<Long> flushes = new ArrayList<>();
  int underWay;
  int mostUnderWay;

  MemoryStore(int slots, VirtualScheduler scheduler, Behaviour behaviour) {
    this.slots = slots;
    this.scheduler = scheduler;
    this.behaviour = behaviour;
    this.busy = new boolean[slots];
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    answer(new Request("read", slot, key, level, 0, scheduler.nanos()), completion);
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
    answer(new Request("write", slot, key, level, version, scheduler.nanos()), completion);
  }

  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    answer(new Request("scan", slot, key, level, 0, scheduler.nanos()), completion);
  }

  @Override
  public boolean flush(Runnable done) {
    flushes.add(scheduler.nanos());
    if (flushNanos == 0) {
      return false;
    }
    long takes = flushNanos;
    flushNanos = 0;
    scheduler.at(scheduler.nanos() + takes, done);
    return true;
  }

  @Override
  public void close() {}

  private void answer(Request request, Completion completion) {
    if (keepRequests) {
      requests.add(request);
    }
    if (busy[request.slot()]) {
      throw new AssertionError("slot " + request.slot() + " is busy");
    }
    busy[request.slot()] = true;
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    long delay = behaviour.delayNanos(request.sentNanos());
    Outcome outcome = behaviour.outcome(request.sentNanos());
    if (delay == Behaviour.AT_ONCE) {
      finish(request, outcome, completion);
    } else if (delay == Behaviour.NEVER) {
      unanswered.add(completion);
    } else {
      scheduler.at(request.sentNanos() + delay, () -> finish(request, outcome, completion));
    }
  }

  private void finish(Request request, Outcome outcome, Completion completion) {
    busy[request.slot()] = false;
    underWay--;
    if (outcome != Outcome.OK || request.verb().equals("scan")) {
      completion.complete(request.slot(), outcome, NO_VERSION);
      return;
    }
    long version = NO_VERSION;
    if (request.verb().equals("write")) {
      versions.merge(request.key(), request.version(), Math::max);
    } else {
      version = versions.getOrDefault(request.key(), 1L);
    }
    completion.complete(request.slot(), outcome, version);
  }
}
