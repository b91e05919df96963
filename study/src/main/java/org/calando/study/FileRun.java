package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.PhraseText;
import org.calando.engine.FileTarget;
import org.calando.engine.GearControl;
import org.calando.engine.NodePresence;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.Interval;
import org.calando.load.LoadResult;
import org.calando.load.Loop;
import org.calando.load.Measure;
import org.calando.load.Phase;
import org.calando.load.Recorder;
import org.calando.load.file.FileContent;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileLoadResult;
import org.calando.load.file.FileMix;
import org.calando.load.file.FileStreams;
import org.calando.load.file.ThreadedFileSession;
import org.calando.report.column.FileFigures;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;
import org.calando.studyfile.FileWork;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/*
 * The course of a run, which begins and ends with all nodes on:
 *
 *   files written | shift down | cache dropped | idle baseline | warm-up | measured | drain | shift up, catch-up
 *                                                ^ sampler starts         ^          ^
 *                                                                         edges are read here
 *
 * The shifts are those of a run in a fixed lower gear, and its own costs: every such run pays the same, whatever ran
 * before it. A run with a policy begins in the highest gear; the shift back after it is nobody's.
 */
/** Carries out one run on files, from files that are there to its figures. Not thread safe. */
final class FileRun implements RunExecutor {
  private static final Duration GREP_DEADLINE = Duration.ofMinutes(30);
  private static final int MOST_IN_FLIGHT = 256;
  private static final int MOST_FILES = 1_000_000;
  private static final long DRAIN_NANOS = 30_000_000_000L;

  private final StudySpec study;
  private final FileTarget target;
  private final ClusterMetering metering;
  private final StopSignal stop;
  private final Progress progress;
  private final GearControl box;
  private final FileData data;

  FileRun(
      StudySpec study,
      FileTarget target,
      ClusterMetering metering,
      StopSignal stop,
      Progress progress) {
    this.study = study;
    this.target = target;
    this.metering = metering;
    this.stop = stop;
    this.progress = progress;
    this.box = target.gears();
    this.data = new FileData(target.files(), box.replication(), study.seed());
  }

  @Override
  public RunRecord execute(RunConfig run, RunFiles files, String heading)
      throws InterruptedException {
    ClusterWatch cluster = new ClusterWatch();
    target.onProcessEnd(cluster);
    Thread caller = Thread.currentThread();
    StopSignal.Registration registration = stop.onRequest(caller::interrupt);
    try {
      stop.check();
      return execute(run, files, heading, cluster);
    } catch (InterruptedException e) {
      stop.check();
      throw e;
    } catch (FailedWorkException e) {
      stop.check();
      throw cluster.explain(e, run.id());
    } catch (CalandoException e) {
      stop.check(); // who was asked when the user ended the study fails in his own way
      throw e;
    } finally {
      registration.close();
      target.onProcessEnd(process -> {});
    }
  }

  private RunRecord execute(RunConfig run, RunFiles files, String heading, ClusterWatch cluster)
      throws InterruptedException {
    FileWork work = run.workload().fileWork().orElseThrow();
    if (!data.isPrepared(work)) {
      progress.status(heading + "writing " + work.files() + " files");
      data.prepare(work);
    }
    String folder = data.beginRun();
    List<GearShift> shifts = new ArrayList<>();
    int gear = fixedGear(run);
    if (gear < box.highest()) {
      progress.status(heading + "shifting down to gear " + gear);
      shifts.add(box.shift(gear));
    }
    RunRecord found =
        work instanceof FileWork.Grep grep
            ? grep(run, grep, files, heading, cluster)
            : load(run, (FileWork.Streams) work, folder, files, heading, cluster);
    if (box.gear() < box.highest()) {
      progress.status(heading + "shifting up to gear " + box.highest());
      GearShift back = box.shift(box.highest());
      if (gear < box.highest()) {
        shifts.add(back);
      }
    }
    data.endRun();
    if (found.find(GearFigures.class).isEmpty() && run.gear().isPresent()) {
      found.add(GearFigures.of(shifts));
    }
    return found;
  }

  /** The gear that the run goes on in; the highest where a policy chooses, or nothing is said. */
  private int fixedGear(RunConfig run) {
    return run.gear()
        .filter(choice -> choice.kind() == GearChoice.Kind.FIXED)
        .map(GearChoice::gear)
        .orElse(box.highest());
  }

  private RunRecord load(
      RunConfig run,
      FileWork.Streams work,
      String folder,
      RunFiles files,
      String heading,
      ClusterWatch cluster)
      throws InterruptedException {
    List<String> notes = new ArrayList<>(target.dropCache());
    FileMix mix = mix(run, work, folder);
    try (ThreadedFileSession session =
            new ThreadedFileSession(target.files(), mix.slots(), "calando-files");
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-file-load");
        RunMeter meter = metering.open(files::row)) {
      progress.status(heading + "measuring idle power");
      meter.baseline(study.power().baselineNanos(), stop);
      RunWatch watch = new RunWatch(run, files, meter, progress, heading);
      box.tell(meter);
      long begun = scheduler.clock().nanos();
      FileLoad load = FileLoad.start(mix, data.catalog(), session, scheduler);
      cluster.watch(load::stop);
      FileLoadResult result;
      @Nullable GearFigures figures = null;
      try (@Nullable GearPilot pilot = pilot(run, load, files, cluster)) {
        if (pilot != null) {
          watch.tell(pilot);
        }
        FileWindow window =
            FileWindow.begin(watch, scheduler, load, begun, mix.warmupNanos(), mix.durationNanos());
        result = await(load);
        window.end();
        meter.end();
        if (pilot != null) {
          figures = pilot.end();
        }
      } finally {
        box.tell(NodePresence.IGNORED);
      }
      notes.addAll(meter.notes());
      notes.addAll(FileResults.notes(result));
      LoadResult told = FileResults.of(result);
      FileResults.log(told, files.latencies());
      return measured(
          told,
          new FileFigures(result.readBytes(), result.writtenBytes()),
          meter,
          watch,
          Optional.ofNullable(figures),
          cluster.failure().or(() -> FileResults.failure(result, study.maxErrors())),
          notes);
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

  private @Nullable GearPilot pilot(
      RunConfig run, FileLoad load, RunFiles files, ClusterWatch cluster) {
    Optional<GearChoice> policy =
        run.gear().filter(choice -> choice.kind() != GearChoice.Kind.FIXED);
    if (policy.isEmpty()) {
      return null;
    }
    return GearPilot.start(target, study, run, policy.get(), load, files, cluster::failed);
  }

  private FileMix mix(RunConfig run, FileWork.Streams work, String folder) {
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

  private RunRecord grep(
      RunConfig run, FileWork.Grep work, RunFiles files, String heading, ClusterWatch cluster)
      throws InterruptedException {
    String pattern = PhraseText.pattern(run.seed());
    progress.status(heading + "writing the new file");
    long expected = data.writeNew(work, pattern);
    List<String> notes = new ArrayList<>(target.dropCache());
    notes.add("the grep's own process is in no energy figure, and not in client_cpu_s");
    try (RunMeter meter = metering.open(files::row)) {
      progress.status(heading + "measuring idle power");
      meter.baseline(study.power().baselineNanos(), stop);
      RunWatch watch = new RunWatch(run, files, meter, progress, heading);
      long fromNanos = System.nanoTime();
      watch.measurementBegan(fromNanos);
      Histogram seconds = new Histogram(Recorder.LOWEST_NANOS, Recorder.HIGHEST_NANOS, 3);
      long bytes = 0;
      for (long i = 0; i < run.operations(); i++) {
        stop.check();
        long began = System.nanoTime();
        FileTarget.Grep result = greped(run, pattern, expected);
        bytes += result.bytes();
        seconds.recordValue(Math.min(Recorder.HIGHEST_NANOS, Math.round(result.seconds() * 1e9)));
        watch.interval(interval(fromNanos, began, System.nanoTime()));
      }
      long toNanos = System.nanoTime();
      watch.measurementEnded(toNanos);
      meter.end();
      notes.addAll(meter.notes());
      LoadResult told = greps(run.operations(), fromNanos, toNanos, seconds);
      FileResults.log(told, files.latencies());
      return measured(
          told,
          new FileFigures(bytes, 0),
          meter,
          watch,
          Optional.empty(),
          cluster.failure(),
          notes);
    }
  }

  private FileTarget.Grep greped(RunConfig run, String pattern, long expected) {
    FileTarget.Grep result = target.grep(pattern, run.threads().orElse(1), GREP_DEADLINE);
    if (result.matches() != expected) {
      throw new FailedWorkException(
          "grep found " + result.matches() + " matches, and there are " + expected,
          "run " + run.id(),
          "blocks may be lost: see the cluster's logs, and repeat it with --resume");
    }
    return result;
  }

  private static Interval interval(long windowNanos, long fromNanos, long toNanos) {
    return new Interval(
        Phase.MEASURED,
        (fromNanos - windowNanos) / 1_000_000_000L,
        fromNanos,
        toNanos,
        1,
        1,
        0,
        0,
        0,
        toNanos - fromNanos,
        toNanos - fromNanos,
        Interval.NO_LATENCY,
        Interval.NO_LATENCY);
  }

  private static LoadResult greps(long count, long fromNanos, long toNanos, Histogram seconds) {
    Map<Measure, Histogram> histograms = new EnumMap<>(Measure.class);
    histograms.put(Measure.READ, seconds);
    return new LoadResult(
        EndReason.OPERATIONS_DONE,
        "all greps have ended",
        0,
        count,
        0,
        0,
        0,
        Map.of(),
        List.of(),
        fromNanos,
        toNanos,
        Backlog.NONE,
        histograms);
  }

  private static RunRecord measured(
      LoadResult result,
      FileFigures figures,
      RunMeter meter,
      RunWatch watch,
      Optional<GearFigures> gears,
      Optional<String> failure,
      List<String> notes) {
    RunRecord found = new RunRecord().add(result).add(figures).note(notes);
    meter.record(found);
    watch.record(found);
    gears.ifPresent(found::add);
    failure.ifPresent(found::fail);
    return found;
  }
}
