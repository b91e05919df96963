package org.calando.cli.layout;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.core.layout.MoveForecast.Step;
import org.calando.store.cassandra.RingKeyspace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;

/** What the moves of a live cluster would do. */
final class LiveMoveAnswer {
  private static final int MOST_KEYSPACES = 8;
  private static final int MOST_NAMES = 4;
  private static final int WIDEST_NAME = 12;

  private static final int WIDTH = 80;

  private final LiveMovePlan plan;
  private final RingState ring;
  private final List<String> notes;

  /**
   * An answer.
   *
   * @param notes that stand above the tables
   */
  LiveMoveAnswer(LiveMovePlan plan, List<String> notes) {
    this.plan = plan;
    this.ring = plan.ring();
    this.notes = List.copyOf(notes);
  }

  private static void wrap(List<String> lines, String note) {
    StringBuilder line = new StringBuilder();
    for (String word : note.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
        line.append("     ");
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
  }

  /** How a node is told to move where nobody does it for the user. */
  static String command(RingNode node, BigInteger token) {
    return "nodetool -h %s move -- %s"
        .formatted(node.address().getAddress().getHostAddress(), token);
  }

  /** The answer of {@code --json}. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("cluster", ring.cluster());
    answer.put("layout", plan.label());
    answer.put("partitioner", ring.partitioner().className());
    answer.put("dry_run", true);
    answer.put("cleanup", plan.to().cleanup());
    answer.put("exact_sizes", ring.exactSizes());
    answer.put("streamed_bytes", plan.forecast().streamedBytes());
    notes.forEach(note -> answer.withArray("notes").add(note));
    ArrayNode keyspaces = answer.putArray("keyspaces");
    for (RingKeyspace keyspace : ring.keyspaces()) {
      ObjectNode entry = keyspaces.addObject();
      entry.put("keyspace", keyspace.name());
      entry.put("replicas", replicas(keyspace));
      entry.put("bytes", ring.bytes(keyspace.name()));
    }
    ArrayNode nodes = answer.putArray("nodes");
    for (int i = 1; i <= ring.nodes().size(); i++) {
      RingNode node = ring.nodes().get(i - 1);
      ObjectNode entry = nodes.addObject();
      entry.put("node", node.name());
      entry.put("address", node.address().getAddress().getHostAddress());
      entry.put("token", node.tokens().get(0).toString());
      entry.put("token_after", String.valueOf(plan.to().tokens().get(node.hostId())));
      entry.put("ownership", plan.forecast().ownedBefore(i).toDouble());
      entry.put("ownership_after", plan.forecast().ownedAfter(i).toDouble());
      entry.put(
          "disk_bytes", node.bytesByKeyspace().values().stream().mapToLong(Long::longValue).sum());
      entry.put("held_bytes", plan.forecast().heldBefore(i));
      entry.put("held_bytes_after", plan.forecast().heldAfter(i));
    }
    ArrayNode moves = answer.putArray("moves");
    for (Step step : plan.forecast().steps()) {
      RingNode node = ring.nodes().get(step.node() - 1);
      ObjectNode entry = moves.addObject();
      entry.put("node", node.name());
      entry.put("from", step.from().toString());
      entry.put("to", step.to().toString());
      entry.put("streamed_bytes", step.streamedBytes());
      entry.set("received", byNode(step.received()));
      entry.set("given", byNode(step.given()));
      entry.put("command", command(node, step.to()));
    }
    return answer;
  }

  private ObjectNode byNode(Map<Integer, Long> bytes) {
    ObjectNode named = new ObjectMapper().createObjectNode();
    bytes.forEach((node, size) -> named.put(ring.nodes().get(node - 1).name(), size));
    return named;
  }

  private int replicas(RingKeyspace keyspace) {
    return keyspace.placement(ring.nodes()).map(p -> p.replicationFactor()).orElse(0);
  }

  /** The answer for people; of at most 80 characters a line with tokens of Murmur3. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "to %s: %d nodes of cluster %s, %s"
            .formatted(
                plan.label(), ring.nodes().size(), ring.cluster(), ring.partitioner().className()));
    notes.forEach(note -> wrap(lines, note));
    if (plan.isEmpty()) {
      lines.add("nothing to move: every node is where it belongs");
      return lines;
    }
    lines.add("dry run: nothing is moved");
    lines.add("");
    data(lines);
    lines.add("");
    nodes(lines);
    lines.add("");
    steps(lines);
    lines.add("");
    legend(lines);
    return lines;
  }

  private void data(List<String> lines) {
    List<RingKeyspace> held =
        ring.keyspaces().stream()
            .filter(keyspace -> ring.bytes(keyspace.name()) > 0 && replicas(keyspace) > 0)
            .toList();
    if (held.isEmpty()) {
      lines.add("no data on disk: nothing would be streamed");
    }
    held.stream()
        .limit(MOST_KEYSPACES)
        .forEach(
            keyspace ->
                lines.add(
                    "keyspace %-30s %2d replicas  %9s on disk"
                        .formatted(
                            cut(keyspace.name(), 30),
                            replicas(keyspace),
                            size(ring.bytes(keyspace.name())))));
    if (held.size() > MOST_KEYSPACES) {
      lines.add("and %d more".formatted(held.size() - MOST_KEYSPACES));
    }
  }

  private void nodes(List<String> lines) {
    String row = " %-12s  %8s  %8s    %10s  %10s";
    lines.add(row.formatted("node", "owns %", "then %", "holds", "then"));
    for (int i = 1; i <= ring.nodes().size(); i++) {
      lines.add(
          row.formatted(
              cut(ring.nodes().get(i - 1).name(), WIDEST_NAME),
              percent(plan.forecast().ownedBefore(i).toDouble()),
              percent(plan.forecast().ownedAfter(i).toDouble()),
              size(plan.forecast().heldBefore(i)),
              size(plan.forecast().heldAfter(i))));
    }
  }

  private void steps(List<String> lines) {
    int width =
        plan.forecast().steps().stream()
            .mapToInt(step -> Math.max(length(step.from()), length(step.to())))
            .max()
            .orElse(10);
    String row = "%5s %-12s %" + width + "s  %" + width + "s  %9s";
    lines.add(row.formatted("step", "node", "from token", "to token", "streams"));
    int number = 0;
    for (Step step : plan.forecast().steps()) {
      lines.add(
          row.formatted(
              ++number,
              cut(ring.nodes().get(step.node() - 1).name(), WIDEST_NAME),
              step.from(),
              step.to(),
              size(step.streamedBytes())));
      if (step.streamedBytes() > 0) {
        lines.add("      to " + names(step.received()) + "; from " + names(step.given()));
      }
    }
    if (plan.to().cleanup()) {
      lines.add("%5s cleanup of every node, one after the other".formatted("then"));
    }
  }

  private void legend(List<String> lines) {
    lines.add(
        "in all   %s; what each move streams, of data on disk%s"
            .formatted(
                size(plan.forecast().streamedBytes()),
                ring.exactSizes() ? "" : " in whole MiB a table"));
    lines.add("holds    as a replica, keys being spread evenly; after a cleanup");
    if (!plan.to().cleanup()) {
      lines.add("cleanup  none: nodes keep on disk what they no longer own, until --cleanup");
    }
    if (ring.nodes().stream().anyMatch(node -> node.jmx().isEmpty())) {
      lines.add("by hand  one after the other, waiting for the end of each:");
      plan.forecast()
          .steps()
          .forEach(step -> lines.add("  " + command(ring.nodes().get(step.node() - 1), step.to())));
    }
  }

  private String names(Map<Integer, Long> bytes) {
    String first =
        bytes.keySet().stream()
            .limit(MOST_NAMES)
            .map(node -> cut(ring.nodes().get(node - 1).name(), WIDEST_NAME))
            .collect(Collectors.joining(", "));
    int more = bytes.size() - MOST_NAMES;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private static int length(BigInteger token) {
    return token.toString().length();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3f", share * 100);
  }

  private static String cut(String name, int most) {
    return name.length() <= most ? name : name.substring(0, most - 1) + "~";
  }

  private static String size(long bytes) {
    return MoveAnswer.size(BigInteger.valueOf(bytes));
  }
}
