package org.calando.gears;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.Transfer;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * Transfers of one block are one job, done in their order: a copy that another replica's going depends on comes first. A
 * job waits until each node that it needs has a place free, so that no node sends or gets more at a time than it may.
 */
/**
 * Carries transfers out, several at a time, each node in few of them. For one call of {@link
 * #carryOut}.
 */
final class TransferWorkers {
  private static final int MOST_THREADS = 32;
  private static final int TRIES = 30;
  private static final long BUSY_MILLIS = 100;
  private static final int MOST_TROUBLES = 5;

  private final GearMeans means;
  private final Map<Long, StoredBlock> blocks;
  private final Deque<Job> waiting = new ArrayDeque<>();
  private final Map<Integer, Integer> atWork = new HashMap<>();
  private final List<String> troubles = new ArrayList<>();
  private final long allBytes;
  private final List<Transfer> done = new ArrayList<>();
  private long doneBytes;
  private long failed;
  private long freeFromNanos = System.nanoTime();
  private boolean stopped;

  /** The transfers of a block. */
  private static final class Job {
    final StoredBlock block;
    final Deque<Transfer> left = new ArrayDeque<>();
    int tries;
    long notBeforeNanos = System.nanoTime();

    Job(StoredBlock block) {
      this.block = block;
    }
  }

  /**
   * Workers for these transfers.
   *
   * @param blocks by their id, at least those of the transfers
   */
  TransferWorkers(GearMeans means, Map<Long, StoredBlock> blocks, List<Transfer> all) {
    this.means = means;
    this.blocks = blocks;
    this.allBytes = all.stream().mapToLong(Transfer::bytes).sum();
    Map<Long, Job> jobs = new HashMap<>();
    for (Transfer transfer : all) {
      Job job = jobs.get(transfer.id());
      if (job == null) {
        StoredBlock block = this.blocks.get(transfer.id());
        if (block == null) {
          throw new IllegalArgumentException("no block " + transfer.id());
        }
        job = new Job(block);
        jobs.put(transfer.id(), job);
        waiting.add(job);
      }
      job.left.add(transfer);
    }
  }

  /** Returns when all are done or have failed. */
  void carryOut() throws InterruptedException {
    int most = means.catchUp().perNode() * means.groups().nodes();
    int count = Math.max(1, Math.min(MOST_THREADS, Math.min(most, waiting.size())));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(DaemonThread.start("calando-catch-up-" + i, this::work));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      synchronized (this) {
        stopped = true;
        notifyAll();
      }
    }
  }

  synchronized long doneBytes() {
    return doneBytes;
  }

  /** Those that were carried out, in no order. */
  synchronized List<Transfer> done() {
    return List.copyOf(done);
  }

  synchronized long failed() {
    return failed;
  }

  /** What went wrong, some of it. */
  synchronized List<String> troubles() {
    return List.copyOf(troubles);
  }

  private void work() {
    try {
      for (Job job = take(); job != null; job = take()) {
        Transfer transfer = job.left.element();
        GearCluster.Outcome outcome = null;
        String trouble = "";
        try {
          outcome = perform(job, transfer);
        } catch (CalandoException e) {
          trouble = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
          // Of the store's client: its job is one that failed, and the others go on.
          trouble = e.toString();
        }
        end(job, transfer, outcome, trouble);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private GearCluster.Outcome perform(Job job, Transfer transfer) throws InterruptedException {
    pace(transfer.bytes());
    return means
        .cluster()
        .transfer(
            job.block,
            transfer.from().orElse(transfer.source()),
            transfer.source(),
            transfer.to(),
            means.patience().transfer());
  }

  /** Keeps to the limit of bytes: a transfer begins when those before it would be through. */
  private void pace(long bytes) throws InterruptedException {
    long rate = means.catchUp().bytesPerSecond();
    if (rate == 0) {
      return;
    }
    long begin;
    synchronized (this) {
      begin = Math.max(freeFromNanos, System.nanoTime());
      freeFromNanos = begin + (long) (bytes * 1e9 / rate);
    }
    long millis = (begin - System.nanoTime()) / 1_000_000;
    if (millis > 0) {
      Thread.sleep(millis);
    }
  }

  private synchronized @Nullable Job take() throws InterruptedException {
    while (!stopped && !(waiting.isEmpty() && atWork.isEmpty())) {
      long now = System.nanoTime();
      for (Iterator<Job> jobs = waiting.iterator(); jobs.hasNext(); ) {
        Job job = jobs.next();
        Transfer next = job.left.element();
        if (now - job.notBeforeNanos >= 0 && isFree(next.source()) && isFree(next.to())) {
          jobs.remove();
          atWork.merge(next.source(), 1, Integer::sum);
          atWork.merge(next.to(), 1, Integer::sum);
          return job;
        }
      }
      wait(BUSY_MILLIS);
    }
    return null;
  }

  private boolean isFree(int node) {
    return atWork.getOrDefault(node, 0) < means.catchUp().perNode();
  }

  private synchronized void end(
      Job job, Transfer transfer, GearCluster.@Nullable Outcome outcome, String trouble) {
    leave(transfer.source());
    leave(transfer.to());
    if (outcome == GearCluster.Outcome.BUSY && job.tries++ < TRIES) {
      job.notBeforeNanos = System.nanoTime() + BUSY_MILLIS * 1_000_000 * job.tries;
      waiting.addLast(job);
    } else if (outcome == GearCluster.Outcome.DONE || outcome == GearCluster.Outcome.WAS_THERE) {
      job.left.remove();
      if (outcome == GearCluster.Outcome.DONE) {
        done.add(transfer);
        doneBytes += transfer.bytes();
      }
      means.news().caughtUp(doneBytes, allBytes);
      if (!job.left.isEmpty()) {
        waiting.addFirst(job);
      }
    } else if (outcome != GearCluster.Outcome.GONE) {
      failed++;
      if (troubles.size() < MOST_TROUBLES) {
        String why = outcome == null ? trouble : "nodes are busy";
        troubles.add(job.block.path() + " block " + job.block.index() + ": " + why);
      }
    }
    notifyAll();
  }

  private void leave(int node) {
    atWork.computeIfPresent(node, (key, count) -> count == 1 ? null : count - 1);
  }
}
