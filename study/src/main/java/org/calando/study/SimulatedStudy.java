package org.calando.study;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.Target;
import org.calando.sim.SimStore;
import org.calando.study.sim.SimulatedClusters;
import org.calando.studyfile.StudySpec;

/** A study whose clusters are simulated. Use once, by one thread. */
final class SimulatedStudy {
  /** Beside its keys, a run has counters, histograms and what is under way. */
  private static final long RUN_BYTES = 48L << 20;

  /** The oracle's share of a key; each replica's is a version. */
  private static final int KEY_BYTES = 16;

  /** Part of the memory that runs may fill; the rest is the study's own. */
  private static final double MEMORY_SHARE = 0.75;

  private final StudyRunner.Request request;
  private final StudySpec study;
  private final Progress progress;
  private final StopSignal stop;
  private final SimulatedClusters clusters;

  SimulatedStudy(StudyRunner.Request request, Progress progress, StopSignal stop) {
    this.request = request;
    this.study = request.study();
    this.progress = progress;
    this.stop = stop;
    this.clusters = SimulatedClusters.of(study);
  }

  /**
   * Refuses clusters that there cannot be, and runs that do not fit into memory.
   *
   * @throws BadRequestException saying why
   */
  void requirePossible(List<RunConfig> plan) {
    clusters.requirePossible(plan.stream().map(RunConfig::tokens).toList());
    RunKnobs.require(plan, clusters::sample);
    if (jobsThatFit(plan) == 0) {
      throw new BadRequestException(
          "a run takes about %,d MB for its keys, and there are %,d MB"
              .formatted(runBytes(plan) >> 20, Runtime.getRuntime().maxMemory() >> 20),
          study.name(),
          "simulate fewer records");
    }
  }

  private int jobsThatFit(List<RunConfig> plan) {
    return (int) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE / runBytes(plan));
  }

  private long runBytes(List<RunConfig> plan) {
    long keys = plan.stream().mapToLong(run -> new RunLoad(run).expectedKeys()).max().orElse(0);
    return RUN_BYTES + keys * (KEY_BYTES + (long) Long.BYTES * study.store().replicationFactor());
  }

  /**
   * As many as asked for, or as there are cores; fewer if they would not fit into memory, and one
   * if runs set a knob that two cannot have.
   */
  private int jobs(List<RunConfig> left) {
    int wanted = request.jobs().orElse(Runtime.getRuntime().availableProcessors());
    boolean shared = left.stream().anyMatch(run -> !RunKnobs.of(run).isEmpty());
    return shared ? 1 : Math.max(1, Math.min(Math.min(wanted, left.size()), jobsThatFit(left)));
  }

  /**
   * Carries out the runs that are left.
   *
   * @param before number of runs that are finished
   * @param warnings what a reader should know
   * @param writeResults brings results.csv up to date
   */
  void carryOut(
      StudyFolder folder,
      List<RunConfig> left,
      int before,
      List<String> warnings,
      Runnable writeResults)
      throws InterruptedException {
    int jobs = jobs(left);
    progress.line(
        "Simulating %d nodes, %d runs%s ..."
            .formatted(
                study.store().nodes(), left.size(), jobs > 1 ? ", " + jobs + " at a time" : ""));
    MeterChoice meter =
        new MeterChoice(
            Optional.of(SimulatedMeter.INFO),
            List.of("simulated: the cluster is a simulation"),
            false);
    EnvironmentFile environment =
        EnvironmentFile.begin(
            request, folder.environment(), SimStore.ENGINE, nodes(), meter, warnings);
    folder.writeEnvironment(environment.json());
    folder.writeStudy(request.yaml());
    RunSummary summaries =
        new RunSummary(study, study.store().engine(), study.power().profile().name(), 0);
    new SimulatedSeries(
            new RunKeeper(folder),
            new RunProcedure(
                study,
                (task, watching) ->
                    new KeyValueWork(task, new SimulatedSite(task, clusters, request.leases())),
                stop,
                progress),
            summaries,
            progress,
            stop,
            jobs)
        .carryOut(left, before, writeResults);
    folder.writeEnvironment(environment.finished());
  }

  private List<Target.Node> nodes() {
    NodeProfile profile = study.power().profile();
    return clusters.topology().nodes().stream()
        .map(
            node ->
                new Target.Node(
                    node.name(), "", node.rack(), profile, OptionalLong.empty(), Optional.empty()))
        .toList();
  }
}
