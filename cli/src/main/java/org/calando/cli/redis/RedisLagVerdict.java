package org.calando.cli.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.clock.WriteHeadroom;
import org.calando.core.policy.clock.WriteHeadroom.Verdict;
import org.calando.core.replication.Role;
import org.calando.core.replication.ServerUse;
import org.calando.schema.Units;
import org.calando.store.redis.LagProbe.NodeLag;

/**
 * At which clocks every replica keeps up with ease. Immutable.
 *
 * @param slowestGhz the slowest of them; NaN if there is none, or it cannot be told
 * @param unknown why it cannot be told; empty if it can
 */
record RedisLagVerdict(double slowestGhz, List<Unknown> unknown) {
  /** What is not known of a node, and how to find out. */
  record Unknown(String node, String why, String remedy) {}

  /** Of what was seen; a replica that is known not to keep up settles it, whatever others do. */
  static RedisLagVerdict of(RedisLagRequest request, List<NodeLag> seen) {
    List<NodeLag> replicas =
        seen.stream().filter(node -> node.view().role() == Role.REPLICA).toList();
    List<Unknown> unknown = new ArrayList<>();
    if (replicas.isEmpty()) {
      unknown.add(
          new Unknown(
              request.nodes().get(0).name(), "no replica was found", "name one that is up"));
    }
    for (NodeLag replica : replicas) {
      Verdict fastest = verdict(request, replica, 0);
      if (fastest == Verdict.UNKNOWN) {
        unknown.add(unknown(request, replica));
      } else if (fastest != Verdict.KEEPS_UP) {
        return new RedisLagVerdict(Double.NaN, List.of());
      }
    }
    double slowest = unknown.isEmpty() ? slowest(request, replicas) : Double.NaN;
    return new RedisLagVerdict(slowest, List.copyOf(unknown));
  }

  private static double slowest(RedisLagRequest request, List<NodeLag> replicas) {
    double slowest = Double.NaN;
    for (int i = 0; i < request.states().states().size(); i++) {
      int row = i;
      if (replicas.stream().allMatch(node -> verdict(request, node, row) == Verdict.KEEPS_UP)) {
        slowest = request.states().states().get(i).ghz();
      }
    }
    return slowest;
  }

  private static Verdict verdict(RedisLagRequest request, NodeLag node, int clock) {
    return node.use()
        .map(use -> headroom(request, use).get(clock).verdict())
        .orElse(Verdict.UNKNOWN);
  }

  /** What a node has to spare at each clock, the fastest first. */
  static List<WriteHeadroom> headroom(RedisLagRequest request, ServerUse use) {
    return WriteHeadroom.of(use, request.states(), request.measuredGhz(), request.busyLimit());
  }

  private static Unknown unknown(RedisLagRequest request, NodeLag replica) {
    String node = replica.node().name();
    Optional<ServerUse> use = replica.use();
    if (use.isEmpty()) {
      return new Unknown(node, "was started again, or its counts were reset", "look again");
    }
    if (!(use.get().writesPerSecond() > 0)) {
      return new Unknown(
          node,
          "no write arrived in " + Units.formatNanos(request.lookNanos()),
          "look while there are writes, longer by " + RedisLagArguments.FOR);
    }
    return new Unknown(
        node,
        "its CPU time is not known, as of a server on another machine",
        "look from the machine that it runs on");
  }

  /** Whether there is an answer, be it that there is no such clock. */
  boolean isKnown() {
    return unknown.isEmpty();
  }

  /** For people. */
  List<String> lines() {
    if (isKnown()) {
      return List.of(
          Double.isNaN(slowestGhz)
              ? "At no clock would every replica keep up with ease."
              : "Every replica would keep up with ease at " + slowestGhz + " GHz.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("It is not known at which clocks every replica would keep up with ease:");
    for (Unknown one : unknown) {
      lines.add("  " + one.node() + ": " + one.why());
      lines.add("    " + one.remedy());
    }
    return lines;
  }
}
