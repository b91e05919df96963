package org.calando.clock;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwner;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/**
 * What this process holds of a machine: clocks of processors and places of threads, each as it was
 * before when this is closed, or when the process ends in whatever way. Thread safe.
 */
public final class MachineLease implements AutoCloseable {
  private final Machine machine;
  private final LeaseOwners owners;
  private final LeaseJournal journal;
  private final LeaseGuard guard;
  private final Map<Long, Held> held = new LinkedHashMap<>();
  private final List<NodeClocks> clocksTaken = new ArrayList<>();
  private boolean closed;

  /** Starts what restores when this process is gone. */
  interface GuardStarter {
    /** Watches over the lease of a journal. */
    LeaseGuard start(Path journal);
  }

  private record Held(Plan plan, JournalEntry last, KnobOwner owner) {}

  private MachineLease(Machine machine, LeaseOwners owners, Path file, GuardStarter guards) {
    this.machine = machine;
    this.owners = owners;
    this.journal = new LeaseJournal(machine, file);
    @Nullable LeaseGuard watching = null;
    try {
      watching = guards.start(file);
    } finally {
      if (watching == null) {
        journal.end();
      }
    }
    this.guard = watching;
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
      Machine machine, LeaseFolders folders, String owner, GuardStarter guards) {
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
    LeaseOwners owners = new LeaseOwners(machine, folders, owner, start);
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
  public NodeClocks clocks(Map<String, CpuSet> nodes) {
    List<ClockDomain> domains = NodeClocks.domains(machine.tree(), nodes);
    List<PolicyClock> clocks = new ArrayList<>();
    Set<Long> former = plans();
    RestoreReport left = owners.restoreFormer();
    boolean all = false;
    try {
      for (ClockDomain domain : domains) {
        for (CpufreqPolicy policy : domain.policies()) {
          clocks.add(take(policy, left));
        }
      }
      NodeClocks taken = new NodeClocks(nodes, domains, clocks);
      taken.start();
      remember(taken);
      all = true;
      return taken;
    } finally {
      if (!all) {
        releaseAllBut(former);
      }
    }
  }

  /** Moves threads of processes. */
  public ThreadPinning threads() {
    return new ThreadPinning(machine, this);
  }

  /** The guard's process, for people; -1 while there is none. */
  public long guardPid() {
    return guard.pid();
  }

  /**
   * Restores everything, and lets the guard go.
   *
   * @throws FailedWorkException naming what is not restored; it stays in the journal, for {@code
   *     calando restore}
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    clocksTaken.forEach(NodeClocks::end);
    List<String> failed = new ArrayList<>();
    List<Long> newestFirst = new ArrayList<>(held.keySet());
    Collections.reverse(newestFirst);
    for (long plan : newestFirst) {
      try {
        release(plan);
      } catch (CalandoException e) {
        failed.add(String.valueOf(e.getMessage()));
      }
    }
    journal.end();
    guard.close();
    held.values().forEach(one -> one.owner().close());
    if (!failed.isEmpty()) {
      throw new FailedWorkException(
          String.join("\n", failed), "lease " + journal.file().getFileName(), "./calando restore");
    }
  }

  /** Lets go of the files and restores nothing: what the end of this process would do. */
  synchronized void abandon() {
    closed = true;
    journal.abandon();
    held.values().forEach(one -> one.owner().close());
    held.clear();
  }

  /**
   * Makes this process the owner of a knob, and restores what ended processes left of it.
   *
   * @throws BadRequestException if it has another owner, or could not be restored
   */
  KnobOwner own(Knob<?> knob) {
    return owners.own(knob, owners.restoreFormer());
  }

  /** Gives a knob back that was not set after all; what could not be taken back stays noted. */
  void disown(Knob<?> knob, KnobOwner mine) {
    if (journal.isOpen(knob)) {
      mine.close();
    } else {
      mine.release();
    }
  }

  /**
   * Sets a knob until the lease ends.
   *
   * @param before how it goes back, in the words of the plan's value
   * @param mine given back with the knob
   * @return the plan's number
   */
  synchronized <V> long enforce(Knob<V> knob, V from, V to, String before, KnobOwner mine) {
    if (closed) {
      throw new IllegalStateException("the lease has ended");
    }
    Plan plan = knob.plan(from, to);
    owners.note(mine, knob, plan, before, journal.file());
    JournalEntry last = journal.execute(plan, before, knob.lifetime());
    held.put(last.plan(), new Held(plan, last, mine));
    return last.plan();
  }

  /** Ends a plan that another has replaced; its knob stays owned. */
  synchronized void replaced(long plan) {
    @Nullable Held old = held.remove(plan);
    if (old != null) {
      journal.giveUp(old.last());
    }
  }

  /**
   * Restores one plan's knob and gives it back.
   *
   * @throws FailedWorkException if it cannot be restored; it is tried again when the lease ends
   */
  synchronized void release(long plan) {
    @Nullable Held old = held.get(plan);
    if (old != null) {
      journal.takeBack(old.plan(), old.last());
      held.remove(plan);
      old.owner().release();
    }
  }

  private PolicyClock take(CpufreqPolicy policy, RestoreReport left) {
    PolicyKnob knob = new PolicyKnob(machine.files(), policy.folder(), Optional.empty(), false);
    KnobOwner mine = owners.own(knob, left);
    boolean taken = false;
    try {
      PolicySettings before = ForeignCaps.requireNone(machine, policy, knob.current());
      long first = enforce(knob, before, policy.leased(before), before.text(), mine);
      taken = true;
      long plan = unlimited(policy, knob, before, first, mine);
      PolicyClock clock =
          new PolicyClock(
              machine.files(), policy, knob.current(), written -> journal.put(plan, written));
      // At once, and not after all are taken: userspace begins with whatever clock there was.
      clock.set(policy.frequencies().highest());
      return clock;
    } finally {
      if (!taken) {
        disown(knob, mine);
      }
    }
  }

  /**
   * Where not even an open limit reads higher, turbo being switched off say, the limit that was
   * read is nobody's: whoever holds it down ends that too. So the hardware's is what goes back.
   */
  private long unlimited(
      CpufreqPolicy policy, PolicyKnob knob, PolicySettings before, long plan, KnobOwner mine) {
    PolicySettings now = knob.current();
    if (now.maxKHz() >= policy.maxKHz()
        || before.maxKHz() != now.maxKHz()
        || ForeignCaps.hiding(machine, policy, now).isPresent()) {
      return plan;
    }
    PolicySettings open = before.withMax(policy.maxKHz());
    long again = enforce(knob, open, policy.leased(before), open.text(), mine);
    replaced(plan);
    return again;
  }

  private synchronized void remember(NodeClocks taken) {
    if (closed) {
      throw new IllegalStateException("the lease has ended");
    }
    clocksTaken.add(taken);
  }

  private synchronized Set<Long> plans() {
    return Set.copyOf(held.keySet());
  }

  /** Goes back to an earlier state. */
  private synchronized void releaseAllBut(Set<Long> former) {
    for (long plan : List.copyOf(held.keySet())) {
      if (!former.contains(plan)) {
        try {
          release(plan);
        } catch (FailedWorkException e) {
          // tried again, and told, when the lease ends
        }
      }
    }
  }
}
