package org.calando.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.calando.local.LocalCluster;
import org.calando.power.PowerSource;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.schema.PowerSpec;

/** A cluster that the study has started on this machine, and ends. Not thread safe, as others. */
public abstract class StartedTarget implements Target {
  private final PowerSpec power;
  private final LocalCluster<?> cluster;
  private volatile Consumer<String> listener = process -> {};

  /** A cluster whose nodes' instruments a study's file may name. */
  protected StartedTarget(PowerSpec power, LocalCluster<?> cluster) {
    this.power = power;
    this.cluster = cluster;
    cluster.onUnexpectedExit(
        exit ->
            listener.accept("%s (exit code %d)".formatted(ended(exit.name()), exit.exitCode())));
  }

  /** A node of one process. */
  protected final Node node(String name, String address, String rack, long pid, Path log) {
    return node(name, address, rack, pid, log, List.of());
  }

  /** A node of several processes. */
  protected final Node node(
      String name, String address, String rack, long pid, Path log, List<Long> companions) {
    return new Node(
        name,
        address,
        rack,
        power.profile(),
        sources(name),
        Optional.empty(),
        OptionalLong.of(pid),
        Optional.of(log),
        companions);
  }

  /** What the study's file names, and the counters of this machine, which all nodes share. */
  private List<PowerSource> sources(String node) {
    List<PowerSource> sources = new ArrayList<>(power.nodes().getOrDefault(node, List.of()));
    if (sources.stream().noneMatch(source -> source.kind().equals(PowercapSource.KIND))) {
      sources.add(new PowercapSource(PowercapSource.SYSTEM));
    }
    return sources;
  }

  /** Hears of a process that has ended unasked; what it is called. */
  protected String ended(String process) {
    return process;
  }

  @Override
  public final void onProcessEnd(Consumer<String> newListener) {
    listener = newListener;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
