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
 * beside a RegionServer. They may not end while nodes are read. Thread safe.
 */
final class CompanionUsage extends UsageOver {
  private final ProcessCpu reader;
  private final List<List<NodeProcess>> companions;

  /**
   * Adds to a source.
   *
   * @param base reads the nodes' own processes
   * @param companions the others of each node
   * @throws MeterException if one has ended
   */
  static CompanionUsage of(UsageSource base, ProcessCpu reader, List<List<Long>> companions)
      throws MeterException {
    List<List<NodeProcess>> all = new ArrayList<>();
    for (List<Long> pids : companions) {
      List<NodeProcess> processes = new ArrayList<>();
      for (long pid : pids) {
        processes.add(reader.identify(pid));
      }
      all.add(processes);
    }
    return new CompanionUsage(base, reader, all);
  }

  private CompanionUsage(UsageSource base, ProcessCpu reader, List<List<NodeProcess>> companions) {
    super(base);
    this.reader = reader;
    this.companions = companions;
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    NodeUsage sum = base().read(node);
    for (NodeProcess companion : companions.get(node)) {
      sum = plus(sum, reader.read(companion));
    }
    return sum;
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
