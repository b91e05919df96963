package org.calando.clock.thread;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.clock.Drift;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Where threads of processes run, until the lease ends: by rules on their names. Threads are born
 * with the place of the one that makes them, so {@link #refresh} looks for those that a rule has
 * elsewhere. Thread safe.
 */
public final class ThreadPinning implements NodeThreads {
  private final Machine machine;
  private final MachineLease lease;
  private final Map<Integer, Pinned> pinned = new HashMap<>();

  /** What is placed; where each thread was found once it was placed changes. */
  private record Pinned(
      ThreadsKnob knob, ThreadCpus before, List<ThreadRule> rules, Map<Integer, CpuSet> found) {
    Pinned {
      rules = List.copyOf(rules);
    }
  }

  public ThreadPinning(Machine machine, MachineLease lease) {
    this.machine = machine;
    this.lease = lease;
  }

  /** {@inheritDoc} All nodes are on this machine. */
  @Override
  public void pin(String node, int pid, List<ThreadRule> rules) {
    pin(pid, rules);
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
    if (old != null && !old.knob().lives()) {
      forget(pid, old);
      old = null;
    }
    if (old == null) {
      begin(new ThreadsKnob(machine.proc(), machine.affinity(), pid, start, false), pid, rules);
    } else if (!old.rules().equals(rules)) {
      place(old.knob(), old.before(), pid, rules);
    }
  }

  private void begin(ThreadsKnob knob, int pid, List<ThreadRule> rules) {
    lease.own(knob);
    boolean taken = false;
    try {
      place(knob, knob.current(), pid, rules);
      taken = true;
    } finally {
      if (!taken) {
        lease.release(knob);
      }
    }
  }

  private void place(ThreadsKnob knob, ThreadCpus before, int pid, List<ThreadRule> rules) {
    ThreadCpus wanted = wanted(pid, rules);
    long unused = lease.set(knob, before, wanted, before.text());
    Pinned one = new Pinned(knob, before, rules, new HashMap<>());
    wanted.byThread().keySet().forEach(tid -> find(pid, tid, one));
    pinned.put(pid, one);
  }

  @Override
  public synchronized List<Drift> refresh() {
    List<Drift> drifts = new ArrayList<>();
    for (Map.Entry<Integer, Pinned> entry : List.copyOf(pinned.entrySet())) {
      if (entry.getValue().knob().lives()) {
        drifts.addAll(refresh(entry.getKey(), entry.getValue()));
      } else {
        forget(entry.getKey(), entry.getValue());
      }
    }
    return drifts;
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
    lease.release(old.knob());
  }

  private List<Drift> refresh(int pid, Pinned one) {
    List<Drift> drifts = new ArrayList<>();
    Map<Integer, CpuSet> wanted = wanted(pid, one.rules()).byThread();
    one.found().keySet().retainAll(wanted.keySet());
    wanted.forEach((tid, cpus) -> place(pid, tid, cpus, one).ifPresent(drifts::add));
    return drifts;
  }

  /** Places a thread; one that was elsewhere at the last look, or cannot be placed, is news. */
  private Optional<Drift> place(int pid, int tid, CpuSet cpus, Pinned one) {
    @Nullable CpuSet was = one.found().get(tid);
    Optional<CpuSet> now = allowed(pid, tid);
    String fault = now.isEmpty() || now.get().equals(cpus) ? "" : move(tid, cpus);
    find(pid, tid, one);
    boolean moved = was != null && now.isPresent() && !was.equals(now.get());
    boolean placed = cpus.equals(one.found().getOrDefault(tid, cpus));
    if (!moved && (placed || was != null)) {
      return Optional.empty();
    }
    String stays = fault.isEmpty() ? "it does not stay where it is moved" : fault;
    return Optional.of(
        new Drift(
            "thread " + tid + " of process " + pid,
            moved ? "processors " + was : "",
            moved ? "processors " + now.get() : "",
            placed ? "moved back" : stays,
            Optional.empty()));
  }

  /** Why it cannot be moved, in words; empty if it was. */
  private String move(int tid, CpuSet cpus) {
    try {
      machine.affinity().set(tid, cpus);
      return "";
    } catch (IOException e) {
      return "it cannot be moved: " + e.getMessage();
    }
  }

  /** Keeps where a thread is: a cpuset may leave it a part of what it was given. */
  private void find(int pid, int tid, Pinned one) {
    allowed(pid, tid).ifPresent(cpus -> one.found().put(tid, cpus));
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
