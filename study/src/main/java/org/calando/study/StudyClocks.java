package org.calando.study;

import java.util.Optional;
import org.calando.agent.LeasedNodes;
import org.calando.clock.LeaseFolders;
import org.calando.concerto.RunManager;
import org.calando.control.ClockedNodes;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.WorkSource;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.engine.RoledServers;
import org.calando.knob.ManagedClocks;

/**
 * The clocks of the nodes' processors, and the places of their threads, which a study has on lease
 * for as long as this is open. Between runs all clocks are at their highest. Used by one thread.
 */
final class StudyClocks implements ClockedNodes, Capable, AutoCloseable {
  /** The policy that needs to know what nodes do. */
  private static final String PREDICTS = "slack";

  private final RoledServers servers;
  private final LeasedNodes leased;
  private final ManagedNodes nodes;
  private final PStates states;
  private final Progress progress;

  private StudyClocks(
      RoledServers servers,
      LeasedNodes leased,
      ManagedNodes nodes,
      PStates states,
      Progress progress) {
    this.servers = servers;
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
    return new StudyClocks(servers, leased, nodes, bounds.states(), progress);
  }

  @Override
  public ClockedNodes.Managing manage(
      Scheduler scheduler, Settings settings, ClockPolicy policy, Listener listener) {
    Optional<WorkSource> work =
        policy.name().equals(PREDICTS)
            ? Optional.of(servers.work(leased.clocks()::kiloHertz, System::nanoTime))
            : Optional.empty();
    RunManager.Parts parts =
        new RunManager.Parts(
            nodes.config(leased, policy, states),
            leased.clocks(),
            leased.threads(),
            servers.roles(
                settings.lookNanos(), nodes.spec().times().silenceNanos(), System::nanoTime),
            work,
            nodes.spec().limits(),
            settings.lookNanos());
    return RunManager.start(parts, scheduler, listener);
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
