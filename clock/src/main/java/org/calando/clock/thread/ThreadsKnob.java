package org.calando.clock.thread;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.clock.Machine;
import org.calando.clock.ProcFs;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/**
 * Where the threads of one process run: one step, taken back also for threads that were born
 * meanwhile, which get what the first thread had. Leased. Thread safe.
 */
public final class ThreadsKnob implements Knob<ThreadCpus> {
  public static final KnobId<ThreadCpus> ID = new KnobId<>("affinity", ThreadCpus.class);

  private final ProcFs proc;
  private final ThreadAffinity affinity;
  private final int pid;
  private final long startTicks;
  private final boolean force;

  /**
   * A knob.
   *
   * @param startTicks when the process started, which tells it from a later one of the same number
   * @param force whether to restore also threads that somebody else has moved since
   */
  public ThreadsKnob(
      ProcFs proc, ThreadAffinity affinity, int pid, long startTicks, boolean force) {
    this.proc = proc;
    this.affinity = affinity;
    this.pid = pid;
    this.startTicks = startTicks;
    this.force = force;
  }

  /**
   * The knob of a {@link #target}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ThreadsKnob of(Machine machine, String target, boolean force) {
    int colon = target.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("no process: " + target);
    }
    return new ThreadsKnob(
        machine.proc(),
        machine.affinity(),
        Integer.parseInt(target.substring(0, colon)),
        Long.parseLong(target.substring(colon + 1)),
        force);
  }

  @Override
  public KnobId<ThreadCpus> id() {
    return ID;
  }

  /** The process's number and start. */
  @Override
  public String target() {
    return pid + ":" + startTicks;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.LEASED;
  }

  @Override
  public ThreadCpus current() {
    try {
      Map<Integer, CpuSet> now = new HashMap<>();
      for (int tid : proc.threads(pid)) {
        allowed(tid).ifPresent(cpus -> now.put(tid, cpus));
      }
      return new ThreadCpus(now, List.of());
    } catch (IOException e) {
      throw new FailedWorkException(
          "its threads cannot be read: " + e, "process " + pid, "does it run?", e);
    }
  }

  /** Whether it is still the same process. */
  boolean lives() {
    return proc.startTicks(pid).orElse(-1) == startTicks;
  }

  @Override
  public Plan plan(ThreadCpus from, ThreadCpus to) {
    return new Plan(ID.name(), target(), to.text(), List.of(new Move(from, to)));
  }

  private Optional<CpuSet> allowed(int tid) {
    try {
      return Optional.of(proc.allowed(pid, tid));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** Moves a thread, if it runs elsewhere and still is there. */
  private void move(int tid, CpuSet cpus) {
    Optional<CpuSet> now = allowed(tid);
    if (now.isEmpty() || now.get().equals(cpus)) {
      return;
    }
    try {
      affinity.set(tid, cpus);
    } catch (IOException e) {
      if (allowed(tid).isPresent()) {
        throw new FailedWorkException(
            String.valueOf(e.getMessage()), "process " + pid, "see ./calando clocks", e);
      }
    }
  }

  private final class Move implements Plan.Action {
    private final ThreadCpus from;
    private final ThreadCpus to;
    private final AtomicBoolean performed = new AtomicBoolean();

    Move(ThreadCpus from, ThreadCpus to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public String name() {
      return "move";
    }

    @Override
    public String describe() {
      return "move the threads of process %d to processors %s"
          .formatted(pid, CpuSet.union(to.byThread().values()));
    }

    @Override
    public void perform() {
      to.byThread().forEach(ThreadsKnob.this::move);
      performed.set(true);
    }

    /** Never before it was performed: threads that are born later have to be taken back too. */
    @Override
    public boolean isDone() {
      ThreadCpus now = current();
      return performed.get()
          && to.byThread().entrySet().stream()
              .allMatch(
                  wanted ->
                      now.of(wanted.getKey())
                          .map(cpus -> cpus.without(wanted.getValue()).isEmpty())
                          .orElse(true));
    }

    @Override
    public void undo() {
      if (!lives()) {
        return;
      }
      CpuSet first = from.of(pid).orElse(CpuSet.none());
      List<String> left = new ArrayList<>();
      current()
          .byThread()
          .forEach((tid, now) -> restore(tid, now, from.of(tid).orElse(first), left));
      if (!left.isEmpty()) {
        throw new FailedWorkException(
            String.join("; ", left),
            "process " + pid,
            "./calando restore tries again, --force also puts back what others changed, --abandon"
                + " leaves it");
      }
    }

    private void restore(int tid, CpuSet now, CpuSet before, List<String> left) {
      if (before.isEmpty() || now.equals(before)) {
        return;
      }
      if (!to.covers(now) && !force) {
        left.add("somebody else moved thread " + tid + " to " + now + ", it was on " + before);
        return;
      }
      try {
        move(tid, before);
      } catch (FailedWorkException e) {
        left.add(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
  }
}
