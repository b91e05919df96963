package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.NetworkUsage;
import org.calando.power.NodeProcess;
import org.calando.power.NodeUsage;
import org.calando.power.ProcessCpu;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;
import org.calando.power.host.HostSource;
import org.calando.power.host.RemoteUsage;

/**
 * What tells the nodes' CPU, memory, disk and network: the process of a node on this machine, the
 * exporter of one elsewhere, nothing for the rest. Not thread safe.
 */
final class NodeUse implements AutoCloseable {
  private final UsageSource source;
  private final List<AutoCloseable> opened;

  private NodeUse(UsageSource source, List<AutoCloseable> opened) {
    this.source = source;
    this.opened = opened;
  }

  /**
   * Sources for the nodes as they are now.
   *
   * @param nodes the nodes
   * @param traffic what their engines count of the network; empty if it is not to be asked
   * @throws org.calando.core.FailedWorkException if a node's process has ended
   */
  static NodeUse of(List<Target.Node> nodes, Optional<NetworkUsage.Counters> traffic) {
    Ticker ticker = Ticker.system();
    List<MeteredNode> metered =
        nodes.stream().map(node -> new MeteredNode(node.name(), node.profile())).toList();
    List<Optional<HostSource>> hosts =
        nodes.stream()
            .map(node -> node.pid().isPresent() ? Optional.<HostSource>empty() : node.metrics())
            .toList();
    RemoteUsage remote = new RemoteUsage(metered, hosts, Processes.of(nodes), ticker);
    List<AutoCloseable> opened = new ArrayList<>(List.of(remote));
    UsageSource source = remote;
    if (traffic.isPresent()) {
      NetworkUsage network = new NetworkUsage(remote, traffic.get(), nodes.size(), ticker);
      opened.add(network);
      source = network;
    }
    return new NodeUse(source, opened);
  }

  UsageSource source() {
    return source;
  }

  @Override
  public void close() {
    RunMeter.closeAll(opened);
  }

  /** The processes of those nodes that have one here. */
  private static final class Processes implements UsageSource {
    private final ProcessCpu reader = ProcessCpu.ofThisMachine();
    private final List<String> names = new ArrayList<>();
    private final List<Optional<NodeProcess>> processes = new ArrayList<>();

    static Processes of(List<Target.Node> nodes) {
      Processes all = new Processes();
      for (Target.Node node : nodes) {
        all.names.add(node.name());
        try {
          all.processes.add(
              node.pid().isPresent()
                  ? Optional.of(all.reader.identify(node.pid().getAsLong()))
                  : Optional.empty());
        } catch (MeterException e) {
          throw all.named(node.name(), e).toFailedWork();
        }
      }
      return all;
    }

    private MeterException named(String node, MeterException e) {
      return new MeterException(e.what(), "node " + node + ", " + e.where(), e.remedy(), e);
    }

    @Override
    public boolean knows(int node) {
      return processes.get(node).isPresent();
    }

    @Override
    public NodeUsage read(int node) throws MeterException {
      NodeProcess process =
          processes
              .get(node)
              .orElseThrow(
                  () ->
                      new MeterException(
                          "nobody tells what it uses",
                          "node " + names.get(node),
                          "give its pid or metrics in the inventory"));
      try {
        return reader.read(process);
      } catch (MeterException e) {
        throw named(names.get(node), e);
      }
    }
  }
}
