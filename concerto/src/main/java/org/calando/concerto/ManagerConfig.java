package org.calando.concerto;

import java.util.List;
import org.calando.clock.thread.NodeCpu;
import org.calando.clock.thread.ProcessCpu;
import org.calando.control.LoopListener;
import org.calando.control.order.KnobOrders;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.WorkSource;

/**
 * What a power manager manages, and how. Immutable.
 *
 * @param nodes whose clocks are set; not empty, names differ
 * @param policy decides
 * @param states of the processors, for the account of energy
 * @param times how often it does what
 * @param work what nodes do, for policies that predict
 * @param cpu of the nodes' processes
 * @param listener hears what is done
 * @param journal notes decisions before they are carried out; is not to block
 * @param orders what an operator orders of clocks: while they are paused they are only raised
 */
public record ManagerConfig(
    List<ManagedNode> nodes,
    ClockPolicy policy,
    PStates states,
    ManagerTimes times,
    WorkSource work,
    NodeCpu cpu,
    ManagerListener listener,
    LoopListener journal,
    KnobOrders orders) {
  public ManagerConfig {
    nodes = List.copyOf(nodes);
    long names = nodes.stream().map(ManagedNode::name).distinct().count();
    if (nodes.isEmpty() || names < nodes.size()) {
      throw new IllegalArgumentException("no nodes, or two of one name: " + nodes);
    }
  }

  /** The usual times, with CPU time from this machine; nobody measures work, nobody listens. */
  public static ManagerConfig of(List<ManagedNode> nodes, ClockPolicy policy, PStates states) {
    return new ManagerConfig(
        nodes,
        policy,
        states,
        ManagerTimes.defaults(),
        WorkSource.NONE,
        new ProcessCpu(java.nio.file.Path.of("/proc")),
        ManagerListener.SILENT,
        (decision, inForce) -> {},
        KnobOrders.NONE);
  }

  /** The same at other times. */
  public ManagerConfig withTimes(ManagerTimes other) {
    return new ManagerConfig(nodes, policy, states, other, work, cpu, listener, journal, orders);
  }

  /** The same with measured work. */
  public ManagerConfig withWork(WorkSource other) {
    return new ManagerConfig(nodes, policy, states, times, other, cpu, listener, journal, orders);
  }

  /** The same with CPU time from elsewhere. */
  public ManagerConfig withCpu(NodeCpu other) {
    return new ManagerConfig(nodes, policy, states, times, work, other, listener, journal, orders);
  }

  /** The same with somebody who listens. */
  public ManagerConfig withListener(ManagerListener other) {
    return new ManagerConfig(nodes, policy, states, times, work, cpu, other, journal, orders);
  }

  /** The same with a journal. */
  public ManagerConfig withJournal(LoopListener other) {
    return new ManagerConfig(nodes, policy, states, times, work, cpu, listener, other, orders);
  }

  /** The same with what an operator orders. */
  public ManagerConfig withOrders(KnobOrders other) {
    return new ManagerConfig(nodes, policy, states, times, work, cpu, listener, journal, other);
  }
}
