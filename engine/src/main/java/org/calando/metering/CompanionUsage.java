package org.calando.metering;

import java.util.ArrayList;
import java.util.List;
import org.calando.power.MeterException;
import org.calando.power.NodeProcess;
import org.calando.power.NodeUsage;
import org.calando.power.ProcessCpu;
import org.calando.power.UsageOver;
import org.calando.power.UsageSource;

/**
 * Adds to each node's own process what others that belong to the node use, such as the DataNode
 * beside a RegionServer. They may end with the node's machine only, and come back as others: sums
 * go on. Thread safe.
 */
final class CompanionUsage extends UsageOver {
  private final ProcessCpu reader;
  private final List<Others> nodes = new ArrayList<>();

  /** The others of a node. */
  private static final class Others {
    List<NodeProcess> processes = List.of();
    boolean mayEnd;
    NodeUsage before = nothing();
    NodeUsage last = nothing();
  }

  /**
   * Adds to a source.
   *
   * @param base reads the nodes' own processes
   * @param count number of nodes; none has others yet
   */
  CompanionUsage(UsageSource base, ProcessCpu reader, int count) {
    super(base);
    this.reader = reader;
    for (int i = 0; i < count; i++) {
      nodes.add(new Others());
    }
  }

  private static NodeUsage nothing() {
    return NodeUsage.ofProcess(0, 0, 0, 0).withDisk(0, 0);
  }

  /**
   * Reads these for a node from now on.
   *
   * @throws MeterException if one has ended
   */
  synchronized void attach(int node, List<Long> pids) throws MeterException {
    List<NodeProcess> processes = new ArrayList<>();
    for (long pid : pids) {
      processes.add(reader.identify(pid));
    }
    Others others = nodes.get(node);
    others.processes = processes;
    others.before = plus(others.before, others.last);
    others.last = nothing();
    others.mayEnd = false;
  }

  /** From now on their end is no error, until others are attached. */
  synchronized void mayEnd(int node) {
    try {
      // What they used until now is not lost with them.
      NodeUsage unused = sum(nodes.get(node));
    } catch (MeterException e) {
      // Then that is lost.
    }
    nodes.get(node).mayEnd = true;
  }

  @Override
  public synchronized NodeUsage read(int node) throws MeterException {
    return plus(base().read(node), sum(nodes.get(node)));
  }

  private NodeUsage sum(Others others) throws MeterException {
    try {
      NodeUsage sum = nothing();
      for (NodeProcess companion : others.processes) {
        sum = plus(sum, reader.read(companion));
      }
      others.last = sum;
      return plus(others.before, sum);
    } catch (MeterException e) {
      if (others.mayEnd) {
        return plus(others.before, others.last);
      }
      throw e;
    }
  }

  private static NodeUsage plus(NodeUsage node, NodeUsage companion) {
    return new NodeUsage(
        node.atNanos(),
        node.incarnation(),
        node.cpuNanos() + companion.cpuNanos(),
        node.hostCores(),
        node.rssBytes() + companion.rssBytes(),
        node.memoryBytes(),
        sum(node.diskReadBytes(), companion.diskReadBytes()),
        sum(node.diskWriteBytes(), companion.diskWriteBytes()),
        node.netReceivedBytes(),
        node.netSentBytes());
  }
}
