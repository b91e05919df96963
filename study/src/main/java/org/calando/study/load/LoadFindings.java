package org.calando.study.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.store.Session;
import org.calando.core.workload.Staleness;
import org.calando.core.workload.Workload;
import org.calando.load.Backlog;
import org.calando.load.LoadResult;

/** What a load says of the figures of its run. Stateless. */
public final class LoadFindings {
  private static final double LATE_SHARE_WORTH_A_NOTE = 0.01;

  private LoadFindings() {}

  /**
   * Why the figures are not to be trusted; empty if they are.
   *
   * @param maxErrors share of the operations that may fail
   */
  public static Optional<String> failure(
      Workload workload, LoadResult result, Staleness staleness, double maxErrors) {
    if (!result.reason().isComplete()) {
      return Optional.of(result.message());
    }
    Optional<String> errors = errors(result, maxErrors, result.errorsByOutcome().toString());
    if (errors.isPresent()) {
      return errors;
    }
    if (staleness.foreignReads() > 0) {
      return Optional.of("somebody else wrote to table " + workload.table() + " during the run");
    }
    if (result.notFound() > 0 && workload.mix().insert() == 0) {
      return Optional.of(
          result.notFound()
              + " reads found no record: somebody else emptied table "
              + workload.table()
              + " during the run, or replicas lost what they had acknowledged");
    }
    return Optional.empty();
  }

  /**
   * Whether too many operations failed for the figures to be those of the others.
   *
   * @param why they did
   */
  public static Optional<String> errors(LoadResult result, double maxErrors, String why) {
    long all = result.operations();
    if (all > 0 && result.errors() == all) {
      return Optional.of("every operation failed: " + why);
    }
    return result.errors() > maxErrors * all
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%.2f %% of the operations failed, and %.2f %% may (max-errors): %s",
                100.0 * result.errors() / all,
                100 * maxErrors,
                why))
        : Optional.empty();
  }

  /** What a reader should know. */
  public static List<String> notes(LoadResult result, Staleness staleness, Session session) {
    List<String> notes = new ArrayList<>();
    if (result.errors() > 0) {
      notes.add("errors by outcome: " + result.errorsByOutcome());
      notes.addAll(session.errors());
    }
    notes.addAll(backlog(result.backlog()));
    if (staleness.untrackedReads() > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%.1f %% of the reads were checked: the oracle has no memory for all keys",
              staleness.trackedCoverage() * 100));
    }
    return notes;
  }

  /** How far an open loop fell behind, if it did by more than a trifle. */
  public static List<String> backlog(Backlog backlog) {
    List<String> notes = new ArrayList<>();
    long intended = backlog.intended();
    if (intended > 0 && backlog.late() > intended * LATE_SHARE_WORTH_A_NOTE) {
      notes.add(
          "%d of %d operations started more than 1 ms late, %d ms at most"
              .formatted(backlog.late(), intended, backlog.maxLateNanos() / 1_000_000));
    }
    if (backlog.neverStarted() > 0) {
      notes.add(
          backlog.neverStarted()
              + " operations never started: the store did not keep up with the rate");
    }
    return notes;
  }
}
