package org.calando.power;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Tells what the server processes of local nodes have used. Thread safe. */
public final class ProcessUsage implements UsageSource {
  private final ProcessCpu reader;
  private final List<String> names;
  private final AtomicReferenceArray<@Nullable NodeProcess> processes;

  /**
   * Reads those nodes that have a process on this machine.
   *
   * @param reader reads a process
   * @param nodes all nodes
   * @param processes the processes by the index of their node; the others cannot be read
   */
  public ProcessUsage(
      ProcessCpu reader, List<MeteredNode> nodes, Map<Integer, NodeProcess> processes) {
    this.reader = reader;
    names = nodes.stream().map(MeteredNode::name).toList();
    this.processes = new AtomicReferenceArray<>(nodes.size());
    processes.forEach(this.processes::set);
  }

  /** Reads another process for a node from now on: the node was restarted. */
  public void attach(int node, NodeProcess process) {
    processes.set(node, process);
  }

  @Override
  public boolean knows(int node) {
    return processes.get(node) != null;
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    NodeProcess process = processes.get(node);
    if (process == null) {
      throw new MeterException(
          "the usage of the node is not known",
          "node " + names.get(node),
          "give its metrics, or its pid if it runs on this machine");
    }
    try {
      return reader.read(process);
    } catch (MeterException e) {
      throw new MeterException(
          e.what(), "node " + names.get(node) + ", " + e.where(), e.remedy(), e);
    }
  }
}
