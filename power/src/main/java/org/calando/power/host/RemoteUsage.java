package org.calando.power.host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.NodeUsage;
import org.calando.power.Refresh;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;
import org.calando.power.internal.Poller;

/**
 * What the nodes of a cluster use, some of them elsewhere: their machines are asked in parallel,
 * one question at a time each, and a machine that several nodes name is asked once. Nodes without a
 * machine to ask are read where they are. Thread safe.
 */
public final class RemoteUsage implements UsageSource, AutoCloseable {
  private final List<String> names;
  private final UsageSource others;
  private final Map<Integer, Integer> lineOfNode = new HashMap<>();
  private final List<HostSource> sources = new ArrayList<>();
  private final Map<HostSource, HostProbe> probes = new ConcurrentHashMap<>();
  private final Poller<NodeUsage> poller;
  private final Ticker ticker;
  private volatile boolean closed;

  /**
   * Asks nobody yet.
   *
   * @param nodes all nodes
   * @param hosts where each node's machine tells what it uses, in the same order
   * @param others tells it for nodes without, by the same indexes, at once
   * @param ticker clock of the sampling
   */
  public RemoteUsage(
      List<MeteredNode> nodes,
      List<Optional<HostSource>> hosts,
      UsageSource others,
      Ticker ticker) {
    if (nodes.size() != hosts.size()) {
      throw new IllegalArgumentException(hosts.size() + " hosts for " + nodes.size() + " nodes");
    }
    names = nodes.stream().map(MeteredNode::name).toList();
    this.others = others;
    this.ticker = ticker;
    for (int node = 0; node < hosts.size(); node++) {
      if (hosts.get(node).isPresent()) {
        lineOfNode.put(node, line(hosts.get(node).get()));
      }
    }
    List<Poller.Question<NodeUsage>> questions = new ArrayList<>();
    sources.forEach(source -> questions.add(deadlineNanos -> ask(source, deadlineNanos)));
    poller = new Poller<>("calando-hosts", questions, ticker);
  }

  private int line(HostSource source) {
    if (!sources.contains(source)) {
      sources.add(source);
    }
    return sources.indexOf(source);
  }

  private NodeUsage ask(HostSource source, long deadlineNanos)
      throws MeterException, InterruptedException {
    HostProbe probe = probes.get(source);
    if (probe == null) {
      probe = source.open(ticker);
      probes.put(source, probe);
    }
    if (closed) {
      // Whoever closes may have looked before this probe was there.
      probe.close();
    }
    return probe.sample(deadlineNanos);
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    Integer line = lineOfNode.get(node);
    if (line == null) {
      return others.read(node);
    }
    Poller.Answer<NodeUsage> answer = poller.answer(line);
    String where = "node " + names.get(node) + ", ";
    MeterException problem = answer.problem();
    NodeUsage value = answer.value();
    if (!answer.late() && problem != null) {
      throw new MeterException(problem.what(), where + problem.where(), problem.remedy(), problem);
    }
    if (answer.late() || value == null) {
      throw new MeterException(
          answer.number() == 0 && !answer.late() ? "was not asked yet" : "did not answer in time",
          where + sources.get(line).describe(),
          "check the machine and the network to it");
    }
    return value;
  }

  @Override
  public Refresh refresh(long deadlineNanos) {
    return poller.ask(deadlineNanos);
  }

  @Override
  public boolean knows(int node) {
    // A machine's figures are nobody's where several nodes are on it.
    Integer line = lineOfNode.get(node);
    return line == null
        ? others.knows(node)
        : lineOfNode.values().stream().filter(line::equals).count() == 1;
  }

  @Override
  public boolean isOff(int node) {
    return !lineOfNode.containsKey(node) && others.isOff(node);
  }

  @Override
  public long renewalNanos() {
    return sources.stream().mapToLong(HostSource::renewalNanos).max().orElse(0);
  }

  @Override
  public boolean immediate() {
    return lineOfNode.isEmpty() && others.immediate();
  }

  @Override
  public long ownCpuNanos() {
    return poller.ownCpuNanos() + others.ownCpuNanos();
  }

  @Override
  public void close() {
    closed = true;
    poller.close();
    probes.values().forEach(HostProbe::close);
  }
}
