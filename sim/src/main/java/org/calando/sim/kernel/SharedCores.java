package org.calando.sim.kernel;

import java.util.Arrays;
import java.util.function.IntConsumer;

/*
 * Virtual time v is the work that each runnable thread has been given since the begin:
 *
 *   dv/dt = min(1, cores / runnable)
 *
 * A thread that starts at v0 with work w is done at v = v0 + w, whatever starts or ends meanwhile, so a heap by that
 * sum is all there is to keep. Core time of an owner is the integral of its runnable threads over v: a sum of the v at which
 * one ended, less that of the v at which one started.
 *
 * One event is due for the thread that is next. Where a start makes that later, the event comes too early and is set again;
 * where one makes it sooner, the former event comes as one of an earlier turn and is passed over.
 */
/**
 * Cores that all runnable threads share fairly (processor sharing), as by a scheduler with slices
 * that are short beside the work. A change costs the logarithm of the threads. Not thread safe.
 */
public final class SharedCores {
  /** Of work in nanoseconds: below what events can tell, above what sums of doubles lose. */
  private static final double ROUNDING = 1e-3;

  private static final int FIRST_LENGTH = 16;

  private final Simulation simulation;
  private final int cores;
  private final int handler;
  private final IntConsumer done;
  private final double[] ownWork;
  private final int[] ownThreads;

  private double[] ends = new double[FIRST_LENGTH];
  private int[] jobs = new int[FIRST_LENGTH];
  private int[] owners = new int[FIRST_LENGTH];
  private int runnable;

  private double virtualNanos;
  private long sinceNanos;
  private long dueNanos = Long.MAX_VALUE;
  private int turn;

  /**
   * Cores without work.
   *
   * @param cores 1 or more
   * @param owners that threads may have: 0 .. owners - 1
   * @param done told of each job whose work is done, which is not runnable any more
   */
  public SharedCores(Simulation simulation, int cores, int owners, IntConsumer done) {
    if (cores < 1) {
      throw new IllegalArgumentException(cores + " cores");
    }
    this.simulation = simulation;
    this.cores = cores;
    this.done = done;
    this.ownWork = new double[owners];
    this.ownThreads = new int[owners];
    this.handler = simulation.register((kind, payload) -> handle(payload));
    this.sinceNanos = simulation.nowNanos();
  }

  /**
   * A thread becomes runnable at the present time.
   *
   * @param job told when its work is done
   * @param owner whose core time it is
   * @param workNanos core time until then, 0 or more
   */
  public void start(int job, int owner, long workNanos) {
    advance();
    if (runnable == jobs.length) {
      ends = Arrays.copyOf(ends, 2 * runnable);
      jobs = Arrays.copyOf(jobs, 2 * runnable);
      owners = Arrays.copyOf(owners, 2 * runnable);
    }
    ownWork[owner] -= virtualNanos;
    ownThreads[owner]++;
    up(runnable++, virtualNanos + workNanos, job, owner);
    plan();
  }

  /** Takes an owner's threads away without the rest of their work; returns their jobs. */
  public int[] remove(int owner) {
    advance();
    int[] removed = new int[ownThreads[owner]];
    int left = 0;
    for (int i = 0; i < runnable; i++) {
      if (owners[i] == owner) {
        removed[i - left] = jobs[i];
      } else {
        // What is left of a heap is one again once each has found its place among those before it.
        up(left++, ends[i], jobs[i], owners[i]);
      }
    }
    runnable = left;
    ownWork[owner] += virtualNanos * removed.length;
    ownThreads[owner] = 0;
    plan();
    return removed;
  }

  /** Threads beyond the number of cores. */
  public int crowd() {
    return Math.max(0, runnable - cores);
  }

  /** Core time of an owner's threads up to the present time. */
  public long busyNanos(int owner) {
    advance();
    return StrictMath.round(ownWork[owner] + virtualNanos * ownThreads[owner]);
  }

  private void handle(int ofTurn) {
    if (ofTurn != turn) {
      return;
    }
    dueNanos = Long.MAX_VALUE;
    advance();
    while (runnable > 0 && ends[0] <= virtualNanos + ROUNDING) {
      int job = jobs[0];
      int owner = owners[0];
      removeFirst();
      ownWork[owner] += virtualNanos;
      ownThreads[owner]--;
      done.accept(job);
    }
    plan();
  }

  private void advance() {
    long now = simulation.nowNanos();
    if (now > sinceNanos) {
      if (runnable > 0) {
        virtualNanos += (now - sinceNanos) * share();
      }
      sinceNanos = now;
    }
  }

  private double share() {
    return runnable <= cores ? 1 : (double) cores / runnable;
  }

  /** Has an event come no later than the first thread is done. */
  private void plan() {
    if (runnable == 0) {
      return;
    }
    double left = Math.max(0, ends[0] - virtualNanos - ROUNDING);
    long at = sinceNanos + (long) StrictMath.ceil(left / share());
    if (at < dueNanos) {
      dueNanos = at;
      simulation.schedule(at, handler, 0, ++turn);
    }
  }

  private void removeFirst() {
    int last = --runnable;
    double end = ends[last];
    int job = jobs[last];
    int owner = owners[last];
    int at = 0;
    int child = 1;
    while (child < last) {
      if (child + 1 < last && ends[child + 1] < ends[child]) {
        child++;
      }
      if (ends[child] >= end) {
        break;
      }
      put(at, ends[child], jobs[child], owners[child]);
      at = child;
      child = 2 * at + 1;
    }
    put(at, end, job, owner);
  }

  private void up(int from, double end, int job, int owner) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (ends[parent] <= end) {
        break;
      }
      put(at, ends[parent], jobs[parent], owners[parent]);
      at = parent;
    }
    put(at, end, job, owner);
  }

  private void put(int at, double end, int job, int owner) {
    ends[at] = end;
    jobs[at] = job;
    owners[at] = owner;
  }
}
