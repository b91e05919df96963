package org.calando.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.NodeCpu;
import org.calando.clock.thread.NodeThreads;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.CpuSet;

/**
 * Clocks and threads of nodes on lease, on this machine or on those of agents. Immutable and thread
 * safe.
 *
 * @param clocks of the nodes' processors
 * @param threads places the nodes' threads; empty to leave them
 * @param cpu time of the nodes' processes
 * @param problems what hinders, one sentence each
 * @param lease ends it; then all is as before
 */
public record LeasedNodes(
    NodeClocks clocks,
    Optional<NodeThreads> threads,
    NodeCpu cpu,
    Supplier<List<String>> problems,
    Runnable lease)
    implements AutoCloseable {
  /**
   * Takes clocks of this machine.
   *
   * @param nodes the processors of each node
   * @param pins whether threads are moved
   * @param owner who has them, for others who are refused
   * @param told takes lines on the guard
   * @throws org.calando.core.BadRequestException if clocks cannot be set, or another has them
   * @throws org.calando.core.FailedWorkException if one cannot be set after all, or nobody can
   *     watch over them
   */
  public static LeasedNodes here(
      Machine machine,
      LeaseFolders folders,
      String owner,
      Map<String, CpuSet> nodes,
      boolean pins,
      Consumer<String> told) {
    MachineLease lease = MachineLease.begin(machine, folders, owner, told);
    boolean taken = false;
    try {
      LeasedNodes leased =
          new LeasedNodes(
              lease.clocks(nodes),
              pins ? Optional.of(lease.threads()) : Optional.empty(),
              new ProcessCpu(Path.of("/proc")),
              List::of,
              lease::close);
      taken = true;
      return leased;
    } finally {
      if (!taken) {
        lease.close();
      }
    }
  }

  /**
   * Takes clocks of agents' machines.
   *
   * @param lease the cluster, by which its governors meet
   * @param owner who has them, for others who are refused
   * @param pins whether threads are moved; empty: where they can be on all machines
   * @param folders where this governor keeps what outlives it
   * @throws org.calando.core.BadRequestException if another has them, or processors have no clock
   * @throws org.calando.core.FailedWorkException if an agent does not answer
   */
  public static LeasedNodes ofAgents(
      String lease,
      String owner,
      List<AgentNode> nodes,
      Optional<Boolean> pins,
      LeaseFolders folders) {
    AgentClocks clocks =
        AgentClocks.take(lease, owner, nodes, folders.state().resolve("governors"));
    return new LeasedNodes(
        clocks,
        pins.orElse(clocks.movesThreads()) ? Optional.of(clocks) : Optional.empty(),
        clocks,
        clocks::problems,
        clocks::close);
  }

  /** What this machine is called, for who is refused by a governor that runs here. */
  public static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "a host without a name";
    }
  }

  /**
   * {@inheritDoc} Everything is as it was before.
   *
   * @throws org.calando.core.FailedWorkException naming what is not
   */
  @Override
  public void close() {
    lease.run();
  }
}
