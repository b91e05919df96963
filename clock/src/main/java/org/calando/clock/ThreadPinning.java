package org.calando.clock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.control.KnobOwner;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Where threads of processes run, until the lease ends: by rules on their names. Threads are born
 * with the place of the one that makes them, so {@link #refresh} looks for those that a rule has
 * elsewhere. Thread safe.
 */
public final class ThreadPinning {
  private final Machine machine;
  private final MachineLease lease;
  private final Map<Integer, Pinned> pinned = new HashMap<>();

  private record Pinned(
      long startTicks, long plan, ThreadCpus before, List<ThreadRule> rules, KnobOwner owner) {
    Pinned {
      rules = List.copyOf(rules);
    }
  }

  ThreadPinning(Machine machine, MachineLease lease) {
    this.machine = machine;
    this.lease = lease;
  }

  /**
   * Places the threads of a process; again with other rules when its role changes, which does not
   * change where they go back to.
   *
   * @param pid the process
   * @param rules the first whose name fits a thread decides; one that none fits is left alone
   * @throws BadRequestException if there is no such process, or another owner has it
   * @throws FailedWorkException if a thread cannot be moved; all are where they were
   */
  public synchronized void pin(int pid, List<ThreadRule> rules) {
    long start =
        machine
            .proc()
            .startTicks(pid)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "there is no such process", "process " + pid, "name one that runs"));
    @Nullable Pinned old = pinned.get(pid);
    if (old != null && old.startTicks() != start) {
      forget(pid, old);
      old = null;
    }
    if (old != null && old.rules().equals(rules)) {
      refresh(pid, old);
      return;
    }
    ThreadsKnob knob = new ThreadsKnob(machine.proc(), machine.affinity(), pid, start, false);
    KnobOwner mine = old == null ? lease.own(knob) : old.owner();
    boolean taken = false;
    try {
      ThreadCpus before = old == null ? knob.current() : old.before();
      long plan = lease.enforce(knob, before, wanted(pid, rules), before.text(), mine);
      taken = true;
      if (old != null) {
        lease.replaced(old.plan());
      }
      pinned.put(pid, new Pinned(start, plan, before, rules, mine));
    } finally {
      if (!taken && old == null) {
        lease.disown(knob, mine);
      }
    }
  }

  /**
   * Places threads that were born since, and forgets processes that have ended.
   *
   * @return how many threads were moved
   * @throws FailedWorkException if one cannot be moved
   */
  public synchronized int refresh() {
    int moved = 0;
    for (Map.Entry<Integer, Pinned> entry : List.copyOf(pinned.entrySet())) {
      if (machine.proc().startTicks(entry.getKey()).orElse(-1) == entry.getValue().startTicks()) {
        moved += refresh(entry.getKey(), entry.getValue());
      } else {
        forget(entry.getKey(), entry.getValue());
      }
    }
    return moved;
  }

  /** Moves a process's threads back, and lets it go; nothing if it is not placed. */
  public synchronized void release(int pid) {
    @Nullable Pinned old = pinned.get(pid);
    if (old != null) {
      forget(pid, old);
    }
  }

  private void forget(int pid, Pinned old) {
    pinned.remove(pid);
    lease.release(old.plan());
  }

  private int refresh(int pid, Pinned one) {
    int moved = 0;
    for (Map.Entry<Integer, CpuSet> wanted : wanted(pid, one.rules()).byThread().entrySet()) {
      Optional<CpuSet> now = allowed(pid, wanted.getKey());
      if (now.isPresent() && !now.get().equals(wanted.getValue())) {
        try {
          machine.affinity().set(wanted.getKey(), wanted.getValue());
          moved++;
        } catch (IOException e) {
          if (allowed(pid, wanted.getKey()).isPresent()) {
            throw new FailedWorkException(
                String.valueOf(e.getMessage()), "process " + pid, "see ./calando clocks", e);
          }
        }
      }
    }
    return moved;
  }

  private Optional<CpuSet> allowed(int pid, int tid) {
    try {
      return Optional.of(machine.proc().allowed(pid, tid));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  private ThreadCpus wanted(int pid, List<ThreadRule> rules) {
    Map<Integer, CpuSet> byThread = new TreeMap<>();
    List<Integer> threads = new ArrayList<>();
    try {
      threads.addAll(machine.proc().threads(pid));
    } catch (IOException ended) {
      // then it has none
    }
    for (int tid : threads) {
      try {
        ThreadRule.find(rules, machine.proc().name(pid, tid))
            .ifPresent(cpus -> byThread.put(tid, cpus));
      } catch (IOException ended) {
        // between the list and the look
      }
    }
    return new ThreadCpus(byThread, rules.stream().map(ThreadRule::cpus).toList());
  }
}
