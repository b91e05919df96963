package org.calando.metering;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.NetworkUsage;
import org.calando.power.NodeProcess;
import org.calando.power.OrderedAbsence;
import org.calando.power.ProcessCpu;
import org.calando.power.ProcessUsage;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;
import org.calando.power.host.HostSource;
import org.calando.power.host.RemoteUsage;

/**
 * What tells the nodes' CPU, memory, disk and network: the process of a node on this machine, the
 * exporter of one elsewhere, nothing for the rest. Not thread safe, except that nodes that end and
 * come back may be told from another thread.
 */
public final class NodeUse implements NodePresence, AutoCloseable {
  private final List<String> names;
  private final ProcessCpu reader;
  private final ProcessUsage processes;
  private final CompanionUsage companions;
  private final OrderedAbsence absence;

  /** Of nodes whose machine tells what it uses: that ends with the machine, not with a process. */
  private final OrderedAbsence machines;

  private final Set<String> ofMachines;
  private final UsageSource source;
  private final List<AutoCloseable> opened = new ArrayList<>();

  private NodeUse(
      List<Target.Node> nodes, Set<String> off, Optional<NetworkUsage.Counters> traffic) {
    Ticker ticker = Ticker.system();
    List<MeteredNode> metered =
        nodes.stream().map(node -> new MeteredNode(node.name(), node.profile())).toList();
    List<Optional<HostSource>> hosts =
        nodes.stream()
            .map(node -> node.pid().isPresent() ? Optional.<HostSource>empty() : node.metrics())
            .toList();
    names = metered.stream().map(MeteredNode::name).toList();
    reader = ProcessCpu.ofThisMachine();
    processes = processes(nodes, off, metered, reader);
    absence = new OrderedAbsence(processes, nodes.size(), ticker);
    try {
      companions = new CompanionUsage(absence, nodes, off, reader, ticker);
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
    ofMachines =
        names.stream()
            .filter(name -> hosts.get(names.indexOf(name)).isPresent())
            .collect(Collectors.toSet());
    RemoteUsage remote = new RemoteUsage(metered, hosts, companions, ticker);
    opened.add(remote);
    UsageSource told = remote;
    if (traffic.isPresent()) {
      NetworkUsage network = new NetworkUsage(remote, traffic.get(), nodes.size(), ticker);
      opened.add(network);
      told = network;
    }
    machines = new OrderedAbsence(told, nodes.size(), ticker);
    source = ofMachines.isEmpty() ? told : machines;
    off.forEach(node -> absenceOf(node).isOffAtFirst(names.indexOf(node)));
  }

  /**
   * Sources for the nodes as they are now.
   *
   * @param nodes the nodes
   * @param off names of those whose machines are off
   * @param traffic what their engines count of the network; empty if it is not to be asked
   * @throws org.calando.core.FailedWorkException if a node's process has ended
   */
  public static NodeUse of(
      List<Target.Node> nodes, Set<String> off, Optional<NetworkUsage.Counters> traffic) {
    return new NodeUse(nodes, off, traffic);
  }

  public UsageSource source() {
    return source;
  }

  @Override
  public void mayEnd(String node) {
    absence.mayEnd(names.indexOf(node));
  }

  @Override
  public void mayGoOff(String node) {
    companions.mayEnd(names.indexOf(node));
    absenceOf(node).mayGoOff(names.indexOf(node));
  }

  @Override
  public void isOn(String node) {
    absenceOf(node).isOn(names.indexOf(node));
  }

  private OrderedAbsence absenceOf(String node) {
    return ofMachines.contains(node) ? machines : absence;
  }

  @Override
  public void cameBack(String node, long pid) {
    try {
      processes.attach(names.indexOf(node), reader.identify(pid));
    } catch (MeterException e) {
      // It has ended again already, of which the run hears elsewhere.
    }
  }

  @Override
  public void cameBack(String node, long pid, List<Long> others) {
    try {
      companions.attach(names.indexOf(node), others);
    } catch (MeterException e) {
      // As above.
    }
    cameBack(node, pid);
  }

  @Override
  public void close() {
    closeAll(opened);
  }

  /** The processes of those nodes that have one here. */
  private static ProcessUsage processes(
      List<Target.Node> nodes, Set<String> off, List<MeteredNode> metered, ProcessCpu reader) {
    Map<Integer, NodeProcess> processes = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Target.Node node = nodes.get(i);
      if (node.pid().isPresent() && !off.contains(node.name())) {
        try {
          processes.put(i, reader.identify(node.pid().getAsLong()));
        } catch (MeterException e) {
          throw new MeterException(
                  e.what(), "node " + node.name() + ", " + e.where(), e.remedy(), e)
              .toFailedWork();
        }
      }
    }
    return new ProcessUsage(reader, metered, processes);
  }

  /** Closes what was opened, the last first. */
  public static void closeAll(List<AutoCloseable> opened) {
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception e) {
        // Connections and threads that are gone already; figures are complete by now.
      }
    }
  }
}
