package org.calando.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.calando.bench.gear.CatchUpPair;
import org.calando.core.FailedWorkException;

/** Does something with pairs of nodes, a node taking part in no more at a time than it may. */
public final class PairedWork {
  private static final int MOST_THREADS = 32;

  private final int nodes;
  private final int perNode;

  /**
   * For a number of nodes.
   *
   * @param perNode at a time
   */
  public PairedWork(int nodes, int perNode) {
    this.nodes = nodes;
    this.perNode = perNode;
  }

  /**
   * Does all, and returns when all are done.
   *
   * @throws FailedWorkException if one failed
   */
  public void each(List<CatchUpPair> pairs, Consumer<CatchUpPair> work)
      throws InterruptedException {
    List<Semaphore> free = new ArrayList<>();
    for (int node = 0; node <= nodes; node++) {
      free.add(new Semaphore(perNode));
    }
    int threads = Math.min(MOST_THREADS, Math.min(pairs.size(), perNode * nodes));
    ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, threads));
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (CatchUpPair pair : pairs) {
        ends.add(
            pool.submit(
                () -> {
                  // The lower node first, so that no two wait for each other.
                  Semaphore low = free.get(Math.min(pair.source(), pair.target()));
                  Semaphore high = free.get(Math.max(pair.source(), pair.target()));
                  low.acquire();
                  high.acquire();
                  try {
                    work.accept(pair);
                  } finally {
                    high.release();
                    low.release();
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw new FailedWorkException(
          String.valueOf(e.getCause()), "bench/catchup", "see the cause", e);
    } finally {
      pool.shutdownNow();
    }
  }
}
