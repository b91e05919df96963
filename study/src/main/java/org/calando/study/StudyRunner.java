package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.calando.clock.LeaseFolders;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.Capable;
import org.calando.core.store.KeyValueStore;
import org.calando.core.time.Spoken;
import org.calando.engine.ClusterRequest;
import org.calando.engine.FileTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.RoledServers;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.local.process.Leftovers;
import org.calando.report.RunRow;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.WorkloadBinder;
import org.jspecify.annotations.Nullable;

/**
 * Runs a study: starts or reaches its cluster, carries out each run that is not finished yet, keeps
 * {@code results.csv} up to date and writes {@code report.html} in the end.
 *
 * <p>A run that fails is recorded as failed and does not stop the others; the cluster is healed
 * before the next. Use once, by one thread.
 */
public final class StudyRunner {
  private final Request request;
  private final StudySpec study;
  private final Progress progress;
  private final StopSignal stop;
  private final LoadBounds bounds;
  private Optional<ClockBounds> clockBounds = Optional.empty();
  private boolean hasRun;

  /**
   * What to run.
   *
   * @param study the study
   * @param yaml its file's text with the values that replaced others
   * @param base folder that relative paths in the study are relative to
   * @param out the study's folder
   * @param resume whether to go on with what is in the folder
   * @param allowLoad whether load may be put on a cluster that is not on this machine
   * @param command the command that repeats the study, for the report
   * @param jobs simulated runs at once, 1 or more; empty for as many as there are cores
   * @param leases where it is noted what is to be restored; empty if no clock or other knob is set
   */
  public record Request(
      StudySpec study,
      String yaml,
      Path base,
      Path out,
      boolean resume,
      boolean allowLoad,
      String command,
      OptionalInt jobs,
      Optional<LeaseFolders> leases) {
    /** A request that sets no clocks. */
    public Request(
        StudySpec study,
        String yaml,
        Path base,
        Path out,
        boolean resume,
        boolean allowLoad,
        String command,
        OptionalInt jobs) {
      this(study, yaml, base, out, resume, allowLoad, command, jobs, Optional.empty());
    }
  }

  /**
   * How a study ended.
   *
   * @param report the report
   * @param runs runs that are recorded, failed ones included
   * @param failed ids of the runs that failed, in the order of the plan
   */
  public record Result(Path report, int runs, List<String> failed) {}

  public StudyRunner(Request request, Progress progress, StopSignal stop) {
    this.request = request;
    this.study = request.study();
    this.progress = progress;
    this.stop = stop;
    this.bounds = new LoadBounds(study.name(), study.store(), request.allowLoad());
  }

  /**
   * Runs the study to its end.
   *
   * @throws BadRequestException if the request is wrong; no run was recorded
   * @throws FailedWorkException if the cluster or the folder fails for good; finished runs are kept
   * @throws StopSignal.StoppedException if a stop was requested; finished runs are kept
   */
  public Result run() throws InterruptedException {
    bounds.requireAllowed();
    clockBounds = ClockBounds.require(study);
    Optional<SimulatedStudy> simulated = simulated();
    List<RunConfig> plan = RunPlan.of(study);
    simulated.ifPresent(each -> each.requirePossible(plan));
    try (StudyFolder folder =
        StudyFolder.open(
            request.out(), study.fingerprint(), study.canonicalText(), request.resume())) {
      List<RunConfig> left = unfinished(plan, folder.rows());
      if (left.isEmpty()) {
        progress.line("All " + plan.size() + " runs are finished already.");
      } else {
        work(folder, plan, left, simulated);
      }
      return result(folder, plan);
    } catch (CalandoException e) {
      stop.check(); // a cluster that ends because we are to end is no failure
      throw e;
    }
  }

  private Optional<SimulatedStudy> simulated() {
    if (study.store().isSimulated()) {
      return Optional.of(new SimulatedStudy(request, progress, stop));
    }
    if (request.jobs().isPresent()) {
      throw new BadRequestException(
          "runs on a real cluster go one at a time, for each would slow the others",
          "--jobs",
          "leave it out, or add --set store.engine=sim");
    }
    return Optional.empty();
  }

  private static List<RunConfig> unfinished(List<RunConfig> plan, Map<String, RunRow> rows) {
    return plan.stream()
        .filter(
            run -> {
              RunRow row = rows.get(run.id());
              return row == null || row.failed();
            })
        .toList();
  }

  private void work(
      StudyFolder folder,
      List<RunConfig> plan,
      List<RunConfig> left,
      Optional<SimulatedStudy> simulated)
      throws InterruptedException {
    int finished = plan.size() - left.size();
    List<String> warnings = warnings();
    warnings.forEach(warning -> progress.line("Note: " + warning));
    if (simulated.isPresent()) {
      simulated
          .get()
          .carryOut(
              folder, left, finished, warnings, () -> folder.writeResults(rows(folder, plan)));
      return;
    }
    List<String> notes = new ArrayList<>(warnings);
    StudyDoctor.busyMachine(HostEnvironment.loadAverage())
        .ifPresent(
            warning -> {
              progress.line("WARNING: " + warning);
              notes.add(warning);
            });
    Leftovers.sweep()
        .forEach(removed -> progress.line("Cleaned up after an earlier command: " + removed));
    @Nullable EnvironmentFile environment = null;
    for (List<RunConfig> stretch : RunPlan.stretches(left)) {
      environment = work(folder, plan, stretch, finished, environment, notes);
      finished += stretch.size();
    }
    if (environment != null) {
      folder.writeEnvironment(environment.finished());
    }
  }

  private List<String> warnings() {
    return study.workloads().stream()
        .filter(workload -> workload.fileWork().isEmpty())
        .flatMap(workload -> WorkloadBinder.bind(workload).warnings().stream())
        .distinct()
        .toList();
  }

  /**
   * Carries out runs that share a cluster.
   *
   * @param finished number of runs before these
   * @param begun what earlier ones of this command were begun with, or null for the first
   * @return what these were begun with
   */
  private EnvironmentFile work(
      StudyFolder folder,
      List<RunConfig> plan,
      List<RunConfig> runs,
      int finished,
      @Nullable EnvironmentFile begun,
      List<String> warnings)
      throws InterruptedException {
    RunConfig first = runs.get(0);
    if (study.store().local().isPresent()) {
      Optional<StoreLayout> named = first.layout().filter(own -> first.startsAnew());
      String layout = named.map(own -> ", layout " + own.label()).orElse("");
      String engine = study.store().kind().title();
      progress.line("Starting %d %s nodes%s ...".formatted(study.store().nodes(), engine, layout));
    }
    long begunNanos = System.nanoTime();
    try (Target target = openTarget(first.layout())) {
      stop.check();
      Optional<FileTarget> files = target.find(FileTarget.class);
      if (files.isPresent()) {
        Stretch stretch = begin(folder, target, files.get().engine(), begunNanos, begun, warnings);
        FileRun.Cluster cluster = FileRun.Cluster.of(study, files.get(), stretch.metering());
        carryOut(folder, target, cluster::work, runs, finished, plan);
        return stretch.environment();
      }
      // First: nodes that are off are neither connected to nor read.
      try (@Nullable NodeGears shifted = RunGear.require(study, runs, target).orElse(null);
          KeyValueStore store = target.connect(bounds)) {
        Optional<NodeGears> gears = Optional.ofNullable(shifted);
        Capable offering = gears.<Capable>map(each -> RealSite.knobs(target, each)).orElse(target);
        Stretch stretch = begin(folder, target, store.engine(), begunNanos, begun, warnings);
        RunKnobs.require(runs, () -> RealSite.knobs(target, store));
        try (@Nullable StudyClocks clocks =
            clockBounds.map(bounds -> clocks(bounds, target)).orElse(null)) {
          RealSite.Cluster cluster =
              new RealSite.Cluster(
                  store,
                  target,
                  stretch.metering(),
                  clocks == null ? offering : RealSite.knobs(offering, clocks),
                  request.leases(),
                  gears);
          carryOut(folder, target, cluster::work, runs, finished, plan);
        }
        return stretch.environment();
      }
    }
  }

  /** What is known when a cluster is up. */
  private record Stretch(ClusterMetering metering, EnvironmentFile environment) {}

  /**
   * A cluster is up: its meter is chosen, and the study's environment written if it is the first.
   */
  private Stretch begin(
      StudyFolder folder,
      Target target,
      String engine,
      long begunNanos,
      @Nullable EnvironmentFile begun,
      List<String> warnings)
      throws InterruptedException {
    Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
    progress.line("%s is up after %s".formatted(engine, Spoken.of(took)));
    ClusterMetering metering =
        ClusterMetering.choose(study.power(), target, earlierMeter(folder.environment()));
    if (begun != null) {
      return new Stretch(metering, begun);
    }
    progress.line("Energy: " + metering.choice().words());
    List<String> notes = new ArrayList<>(warnings);
    notes.addAll(target.notes());
    EnvironmentFile environment =
        EnvironmentFile.begin(
            request, folder.environment(), engine, target.nodes(), metering.choice(), notes);
    clockBounds.ifPresent(environment::addClocks);
    folder.writeEnvironment(environment.json());
    folder.writeStudy(request.yaml());
    return new Stretch(metering, environment);
  }

  private void carryOut(
      StudyFolder folder,
      Target target,
      RunProcedure.Works works,
      List<RunConfig> runs,
      int finished,
      List<RunConfig> plan)
      throws InterruptedException {
    String profiles =
        target.nodes().stream()
            .map(node -> node.profile().name())
            .distinct()
            .collect(Collectors.joining(", "));
    int resumes = EnvironmentFile.resumes(folder.environment());
    new RunSeries(
            new RunKeeper(folder),
            target,
            new RunProcedure(study, works, stop, progress),
            new RunSummary(study, study.store().engine(), profiles, resumes),
            progress,
            stop,
            hasRun)
        .carryOut(
            runs,
            finished,
            plan.size() - finished - runs.size(),
            () -> {
              hasRun = true;
              folder.writeResults(rows(folder, plan));
            });
  }

  private StudyClocks clocks(ClockBounds bounds, Target target) {
    return StudyClocks.begin(
        study.clocks().orElseThrow(),
        bounds,
        study.store().inventory().map(ClockBounds::nameOf).orElse("local"),
        target.find(RoledServers.class).orElseThrow(),
        request.command(),
        request
            .leases()
            .orElseThrow(() -> new IllegalStateException("no folder to note clocks in")),
        progress);
  }

  /** Runs of one study have one meter: what a resumed study finds is what it goes on with. */
  private static Optional<String> earlierMeter(@Nullable ObjectNode environment) {
    String id = environment == null ? "" : environment.path("power").path("meter").asText("");
    return id.isEmpty() ? Optional.empty() : Optional.of(id);
  }

  private Target openTarget(Optional<StoreLayout> layout) {
    StoreSpec store = study.store();
    return store.local().isPresent()
        ? store.kind().start(new ClusterRequest(store, study.power(), study.changesLinks(), layout))
        : store.kind().reach(store, study.power().profile(), request.base());
  }

  /** Rows in the order of the plan, whatever order the runs were finished in. */
  private static List<RunRow> rows(StudyFolder folder, List<RunConfig> plan) {
    Map<String, RunRow> rows = folder.rows();
    return plan.stream().map(RunConfig::id).filter(rows::containsKey).map(rows::get).toList();
  }

  private static Result result(StudyFolder folder, List<RunConfig> plan) {
    List<RunRow> rows = rows(folder, plan);
    folder.writeResults(rows);
    List<String> failed = rows.stream().filter(RunRow::failed).map(RunRow::id).toList();
    Path report = StudyReport.write(folder.root());
    return new Result(report, rows.size(), failed);
  }
}
