package org.calando.load.internal;

import java.util.Locale;
import org.calando.load.EndReason;
import org.calando.load.LoadResult;
import org.calando.load.LoadSpec;
import org.calando.load.Phase;
import org.calando.load.Recorder;

/** Puts together what a run did, once it is drained. */
final class Results {
  private Results() {}

  static LoadResult of(Run run, EndReason reason) {
    Recorder recorder = run.recorder();
    long from = from(run);
    return new LoadResult(
        reason,
        message(run.spec(), reason),
        recorder.operations(Phase.WARMUP),
        recorder.operations(Phase.MEASURED),
        recorder.errors(Phase.MEASURED),
        run.unanswered(),
        recorder.notFounds(Phase.MEASURED),
        recorder.errorsByOutcome(),
        from,
        Math.max(from, to(run, reason)),
        run.source().backlog(),
        recorder.totals());
  }

  /** A run that ended in the warm-up has an empty window at its end. */
  private static long from(Run run) {
    return run.window().hasBegin()
        ? Math.min(run.window().fromNanos(), run.endedNanos())
        : run.endedNanos();
  }

  private static long to(Run run, EndReason reason) {
    return switch (reason) {
      case DURATION_OVER -> Math.max(run.window().toNanos(), run.windowFlushedNanos());
      case OPERATIONS_DONE, ARRIVALS_EXHAUSTED -> lastEnd(run);
      case STOPPED, NO_SUCCESS, INTERNAL_ERROR ->
          Math.min(run.endedNanos(), run.window().toNanos());
    };
  }

  private static long lastEnd(Run run) {
    long last = run.flushedNanos();
    for (Slot slot : run.slots()) {
      last = Math.max(last, slot.lastMeasuredEndNanos());
    }
    return last == Long.MIN_VALUE ? run.endedNanos() : last;
  }

  private static String message(LoadSpec spec, EndReason reason) {
    return switch (reason) {
      case OPERATIONS_DONE -> "all " + spec.operations() + " operations were started";
      case DURATION_OVER -> "the measured time of " + seconds(spec.durationNanos()) + " is over";
      case ARRIVALS_EXHAUSTED -> "the arrival process has no further arrivals";
      case STOPPED -> "the run was stopped";
      case NO_SUCCESS -> "no operation succeeded for " + seconds(spec.giveUpNanos());
      case INTERNAL_ERROR -> "the load generator failed";
    };
  }

  private static String seconds(long nanos) {
    String text = String.format(Locale.ROOT, "%.3f", nanos / 1e9);
    return text.replaceAll("\\.?0+$", "") + " s";
  }
}
