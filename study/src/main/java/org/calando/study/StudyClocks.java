package org.calando.study;

import org.calando.agent.LeasedNodes;
import org.calando.clock.LeaseFolders;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.ManagerTimes;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.engine.RoledServers;
import org.calando.studyfile.ManagedClocks;

/**
 * The clocks of the nodes' processors, and the places of their threads, which a study has on lease
 * for as long as this is open. Between runs all clocks are at their highest. Used by one thread.
 */
final class StudyClocks implements AutoCloseable {
  /** The policy that needs to know what nodes do. */
  private static final String PREDICTS = "slack";

  private final ManagedClocks spec;
  private final LeasedNodes leased;
  private final ManagedNodes nodes;
  private final PStates states;
  private final Progress progress;

  private StudyClocks(
      ManagedClocks spec,
      LeasedNodes leased,
      ManagedNodes nodes,
      PStates states,
      Progress progress) {
    this.spec = spec;
    this.leased = leased;
    this.nodes = nodes;
    this.states = states;
    this.progress = progress;
  }

  /**
   * Takes the clocks.
   *
   * @param spec what the study's file says
   * @param bounds what the machine lets us
   * @param name what those who set clocks of the same servers call them
   * @param servers the nodes
   * @param owner who has them, for others who are refused
   * @param folders where it is noted how they were
   * @throws org.calando.core.BadRequestException if another has them, or the nodes cannot off-load
   *     reads as is asked for
   * @throws FailedWorkException if one cannot be set after all, or nobody can watch over them
   */
  static StudyClocks begin(
      ManagedClocks spec,
      ClockBounds bounds,
      String name,
      RoledServers servers,
      String owner,
      LeaseFolders folders,
      Progress progress) {
    ManagedNodes nodes = ManagedNodes.of(spec, servers);
    progress.line("Clocks: " + bounds.words());
    LeasedNodes leased = bounds.lease(name, nodes, folders, owner, progress::line);
    return new StudyClocks(spec, leased, nodes, bounds.states(), progress);
  }

  /**
   * Begins to set clocks for a run; they need not be settled yet.
   *
   * @param policy name of the run's policy
   * @param servers the nodes
   * @param files where clocks.csv goes
   * @param parts close what is needed
   */
  RunClocks open(String policy, RoledServers servers, RunFiles files, RunParts parts) {
    ClockPolicy decides = RunControllers.clocks(spec, policy);
    ManagerConfig config =
        ManagerConfig.of(nodes.nodes(leased.threads().isPresent()), decides, states)
            .withTimes(
                new ManagerTimes(
                    spec.times().decideNanos(),
                    ManagerTimes.defaults().verifyNanos(),
                    ManagerTimes.defaults().energyNanos()))
            .withCpu(leased.cpu());
    return RunClocks.start(
        new RunClocks.Parts(spec, config, leased, servers, policy.equals(PREDICTS)), files, parts);
  }

  /** {@inheritDoc} Everything is as it was before. */
  @Override
  public void close() {
    try {
      leased.close();
    } catch (FailedWorkException e) {
      // Told here: where a study is stopped this is not what it ends with.
      progress.line("Clocks are not as they were: " + e.getMessage());
      throw e;
    }
  }
}
