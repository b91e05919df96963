package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.PhraseText;
import org.calando.engine.FileTarget;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.LoadResult;
import org.calando.load.Loop;
import org.calando.load.Measure;
import org.calando.load.Phase;
import org.calando.load.Recorder;
import org.calando.load.file.FileContent;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileLoadResult;
import org.calando.load.file.FileMix;
import org.calando.load.file.FileProgress;
import org.calando.load.file.FileStreams;
import org.calando.load.file.ThreadedFileSession;
import org.calando.report.column.FileFigures;
import org.calando.report.column.RunRecord;
import org.calando.study.load.FileData;
import org.calando.study.load.FileResults;
import org.calando.study.load.FileWindow;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.FileWork;

/*
 * The course of a run, which begins and ends with all nodes on:
 *
 *   prepare: files written, shift down, cache dropped | begin: idle baseline | carryOut | restore: shift up, catch-up
 *
 * The shifts are those of a run in a fixed lower gear, and its own costs: every such run pays the same, whatever ran
 * before it. A run with a policy begins in the highest gear; the shift back after it is nobody's.
 */
/** Reads, writes and searches files that are there. Not thread safe. */
final class FileRun implements RunProcedure.Work {
  private static final Duration GREP_DEADLINE = Duration.ofMinutes(30);
  private static final int MOST_IN_FLIGHT = 256;
  private static final int MOST_FILES = 1_000_000;
  private static final long DRAIN_NANOS = 30_000_000_000L;

  private final RunTask task;
  private final Cluster cluster;
  private final FileTarget target;
  private final RunGear gear;
  private final FileData data;
  private final FileWork work;
  private final List<String> notes = new ArrayList<>();
  private List<Object> figures = List.of();
  private Optional<String> failure = Optional.empty();
  private String folder = "";
  private long matches;

  /**
   * What all runs on a cluster have in common.
   *
   * @param data files that are there
   */
  record Cluster(FileTarget target, ClusterMetering metering, FileData data) {
    /** A cluster on which nothing is written yet. */
    static Cluster of(StudySpec study, FileTarget target, ClusterMetering metering) {
      int replication = target.replication();
      return new Cluster(target, metering, new FileData(target.files(), replication, study.seed()));
    }

    /** A run's work, which is interrupted when the user wishes it to end. */
    RunProcedure.Work work(RunTask task, RunParts watching) {
      RealSite.watch(target, task, watching);
      StopSignal.Registration registration =
          task.stop().onRequest(Thread.currentThread()::interrupt);
      watching.closes(registration::close);
      return new FileRun(task, this);
    }
  }

  private FileRun(RunTask task, Cluster cluster) {
    this.task = task;
    this.cluster = cluster;
    this.target = cluster.target();
    this.gear = new RunGear(task, target.gears());
    this.data = cluster.data();
    this.work = task.run().workload().fileWork().orElseThrow();
  }

  @Override
  public void prepare(RunParts parts) throws InterruptedException {
    if (!data.isPrepared(work)) {
      task.status("writing " + work.files() + " files");
      data.prepare(work);
    }
    folder = data.beginRun();
    gear.begin();
    if (work instanceof FileWork.Grep grep) {
      task.status("writing the new file");
      matches = data.writeNew(grep, PhraseText.pattern(task.run().seed()));
    }
    notes.addAll(target.dropCache());
  }

  @Override
  public void begin(RunParts parts) throws InterruptedException {
    RunMeter meter = RealSite.meter(cluster.metering(), task, parts, task.files()::row);
    if (work instanceof FileWork.Streams) {
      gear.tell(meter, parts);
    }
  }

  @Override
  public void carryOut(RunParts parts) throws InterruptedException {
    if (work instanceof FileWork.Streams streams) {
      load(streams, parts);
    } else {
      grep(parts);
    }
  }

  private void load(FileWork.Streams streams, RunParts parts) throws InterruptedException {
    FileMix mix = mix(task.run(), streams);
    try (ThreadedFileSession session =
            new ThreadedFileSession(target.files(), mix.slots(), "calando-files");
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-file-load")) {
      long begun = scheduler.clock().nanos();
      FileLoad load = FileLoad.start(mix, data.catalog(), session, scheduler);
      task.cluster().watch(load::stop);
      gear.pilot(parts, new LoadOfPeriod(load)::next);
      parts.loadBegins(begun);
      FileWindow window =
          FileWindow.begin(parts, scheduler, load, begun, mix.warmupNanos(), mix.durationNanos());
      FileLoadResult result = await(load);
      window.end();
      notes.addAll(FileResults.notes(result));
      LoadResult told = FileResults.of(result);
      FileResults.log(told, task.files().latencies());
      figures = List.of(told, new FileFigures(result.readBytes(), result.writtenBytes()));
      failure = FileResults.failure(result, task.study().maxErrors());
    }
  }

  /** Waits; what was interrupted ends the load. */
  private static FileLoadResult await(FileLoad load) throws InterruptedException {
    try {
      return load.await();
    } catch (InterruptedException e) {
      load.stop();
      throw e;
    }
  }

  private FileMix mix(RunConfig run, FileWork.Streams work) {
    Optional<FileStreams> streams =
        work.streams() == 0
            ? Optional.empty()
            : Optional.of(
                new FileStreams(
                    work.streams(),
                    work.streamBytesPerSecond(),
                    work.streamFileBytes(),
                    work.pieceBytes(),
                    MOST_FILES,
                    data.shape(work),
                    folder,
                    FileContent.phrases(run.seed())));
    return new FileMix(
        Optional.of(reads(run)),
        streams,
        run.workload().warmUp().nanos(),
        run.durationNanos(),
        DRAIN_NANOS,
        DRAIN_NANOS,
        run.seed());
  }

  private static Loop reads(RunConfig run) {
    return RunLoad.loop(run) instanceof Loop.Open open
        ? new Loop.Open(
            open.arrivals(), Math.min(open.maxInFlight(), MOST_IN_FLIGHT), open.clients())
        : RunLoad.loop(run);
  }

  private void grep(RunParts parts) {
    notes.add("the grep's own process is in no energy figure, and not in client_cpu_s");
    Recorder recorder = new Recorder(parts, task.files().latencies(), System.currentTimeMillis());
    long fromNanos = System.nanoTime();
    parts.loadBegins(fromNanos);
    recorder.begin(fromNanos);
    recorder.measurementBegan(fromNanos);
    long bytes = 0;
    for (long i = 0; i < task.run().operations(); i++) {
      task.stop().check();
      FileTarget.Grep result = grep();
      bytes += result.bytes();
      recorder.success(Phase.MEASURED, Measure.READ, Math.round(result.seconds() * 1e9));
      recorder.interval(System.nanoTime());
    }
    long toNanos = System.nanoTime();
    recorder.measurementEnded(toNanos);
    figures =
        List.of(
            new LoadResult(
                EndReason.OPERATIONS_DONE,
                "all greps have ended",
                0,
                task.run().operations(),
                0,
                0,
                0,
                Map.of(),
                fromNanos,
                toNanos,
                Backlog.NONE,
                recorder.totals()),
            new FileFigures(bytes, 0));
  }

  private FileTarget.Grep grep() {
    RunConfig run = task.run();
    FileTarget.Grep result =
        target.grep(PhraseText.pattern(run.seed()), run.threads().orElse(1), GREP_DEADLINE);
    if (result.matches() != matches) {
      throw new FailedWorkException(
          "grep found " + result.matches() + " matches, and there are " + matches,
          "run " + run.id(),
          "blocks may be lost: see the cluster's logs, and repeat it with --resume");
    }
    return result;
  }

  @Override
  public void record(RunRecord found) {
    figures.forEach(found::add);
    found.note(notes);
    failure.ifPresent(found::fail);
  }

  @Override
  public void restore(RunRecord found) throws InterruptedException {
    gear.restore(found);
    data.endRun();
  }

  /** What has been read and written since the last question, each piece an operation. */
  private static final class LoadOfPeriod {
    private final FileLoad load;
    private FileProgress last;
    private long lastNanos = System.nanoTime();

    LoadOfPeriod(FileLoad load) {
      this.load = load;
      this.last = load.progress();
    }

    synchronized Optional<GearObservation.Load> next() {
      long now = System.nanoTime();
      FileProgress progress = load.progress();
      double seconds = (now - lastNanos) / 1e9;
      double pieces =
          progress.reads()
              + progress.writes()
              + progress.errors()
              - (last.reads() + last.writes() + last.errors());
      double written = progress.writtenBytes() - last.writtenBytes();
      last = progress;
      lastNanos = now;
      return Optional.of(new GearObservation.Load(now, pieces / seconds, written / seconds));
    }
  }
}
