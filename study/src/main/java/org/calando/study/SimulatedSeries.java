package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.Spoken;
import org.calando.load.LoadResult;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Carries out simulated runs, several at once, each on one thread and into its own folder. A run
 * that fails does not stop the others. Use once, by one thread.
 */
final class SimulatedSeries {
  /** Runs of a study that are told a line each. */
  private static final int FEW_RUNS = 40;

  private static final long STATUS_MILLIS = 500;
  private static final long RESULTS_NANOS = 2_000_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;
  private static final long END_SECONDS = 60;

  private final RunKeeper keeper;
  private final RunProcedure procedure;
  private final RunSummary summaries;
  private final Progress progress;
  private final StopSignal stop;
  private final int jobs;
  private int done;

  /** What became of a run: its summary, or what ends the whole series. */
  private record Ended(
      RunConfig run, @Nullable ObjectNode summary, @Nullable RuntimeException fatal) {}

  SimulatedSeries(
      RunKeeper keeper,
      RunProcedure procedure,
      RunSummary summaries,
      Progress progress,
      StopSignal stop,
      int jobs) {
    this.keeper = keeper;
    this.procedure = procedure;
    this.summaries = summaries;
    this.progress = progress;
    this.stop = stop;
    this.jobs = jobs;
  }

  /**
   * Carries out the runs that are left, in their order as far as there are threads for them.
   *
   * @param before number of the study's runs that are finished
   * @param nowAndThen called by this thread after runs were put into their places, every few
   *     seconds
   * @throws org.calando.core.FailedWorkException if the study's folder cannot be written
   * @throws StopSignal.StoppedException if a stop was requested
   */
  void carryOut(List<RunConfig> left, int before, Runnable nowAndThen) throws InterruptedException {
    int threads = Math.min(jobs, left.size());
    BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    AtomicInteger next = new AtomicInteger();
    AtomicInteger number = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, work -> DaemonThread.of("calando-sim-" + number.incrementAndGet(), work));
    try {
      for (int i = 0; i < threads; i++) {
        pool.execute(() -> work(left, next, ended));
      }
      follow(left, before, ended, nowAndThen);
    } catch (StopSignal.StoppedException e) {
      if (done > 0) {
        nowAndThen.run();
      }
      throw e;
    } catch (RuntimeException e) {
      tellWhatIsDone(nowAndThen, e);
      throw e;
    } finally {
      next.set(left.size());
      pool.shutdownNow();
      // What is under way must not write once the folder is somebody else's.
      pool.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Tells of what was done before the series failed, as far as that can still be written. */
  private void tellWhatIsDone(Runnable nowAndThen, RuntimeException end) {
    if (done > 0) {
      try {
        nowAndThen.run();
      } catch (RuntimeException e) {
        end.addSuppressed(e);
      }
    }
  }

  /** The course of a thread: the next run, until there is none. */
  private void work(List<RunConfig> left, AtomicInteger next, BlockingQueue<Ended> ended) {
    for (int i = next.getAndIncrement(); i < left.size(); i = next.getAndIncrement()) {
      RunConfig run = left.get(i);
      try {
        ObjectNode summary = keeper.keep(run, files -> attempt(run, files), folder -> {});
        ended.add(new Ended(run, summary, null));
      } catch (RuntimeException e) {
        ended.add(new Ended(run, null, e));
        return;
      } catch (Error e) {
        // Nobody else would hear of it, and the study would wait for this run for ever.
        ended.add(new Ended(run, null, broken(run, e)));
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static FailedWorkException broken(RunConfig run, Error error) {
    return new FailedWorkException(
        "the run broke off: " + error,
        "run " + run.id(),
        "continue with --resume, with fewer --jobs if memory is short",
        error);
  }

  private ObjectNode attempt(RunConfig run, RunFiles files) throws InterruptedException {
    try {
      RunRecord found = procedure.execute(run, files, "");
      long toNanos = found.find(LoadResult.class).map(LoadResult::measuredToNanos).orElse(0L);
      Instant end = Instant.EPOCH.plusNanos(toNanos);
      return summaries.measured(run, found, Instant.EPOCH, end);
    } catch (StopSignal.StoppedException e) {
      throw e;
    } catch (CalandoException e) {
      return failed(run, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return failed(run, "the simulator failed, which is a defect of it: " + e);
    } catch (OutOfMemoryError e) {
      return failed(run, "the run has not enough memory; use fewer --jobs, or fewer records");
    }
  }

  private ObjectNode failed(RunConfig run, String message) {
    return summaries.failed(run, message, Instant.EPOCH, Instant.EPOCH);
  }

  /** Tells of runs as they end, until all have or one thing ends them all. */
  private void follow(
      List<RunConfig> left, int before, BlockingQueue<Ended> ended, Runnable nowAndThen)
      throws InterruptedException {
    long begunNanos = System.nanoTime();
    long resultsNanos = begunNanos;
    long lineNanos = begunNanos;
    int all = before + left.size();
    while (done < left.size()) {
      stop.check();
      Ended next = ended.poll(STATUS_MILLIS, TimeUnit.MILLISECONDS);
      long now = System.nanoTime();
      String where = "[%d/%d] ".formatted(before + done + (next == null ? 0 : 1), all);
      if (next != null) {
        if (next.fatal() != null) {
          throw next.fatal();
        }
        done++;
        tell(where, next, all <= FEW_RUNS);
        if (now - resultsNanos >= RESULTS_NANOS) {
          nowAndThen.run();
          resultsNanos = System.nanoTime();
        }
      }
      String rest = where + "runs simulated" + timeLeft(now - begunNanos, done, left.size());
      progress.status(rest);
      if (all > FEW_RUNS && now - lineNanos >= LINE_NANOS) {
        progress.plain(rest);
        lineNanos = now;
      }
    }
  }

  private void tell(String where, Ended run, boolean each) {
    ObjectNode summary = run.summary();
    if (summary != null && (each || !RunKeeper.isOk(summary))) {
      progress.line(where + run.run().words() + ": " + RunKeeper.outcome(summary));
    }
  }

  private static String timeLeft(long nanos, int done, int of) {
    if (done == 0 || done == of) {
      return "";
    }
    Duration rest = Duration.ofNanos(nanos / done * (of - done));
    return ", about " + Spoken.of(rest) + " left";
  }
}
