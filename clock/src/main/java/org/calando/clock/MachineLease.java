package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.calando.clock.thread.ThreadPinning;
import org.calando.control.Lease;
import org.calando.control.LeaseGuard;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.jspecify.annotations.Nullable;

/**
 * What this process holds of a machine: clocks of processors and places of threads, each as it was
 * before when this is closed, or when the process ends in whatever way. Thread safe.
 */
public final class MachineLease implements AutoCloseable {
  private final Machine machine;
  private final LeaseOwners owners;
  private final Path beside;
  private final LastWritten lastWritten;
  private final LastClock noted = new Noted();
  private final Lease lease;
  private final Map<Path, Long> plans = new ConcurrentHashMap<>();
  private final List<LeasedClocks> clocksTaken = new ArrayList<>();
  private boolean closed;

  private MachineLease(Machine machine, LeaseOwners owners, Path file, LeaseGuard.Starter guards) {
    this.machine = machine;
    this.owners = owners;
    this.beside = LastWritten.beside(file);
    this.lastWritten = LastWritten.create(beside, machine.proc().bootId());
    @Nullable Lease begun = null;
    try {
      begun = Lease.leased(file, List.of(beside), owners, guards);
    } finally {
      if (begun == null) {
        lastWritten.close();
      }
    }
    this.lease = begun;
  }

  /**
   * Begins a lease, of nothing yet, and returns when its guard watches.
   *
   * @param machine whose
   * @param folders where it is noted
   * @param owner who holds it, for others who are refused: the command and what it serves
   * @param told takes lines on what happens to the guard, from another thread
   * @throws BadRequestException if it cannot be noted for all of the machine, as by others than
   *     root
   * @throws FailedWorkException if it cannot be noted, or the guard does not start
   */
  public static MachineLease begin(
      Machine machine, LeaseFolders folders, String owner, Consumer<String> told) {
    return guarded(
        machine, folders, owner, journal -> ClockGuard.over(journal, folders.owners(), told));
  }

  /** The same with a guard of another kind. */
  static MachineLease guarded(
      Machine machine, LeaseFolders folders, String owner, LeaseGuard.Starter guards) {
    folders.requireOwners(machine);
    long pid = ProcessHandle.current().pid();
    long start =
        ProcFs.machine()
            .startTicks(pid)
            .orElseThrow(
                () ->
                    new FailedWorkException(
                        "this process cannot be read", "/proc/" + pid, "is /proc mounted?"));
    Path file = folders.newJournal(pid, start);
    LeaseOwners owners = new LeaseOwners(machine, folders, owner, start, file);
    return new MachineLease(machine, owners, file, guards);
  }

  /**
   * Takes the clocks of nodes' processors; all run at the highest then, until they are told
   * otherwise. What an ended process left of them is restored before.
   *
   * @param nodes the processors of each node; one that is not told has the highest clock
   * @throws BadRequestException if processors have no clock, or another owner has it
   * @throws FailedWorkException if one cannot be set; then all go back to how they were, and what
   *     cannot is tried again when the lease ends
   */
  public LeasedClocks clocks(Map<String, CpuSet> nodes) {
    List<ClockDomain> domains = LeasedClocks.domains(machine.tree(), nodes);
    List<PolicyClock> clocks = new ArrayList<>();
    List<PolicyKnob> mine = new ArrayList<>();
    owners.restoreFormer();
    boolean all = false;
    try {
      for (ClockDomain domain : domains) {
        for (CpufreqPolicy policy : domain.policies()) {
          PolicyKnob knob = new PolicyKnob(machine.files(), policy.folder(), noted, false);
          if (lease.owns(knob)) {
            throw new BadRequestException(
                "is leased by this process already",
                "knob " + knob.id().name() + " of " + knob.target(),
                "take the clocks of a policy once");
          }
          lease.own(knob);
          mine.add(knob);
          clocks.add(take(policy, knob));
        }
      }
      LeasedClocks taken = new LeasedClocks(nodes, domains, clocks);
      taken.start();
      remember(taken);
      all = true;
      return taken;
    } finally {
      if (!all) {
        mine.forEach(this::releaseOrLater);
      }
    }
  }

  /** Moves threads of processes. */
  public ThreadPinning threads() {
    return new ThreadPinning(machine, this);
  }

  /** The guard's process, for people; -1 while there is none. */
  public long guardPid() {
    return lease.guardPid();
  }

  /**
   * Restores everything, and lets the guard go.
   *
   * @throws FailedWorkException naming what is not restored; it stays in the journal, for {@code
   *     calando restore}
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      clocksTaken.forEach(LeasedClocks::end);
      try {
        lease.close();
      } finally {
        lastWritten.close();
      }
    }
  }

  /** Lets go of the files and restores nothing: what the end of this process would do. */
  public synchronized void abandon() {
    closed = true;
    lease.abandon();
    lastWritten.close();
  }

  /**
   * Makes this process the owner of a knob, and restores what ended processes left of it.
   *
   * @throws BadRequestException if it has another owner, or could not be restored
   */
  public void own(Knob<?> knob) {
    owners.restoreFormer();
    lease.own(knob);
  }

  /**
   * Sets a knob until the lease ends.
   *
   * @param before how it goes back
   * @param words the same in the words of the plan's value
   * @return the plan's number
   */
  public <V> long set(Knob<V> knob, V before, V to, String words) {
    try {
      return lease.set(knob, before, to, words);
    } catch (InterruptedException e) {
      throw interrupted(knob, e);
    }
  }

  /**
   * Restores a knob and gives it back.
   *
   * @throws FailedWorkException if it cannot be restored; it is tried again when the lease ends
   */
  public void release(Knob<?> knob) {
    try {
      lease.release(knob);
    } catch (InterruptedException e) {
      throw interrupted(knob, e);
    }
  }

  private static FailedWorkException interrupted(Knob<?> knob, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new FailedWorkException(
        "interrupted", "knob " + knob.id().name() + " of " + knob.target(), "./calando restore", e);
  }

  private void releaseOrLater(Knob<?> knob) {
    try {
      release(knob);
    } catch (FailedWorkException e) {
      // tried again, and reported, when the lease ends
    }
  }

  private PolicyClock take(CpufreqPolicy policy, PolicyKnob knob) {
    PolicySettings before = ForeignCaps.requireNone(machine, policy, knob.current());
    long first = set(knob, before, policy.leased(before), before.text());
    long plan = unlimited(policy, knob, before, first);
    plans.put(policy.folder(), plan);
    PolicyClock clock =
        new PolicyClock(
            machine.files(), policy, knob.current(), written -> lastWritten.put(plan, written));
    // At once, and not after all are taken: userspace begins with whatever clock there was.
    clock.set(policy.frequencies().highest());
    return clock;
  }

  /** What only this owner writes; if it is damaged the clock goes back all the same. */
  private final class Noted implements LastClock {
    @Override
    public Optional<LastWritten.Clock> of(Path policy) {
      @Nullable Long plan = plans.get(policy);
      try {
        return plan == null
            ? Optional.empty()
            : LastWritten.read(beside).flatMap(content -> content.of(plan));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    @Override
    public void note(Path policy, LastWritten.Clock clock) throws IOException {
      @Nullable Long plan = plans.get(policy);
      if (plan != null) {
        lastWritten.put(plan, clock);
      }
    }
  }

  /**
   * Where not even an open limit reads higher, turbo being switched off say, the limit that was
   * read is nobody's: whoever holds it down ends that too. So the hardware's is what goes back.
   */
  private long unlimited(CpufreqPolicy policy, PolicyKnob knob, PolicySettings before, long plan) {
    PolicySettings now = knob.current();
    if (now.maxKHz() >= policy.maxKHz()
        || before.maxKHz() != now.maxKHz()
        || ForeignCaps.hiding(machine, policy, now).isPresent()) {
      return plan;
    }
    PolicySettings open = before.withMax(policy.maxKHz());
    return set(knob, open, policy.leased(before), open.text());
  }

  private synchronized void remember(LeasedClocks taken) {
    if (closed) {
      throw new IllegalStateException("the lease has ended");
    }
    clocksTaken.add(taken);
  }
}
