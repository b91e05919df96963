package org.calando.study;

import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;
import org.calando.study.event.ClusterWatch;
import org.calando.studyfile.StudySpec;

/*
 * The course of a run, in real time or in simulated time:
 *
 *   prepare: records or files | begin: clocks settle, idle baseline | warm-up | measured | drain | end, record | restore
 *                                                    ^ sampler starts         ^          ^
 *                                                                             edges are read here
 *
 * A simulated run begins at rest with all records on all replicas, and nothing of it depends on the machine, its clock or
 * other runs: the same run gives the same bytes wherever, whenever and beside whatever it is carried out.
 */
/**
 * Carries out runs of a study, each to its figures. As thread safe as the works that it is given.
 */
final class RunProcedure {
  private final StudySpec study;
  private final Works works;
  private final StopSignal stop;
  private final Progress progress;

  /** Where runs are carried out: real clusters, or simulated ones. */
  @FunctionalInterface
  interface Works {
    /**
     * What a run is to do.
     *
     * @param watching is closed after all parts of the run
     */
    Work of(RunTask task, RunParts watching);
  }

  /** What one run does. It is the first of the run's parts, to which it adds those beside it. */
  interface Work extends RunPart {
    /** Makes the cluster what every run begins with: its records or files are there, at rest. */
    void prepare(RunParts parts) throws InterruptedException;

    /** Begins what goes on beside the load: when it returns, all but the load is under way. */
    void begin(RunParts parts) throws InterruptedException;

    /** Puts the load on the cluster, and returns when it is over. */
    void carryOut(RunParts parts) throws InterruptedException;

    /** Leaves the cluster as every run finds it; all parts are closed. */
    default void restore(RunRecord found) throws InterruptedException {}
  }

  RunProcedure(StudySpec study, Works works, StopSignal stop, Progress progress) {
    this.study = study;
    this.works = works;
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * Carries out a run.
   *
   * @param files where the run's rows go
   * @param heading begins each progress line
   * @throws BadRequestException if the table is not ours to use
   * @throws FailedWorkException if the run could not reach its measured window, or the table did
   *     not stay ours
   * @throws StopSignal.StoppedException if a stop was requested meanwhile
   */
  RunRecord execute(RunConfig run, RunFiles files, String heading) throws InterruptedException {
    ClusterWatch cluster = new ClusterWatch();
    try (RunParts watching = new RunParts()) {
      stop.check();
      RunTask task = new RunTask(study, run, files, cluster, stop, progress, heading);
      return execute(task, works.of(task, watching));
    } catch (InterruptedException e) {
      stop.check();
      throw e;
    } catch (FailedWorkException e) {
      stop.check();
      throw cluster.explain(e, run.id());
    } catch (CalandoException e) {
      stop.check(); // what was asked when the user ended the study fails in its own way
      throw e;
    }
  }

  private RunRecord execute(RunTask task, Work work) throws InterruptedException {
    RunRecord found = new RunRecord();
    try (RunParts parts = new RunParts(task.files())) {
      parts.add(work);
      work.prepare(parts);
      stop.check();
      work.begin(parts);
      work.carryOut(parts);
      stop.check();
      parts.end();
      task.cluster().failure().ifPresent(found::fail);
      parts.record(found);
    }
    work.restore(found);
    return found;
  }
}
