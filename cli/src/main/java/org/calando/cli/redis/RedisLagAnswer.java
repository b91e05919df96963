package org.calando.cli.redis;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.policy.clock.LagSpread;
import org.calando.core.policy.clock.ReadBreakdown;
import org.calando.core.policy.clock.WriteHeadroom;
import org.calando.core.policy.clock.WriteHeadroom.Verdict;
import org.calando.core.replication.Role;
import org.calando.core.replication.ServerUse;
import org.calando.store.redis.LagProbe.NodeLag;

/** How far replicas are behind, and at which clocks they would keep up. */
final class RedisLagAnswer {
  private static final double MICRO = 1e3;
  private static final double MILLI = 1e6;

  private final RedisLagRequest request;
  private final List<NodeLag> seen;
  private final RedisLagVerdict verdict;

  RedisLagAnswer(RedisLagRequest request, List<NodeLag> seen) {
    this.request = request;
    this.seen = List.copyOf(seen);
    this.verdict = RedisLagVerdict.of(request, this.seen);
  }

  /** Whether it tells at which clocks replicas keep up. */
  boolean isKnown() {
    return verdict.isKnown();
  }

  /** The answer of {@code --json}; what is not known is null. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("p_states", request.states().describe());
    answer.put("p_states_from", request.statesFrom());
    put(answer, "at_ghz", request.measuredGhz());
    put(answer, "master_cpu_per_write_over_replica", cpuRatio());
    put(answer, "slowest_ghz_that_keeps_up", verdict.slowestGhz());
    ArrayNode unknown = answer.putArray("unknown");
    for (RedisLagVerdict.Unknown one : verdict.unknown()) {
      ObjectNode entry = unknown.addObject();
      entry.put("node", one.node()).put("why", one.why()).put("remedy", one.remedy());
    }
    for (NodeLag node : seen) {
      node(answer.withArray("nodes").addObject(), node);
    }
    return answer;
  }

  private void node(ObjectNode entry, NodeLag node) {
    entry.put("node", node.node().name());
    entry.put("role", node.view().role().name().toLowerCase(Locale.ROOT));
    entry.put("link_up", node.view().word().linkUp());
    if (node.view().role() == Role.MASTER) {
      entry.put("connected_replicas", node.view().word().followers());
    }
    if (isReplica(node)) {
      ObjectNode lag = entry.putObject("lag");
      spread(lag.putObject("bytes"), node.lagBytes());
      spread(lag.putObject("operations"), operations(node));
      spread(lag.putObject("ms"), node.lagNanos().dividedBy(MILLI));
    }
    node.use().ifPresent(use -> use(entry, node, use));
  }

  private void use(ObjectNode entry, NodeLag node, ServerUse use) {
    put(entry, "seconds", use.seconds());
    put(entry, "writes_per_s", use.writesPerSecond());
    put(entry, "reads_per_s", use.readsPerSecond());
    put(entry, "bytes_per_write", use.bytesPerWrite());
    put(entry, "busy_share", use.busyShare());
    put(entry, "write_us", use.writeNanos() / MICRO);
    put(entry, "read_us", use.readNanos() / MICRO);
    if (isReplica(node)) {
      for (WriteHeadroom row : RedisLagVerdict.headroom(request, use)) {
        ObjectNode json = entry.withArray("clocks").addObject();
        put(json, "ghz", row.ghz());
        put(json, "arrival_us", row.arrivalNanos() / MICRO);
        put(json, "processing_us", row.processingNanos() / MICRO);
        put(json, "headroom", row.headroom());
        put(json, "busy_share", row.busyShare());
        put(json, "lag_factor", row.lagFactor());
        json.put("verdict", words(row.verdict()));
      }
    }
    ReadBreakdown read = read(use);
    if (!Double.isNaN(read.totalNanos())) {
      double slowdown = slowdown();
      ObjectNode json = entry.putObject("read");
      put(json, "look_up_us", read.lookUpNanos() / MICRO);
      put(json, "main_rest_us", read.mainRestNanos() / MICRO);
      put(json, "io_us", read.ioNanos() / MICRO);
      put(json, "slowest_us", read.slowNanos(slowdown) / MICRO);
      put(json, "slowest_offloaded_us", read.offloadedNanos(slowdown) / MICRO);
    }
  }

  /** The answer for people, in lines of at most 80 characters. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (NodeLag node : seen) {
      lines.addAll(lines(node));
    }
    lines.add("P-states: " + request.statesFrom());
    double ratio = cpuRatio();
    if (!Double.isNaN(ratio)) {
      lines.add(
          "The master needs %s times the CPU of a replica for a write.".formatted(number(ratio)));
    }
    lines.addAll(verdict.lines());
    return lines;
  }

  private List<String> lines(NodeLag node) {
    List<String> lines = new ArrayList<>();
    String role = node.view().role().name().toLowerCase(Locale.ROOT);
    lines.add(
        node.node().name()
            + ": "
            + role
            + (isReplica(node) && !node.view().word().linkUp() ? ", its link is down" : "")
            + (node.view().role() == Role.MASTER ? followers(node) : ""));
    if (node.use().isEmpty()) {
      lines.add("  was started again, or its counts were reset: look again");
      lines.add("");
      return lines;
    }
    ServerUse use = node.use().get();
    lines.add(
        "  %s writes/s, %s reads/s; busy %s"
            .formatted(
                number(use.writesPerSecond()),
                number(use.readsPerSecond()),
                percent(use.busyShare())));
    lines.add(
        "  CPU of a write %s us, of a read %s us"
            .formatted(number(use.writeNanos() / MICRO), number(use.readNanos() / MICRO)));
    if (isReplica(node)) {
      lines.add(spread("lag", node.lagBytes(), "bytes"));
      lines.add(spread("   ", operations(node), "operations"));
      lines.add(spread("   ", node.lagNanos().dividedBy(MILLI), "ms"));
      lines.addAll(headroomLines(use));
    }
    lines.addAll(readLines(use));
    lines.add("");
    return lines;
  }

  /** A replica that is down is unknown to its master, and so not looked at. */
  private static String followers(NodeLag node) {
    int count = node.view().word().followers();
    return ", %d %s connected".formatted(count, count == 1 ? "replica" : "replicas");
  }

  private List<String> headroomLines(ServerUse use) {
    List<String> lines = new ArrayList<>();
    String columns = "  %6s  %10s  %13s  %9s  %7s  %7s  %s";
    lines.add(
        columns.formatted(
            "GHz", "arrival us", "processing us", "head-room", "busy", "lag x", "verdict"));
    for (WriteHeadroom row : RedisLagVerdict.headroom(request, use)) {
      lines.add(
          columns.formatted(
              number(row.ghz()),
              number(row.arrivalNanos() / MICRO),
              number(row.processingNanos() / MICRO),
              percent(row.headroom()),
              percent(row.busyShare()),
              number(row.lagFactor()),
              words(row.verdict())));
    }
    return lines;
  }

  private List<String> readLines(ServerUse use) {
    ReadBreakdown read = read(use);
    if (Double.isNaN(read.totalNanos())) {
      return List.of();
    }
    double slowdown = slowdown();
    return List.of(
        "  a read: look up %s us, receive and send %s us, I/O threads %s us"
            .formatted(
                number(read.lookUpNanos() / MICRO),
                number(read.mainRestNanos() / MICRO),
                number(read.ioNanos() / MICRO)),
        "  together %s us; at the slowest clock %s us, with fast I/O threads %s us"
            .formatted(
                number(read.totalNanos() / MICRO),
                number(read.slowNanos(slowdown) / MICRO),
                number(read.offloadedNanos(slowdown) / MICRO)));
  }

  private ReadBreakdown read(ServerUse use) {
    return ReadBreakdown.of(use, request.states().fastestGhz() / request.measuredGhz());
  }

  /** From the fastest clock to the slowest. */
  private double slowdown() {
    var states = request.states().states();
    return request.states().fastestGhz() / states.get(states.size() - 1).ghz();
  }

  private static LagSpread operations(NodeLag node) {
    double bytes = node.use().map(ServerUse::bytesPerWrite).orElse(Double.NaN);
    return node.lagBytes().dividedBy(bytes > 0 ? bytes : Double.NaN);
  }

  private static boolean isReplica(NodeLag node) {
    return node.view().role() == Role.REPLICA;
  }

  /** CPU time of a write at the master over the mean of the replicas; NaN if unknown. */
  private double cpuRatio() {
    double master = meanWrite(Role.MASTER);
    return master / meanWrite(Role.REPLICA);
  }

  private double meanWrite(Role role) {
    return seen.stream()
        .filter(node -> node.view().role() == role)
        .map(NodeLag::use)
        .flatMap(Optional::stream)
        .mapToDouble(ServerUse::writeNanos)
        .average()
        .orElse(Double.NaN);
  }

  private static String words(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static void spread(ObjectNode json, LagSpread spread) {
    json.put("looks", spread.looks());
    json.put("unknown", spread.unknown());
    put(json, "p50", spread.p50());
    put(json, "p99", spread.p99());
    put(json, "max", spread.max());
  }

  private static String spread(String name, LagSpread spread, String unit) {
    return "  %s  p50 %s, p99 %s, max %s %s"
        .formatted(name, number(spread.p50()), number(spread.p99()), number(spread.max()), unit);
  }

  private static void put(ObjectNode json, String name, double value) {
    if (Double.isFinite(value)) {
      json.put(name, value);
    } else {
      json.putNull(name);
    }
  }

  private static String percent(double share) {
    return Double.isFinite(share) ? number(share * 100) + " %" : "-";
  }

  /** Three digits, or - where it is not known. */
  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
