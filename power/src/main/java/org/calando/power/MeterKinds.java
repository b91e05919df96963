package org.calando.power;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The kinds of meters. */
final class MeterKinds {
  private static final int MOST_NAMES = 5;

  private MeterKinds() {}

  /**
   * Meters that read instruments.
   *
   * @param id the kind of the nodes' sources
   * @param sourceName what a node must name, in words
   */
  record Instruments(String id, String sourceName) implements MeterFactory {
    @Override
    public String obstacle(List<MeteredNode> nodes, UsageSource usage) {
      List<String> without =
          nodes.stream().filter(node -> node.source(id).isEmpty()).map(MeteredNode::name).toList();
      if (!without.isEmpty()) {
        String whose = without.size() == nodes.size() ? "no node" : "not for " + some(without);
        return "no " + sourceName + " is named: " + whose;
      }
      List<String> unknown = sharedWithoutUsage(nodes, usage);
      return unknown.isEmpty()
          ? ""
          : "several nodes are on one meter and nothing reports the CPU time of "
              + some(unknown)
              + " (pid or metrics), by which its energy would be divided";
    }

    private List<String> sharedWithoutUsage(List<MeteredNode> nodes, UsageSource usage) {
      Set<PowerSource> seen = new HashSet<>();
      Set<PowerSource> shared =
          nodes.stream()
              .map(node -> node.source(id).orElseThrow())
              .filter(source -> !seen.add(source))
              .collect(Collectors.toSet());
      return IntStream.range(0, nodes.size())
          .filter(i -> shared.contains(nodes.get(i).source(id).orElseThrow()))
          .filter(i -> !usage.knows(i))
          .mapToObj(i -> nodes.get(i).name())
          .toList();
    }

    @Override
    public Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
        throws MeterException, InterruptedException {
      return SourceMeter.open(id, nodes, usage, ticker, intervalNanos);
    }
  }

  /** The model, from CPU time. */
  static final class Model implements MeterFactory {
    private static final long FIRST_READING_NANOS = 10_000_000_000L;

    @Override
    public String id() {
      return ModelMeter.ID;
    }

    @Override
    public String obstacle(List<MeteredNode> nodes, UsageSource usage) {
      List<String> unknown =
          IntStream.range(0, nodes.size())
              .filter(i -> !usage.knows(i))
              .mapToObj(i -> nodes.get(i).name())
              .toList();
      if (!unknown.isEmpty()) {
        return "nothing reports the CPU time of "
            + some(unknown)
            + " (pid of a process on this machine, or metrics)";
      }
      return nodes.stream()
          .filter(node -> !node.profile().problems().isEmpty())
          .map(
              node ->
                  "profile of node %s: %s"
                      .formatted(node.name(), String.join(", ", node.profile().problems())))
          .collect(Collectors.joining("; "));
    }

    @Override
    public Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
        throws MeterException, InterruptedException {
      usage.refresh(ticker.nanos() + FIRST_READING_NANOS).await();
      return new ModelMeter(
          usage,
          nodes.stream().map(MeteredNode::profile).toList(),
          ProcessCpu.ofThisMachine().tickNanos());
    }
  }

  private static String some(List<String> names) {
    int shown = Math.min(MOST_NAMES, names.size());
    String more = names.size() > shown ? " and " + (names.size() - shown) + " more" : "";
    return String.join(", ", names.subList(0, shown)) + more;
  }
}
