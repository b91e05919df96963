package org.calando.study;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.NodeProfile;
import org.calando.sim.SimStore;
import org.calando.study.config.StudySpec;
import org.calando.study.sim.SimulatedClusters;

/** A study whose clusters are simulated. Use once, by one thread. */
final class SimulatedStudy {
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
    this.clusters = new SimulatedClusters(study.store(), study.power().profile());
  }

  /**
   * Refuses clusters that there cannot be.
   *
   * @throws org.calando.core.BadRequestException saying why
   */
  void requirePossible(List<RunConfig> plan) {
    clusters.requirePossible(plan.stream().map(RunConfig::layout).toList());
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
    int jobs = request.jobs().orElse(Runtime.getRuntime().availableProcessors());
    progress.line(
        "Simulating %d nodes, %d runs%s ..."
            .formatted(
                study.store().nodes(),
                left.size(),
                jobs > 1 && left.size() > 1 ? ", " + jobs + " at a time" : ""));
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
        new RunSummary(study, study.store().engine(), study.power().profile().name());
    new SimulatedSeries(
            new RunKeeper(folder),
            new SimulatedRun(study, clusters, stop),
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
