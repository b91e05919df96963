package org.calando.study;

import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.report.column.RunRecord;

/** Carries out runs of a study, each from a clean table to its figures. */
interface RunExecutor {
  /**
   * Runs to the end.
   *
   * @param files where the run's rows go
   * @param heading begins each progress line
   * @throws BadRequestException if the table is not ours to use
   * @throws FailedWorkException if the run could not reach its measured window, or the table did
   *     not stay ours
   * @throws StopSignal.StoppedException if a stop was requested meanwhile
   */
  RunRecord execute(RunConfig run, RunFiles files, String heading) throws InterruptedException;
}
