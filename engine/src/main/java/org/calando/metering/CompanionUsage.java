package org.calando.metering;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.engine.Target;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.NodeProcess;
import org.calando.power.NodeUsage;
import org.calando.power.OrderedAbsence;
import org.calando.power.ProcessCpu;
import org.calando.power.ProcessUsage;
import org.calando.power.Ticker;
import org.calando.power.UsageOver;
import org.calando.power.UsageSource;

/**
 * Adds to each node's own process what others that belong to the node use, such as the DataNode
 * beside a RegionServer. They may end with the node's machine only, and come back as others: sums
 * go on. Thread safe.
 */
final class CompanionUsage extends UsageOver {
  private final ProcessCpu reader;
  private final ProcessUsage processes;
  private final OrderedAbsence companions;

  /** Of each node, where its own are among all companions. */
  private final List<List<Integer>> places = new ArrayList<>();

  /**
   * Adds to a source.
   *
   * @param base reads the nodes' own processes
   * @param off names of nodes whose machines are off
   * @throws MeterException if one has ended of a node that is on
   */
  CompanionUsage(
      UsageSource base, List<Target.Node> nodes, Set<String> off, ProcessCpu reader, Ticker ticker)
      throws MeterException {
    super(base);
    this.reader = reader;
    List<MeteredNode> all = new ArrayList<>();
    Map<Integer, NodeProcess> running = new HashMap<>();
    List<Integer> away = new ArrayList<>();
    for (Target.Node node : nodes) {
      List<Integer> own = new ArrayList<>();
      for (long pid : node.companions()) {
        if (off.contains(node.name())) {
          away.add(all.size());
        } else {
          running.put(all.size(), reader.identify(pid));
        }
        own.add(all.size());
        all.add(new MeteredNode(node.name(), node.profile()));
      }
      places.add(own);
    }
    processes = new ProcessUsage(reader, all, running);
    companions = new OrderedAbsence(processes, all.size(), ticker);
    away.forEach(companions::isOffAtFirst);
  }

  /** From now on the end of a node's is no error, until others are read for it. */
  void mayEnd(int node) {
    places.get(node).forEach(companions::mayEnd);
  }

  /**
   * Reads these for a node from now on.
   *
   * @throws MeterException if one has ended
   */
  void attach(int node, List<Long> pids) throws MeterException {
    List<Integer> own = places.get(node);
    for (int i = 0; i < Math.min(own.size(), pids.size()); i++) {
      processes.attach(own.get(i), reader.identify(pids.get(i)));
    }
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    NodeUsage sum = base().read(node);
    for (int place : places.get(node)) {
      sum = plus(sum, companions.read(place));
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
