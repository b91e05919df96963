package org.calando.agent.server;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseAnswer;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 *   nobody has it --- request, higher number ---> held --- same id: set, renewed ---> held
 *        ^                                         |  \--- its governor, started again, with a higher number --> held
 *        +---- given back, or no word for 10 s ----+      another governor, or a lower number: refused
 *
 * A request says all that is wanted and not what changes. So one that is lost, or comes twice, harms nothing, and an
 * agent that has started again is as before with the next.
 *
 * A write to a clock may take long. What comes meanwhile is refused as busy and not kept waiting: there are few threads
 * that answer, for all leases. Who has the lease is read without the lock.
 */
/** What a governor has of this machine, as long as it is heard. Thread safe. */
final class AgentLease {
  private static final long TTL_NANOS = AgentWire.TTL_MILLIS * 1_000_000;

  /** Shorter than governors wait for an answer. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** No governor gets there by counting; beyond it nobody could show a higher number. */
  static final long MOST_FENCE = 1L << 60;

  /** The same of giving back, which governors wait longer for. */
  private static final long GIVING_BACK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AgentLeases.Means means;
  private final LongSupplier nanos;
  private final String name;
  private final RestoreAgain again;
  private final FenceFile fence;
  private final AtomicReference<@Nullable Word> lastWord = new AtomicReference<>();

  // Of who has the lock.
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Leased held;
  private String heldBy = "";
  private long number;
  private String givenBack = "";
  private boolean left;
  private boolean closed;

  /** When its holder was heard last; of nobody while nobody has it. */
  private record Word(String id, long atNanos) {}

  AgentLease(AgentLeases.Means means, LongSupplier nanos, String name, RestoreAgain again) {
    this.means = means;
    this.nanos = nanos;
    this.name = name;
    this.again = again;
    this.fence = new FenceFile(means.fences(), name);
  }

  /** Who has it; does not wait. */
  LeaseState state() {
    expire();
    Word word = lastWord.get();
    LeaseState last = fence.highest();
    return word == null
        ? last
        : new LeaseState(
            true,
            last.fence(),
            last.id(),
            last.holder(),
            (nanos.getAsLong() - word.atNanos()) / 1_000_000);
  }

  /**
   * Begins or renews it, and sets what is wanted.
   *
   * @throws RefusedLeaseException if somebody else has it, or had it since
   * @throws BadRequestException if the request is wrong, or processors have another owner
   * @throws FailedWorkException if a clock cannot be taken, or another request is being carried out
   */
  LeaseAnswer put(LeaseRequest request) throws RefusedLeaseException {
    if (!request.namesItsHolder()) {
      throw new BadRequestException(
          "names no holder or no id, or has them in more than a line",
          "lease " + name,
          "use a governor of this version");
    }
    if (request.fence() < 1 || request.fence() > MOST_FENCE) {
      throw new BadRequestException(
          "has the number " + request.fence(), "lease " + name, "use a governor of this version");
    }
    Map<String, CpuSet> cpus = LeasedProcessors.of(request);
    if (!lockWithin(BUSY_NANOS)) {
      Word word = lastWord.get();
      if (word != null && word.id().equals(request.id())) {
        // It is alive: what it wants comes with its next request.
        lastWord.compareAndSet(word, word(request));
      }
      throw busy();
    }
    try {
      Leased now = taken(request, cpus);
      try {
        return now.set(request);
      } finally {
        // What took long was no silence.
        lastWord.set(word(request));
      }
    } finally {
      lock.unlock();
    }
  }

  private Word word(LeaseRequest request) {
    return new Word(request.id(), nanos.getAsLong());
  }

  private boolean lockWithin(long most) {
    try {
      return lock.tryLock(most, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private FailedWorkException busy() {
    return new FailedWorkException(
        "is busy with another request, whose writes take long", "lease " + name, "ask again");
  }

  /** What is on lease to who asks. */
  private Leased taken(LeaseRequest request, Map<String, CpuSet> cpus)
      throws RefusedLeaseException {
    requireRight(request);
    if (held != null && !heldBy.equals(request.id())) {
      takeOver(request, cpus);
    }
    Leased now = held;
    if (now != null && !now.are(cpus)) {
      // As would be wanted in turn by two parts of one governor that know this agent by two
      // addresses.
      throw new RefusedLeaseException(
          "it has " + now.words() + "; name this agent alike at all nodes", state());
    }
    if (now != null && request.number() <= number) {
      throw new RefusedLeaseException("a later request was taken", state());
    }
    if (now == null) {
      if (request.namesNothing()) {
        throw new BadRequestException(
            "names neither nodes nor processes", "lease " + name, "name what is wanted");
      }
      now = take(request, cpus);
    }
    number = request.number();
    lastWord.set(word(request));
    return now;
  }

  private void requireRight(LeaseRequest request) throws RefusedLeaseException {
    if (closed) {
      throw new FailedWorkException("has just ended", "lease " + name, "ask again");
    }
    LeaseState state = state();
    if (request.id().equals(givenBack)) {
      throw new RefusedLeaseException("it was given back", state);
    }
    boolean startedAgain =
        AgentWire.isOfOneGovernor(heldBy, request.id()) && request.fence() > state.fence();
    if (held != null && !heldBy.equals(request.id()) && !startedAgain) {
      throw new RefusedLeaseException("it is held by " + state.holder(), state);
    }
    boolean same = request.id().equals(state.id());
    if (request.fence() < state.fence() || (request.fence() == state.fence() && !same)) {
      throw new RefusedLeaseException(
          "number "
              + request.fence()
              + " is older than "
              + state.fence()
              + ", which "
              + state.holder()
              + " had since",
          state);
    }
  }

  /** Whoever had it has died: it is the same governor, which nobody else can be meanwhile. */
  private void takeOver(LeaseRequest request, Map<String, CpuSet> cpus) {
    if (held != null && held.are(cpus)) {
      note(request);
      begun(request);
      means.news().accept(name + ": is taken over by " + request.holder() + ", started again");
    } else {
      restore("its governor started again, with other processors");
    }
  }

  private Leased take(LeaseRequest request, Map<String, CpuSet> cpus) {
    note(request);
    String owner = "agent, for " + request.holder() + ", lease " + name;
    Leased now = new Leased(means, nanos, cpus, owner, again::later);
    held = now;
    begun(request);
    means.news().accept(name + ": " + now.words() + " are leased by " + request.holder());
    return now;
  }

  private void note(LeaseRequest request) {
    if (request.fence() > fence.highest().fence()) {
      fence.note(new LeaseState(false, request.fence(), request.id(), request.holder(), 0));
    }
  }

  private void begun(LeaseRequest request) {
    heldBy = request.id();
    number = 0;
    lastWord.set(word(request));
  }

  /**
   * Ends it; all is as it was before. Nothing if it has ended.
   *
   * @throws RefusedLeaseException if somebody else has it
   * @throws FailedWorkException naming what is not as before, or if another request is being
   *     carried out
   */
  void release(AgentWire.Release release) throws RefusedLeaseException {
    if (!lockWithin(GIVING_BACK_NANOS)) {
      throw busy();
    }
    try {
      if (held != null && !heldBy.equals(release.id())) {
        LeaseState state = state();
        throw new RefusedLeaseException("it is held by " + state.holder(), state);
      }
      if (left && held == null && again.isLeft() && givenBack.equals(release.id())) {
        throw new FailedWorkException(
            "not everything is restored yet, which is tried again",
            "lease " + name,
            "see the agent's lines, and ask again");
      }
      givenBack = String.valueOf(release.id());
      restore("it was given back");
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends it if its governor has been silent for too long; whoever asks finds it ended then. Does
   * not wait: a request that is being carried out is a word.
   */
  void expire() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (isOverdue()) {
        restore("no word for " + TTL_NANOS / 1_000_000_000 + " s from " + fence.highest().holder());
      }
    } catch (FailedWorkException e) {
      // It is reported already, and tried again.
    } finally {
      lock.unlock();
    }
  }

  /** Whether its governor has been silent for too long. Does not wait. */
  boolean isOverdue() {
    Word word = lastWord.get();
    return word != null && nanos.getAsLong() - word.atNanos() > TTL_NANOS;
  }

  /** Ends it for good if nobody has it, so that another name may have its place. Does not wait. */
  boolean retire() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      closed |= held == null;
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends it, for the end of the agent. */
  void close() {
    lock.lock();
    try {
      closed = true;
      restore("the agent ends");
    } finally {
      lock.unlock();
    }
  }

  private void restore(String why) {
    Leased now = held;
    held = null;
    heldBy = "";
    left = false;
    if (now == null) {
      lastWord.set(null);
      return;
    }
    try {
      now.close();
      means.news().accept(name + ": " + now.words() + " are restored: " + why);
    } catch (FailedWorkException e) {
      left = true;
      again.later();
      means.news().accept(name + ": not everything is restored: " + e.getMessage());
      throw e;
    } finally {
      // Until then it is no lease that another may begin.
      lastWord.set(null);
    }
  }
}
