package org.calando.power;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Tells what the server processes of local nodes have used. Thread safe. */
public final class ProcessUsage implements UsageSource {
  private final ProcessCpu reader;
  private final List<String> names;
  private final AtomicReferenceArray<NodeProcess> processes;

  /**
   * Reads the server processes of nodes on this machine.
   *
   * @param reader reads a process
   * @param nodes the nodes
   * @param processes the process of each, in the same order
   */
  public ProcessUsage(ProcessCpu reader, List<MeteredNode> nodes, List<NodeProcess> processes) {
    if (nodes.size() != processes.size()) {
      throw new IllegalArgumentException(
          processes.size() + " processes for " + nodes.size() + " nodes");
    }
    this.reader = reader;
    names = nodes.stream().map(MeteredNode::name).toList();
    this.processes = new AtomicReferenceArray<>(processes.toArray(NodeProcess[]::new));
  }

  /** Reads another process for a node from now on: the node was restarted. */
  public void attach(int node, NodeProcess process) {
    processes.set(node, process);
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    try {
      return reader.read(processes.get(node));
    } catch (MeterException e) {
      throw new MeterException(
          e.what(), "node " + names.get(node) + ", " + e.where(), e.remedy(), e);
    }
  }
}
