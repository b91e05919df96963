package org.calando.cli.layout;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.calando.core.energy.Spread;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Fraction;
import org.calando.core.layout.ReplicaLoad;
import org.calando.core.layout.TokenLayout;

/** A layout's tokens, and what each node then holds. */
final class TokenAnswer {
  private static final String PACKAGE = "org.apache.cassandra.dht.";

  private final TokenRequest request;
  private final TokenLayout layout;
  private final ReplicaLoad load;

  private TokenAnswer(TokenRequest request) {
    this.request = request;
    this.layout = TokenLayout.of(request.nodes(), request.share(), request.arrangement());
    this.load =
        ReplicaLoad.of(
            layout.ring(),
            RingArguments.placement(request.nodes(), request.replicationFactor(), request.racks()));
  }

  static TokenAnswer of(TokenRequest request) {
    return new TokenAnswer(request);
  }

  /** The answer of {@code --json}. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("layout", request.share().label());
    answer.put("arrangement", request.arrangement().name().toLowerCase(Locale.ROOT));
    answer.put("partitioner", request.partitioner().className());
    answer.put("parts", layout.parts());
    answer.put("warm", layout.warmNodes());
    answer.put("rf", request.replicationFactor());
    answer.put("racks", request.racks());
    Spread spread = load.spread();
    answer.put("replica_share_cv", spread.cv());
    answer.put("replica_share_max_min", spread.maxMin());
    for (int node = 1; node <= layout.nodes(); node++) {
      ObjectNode entry = answer.withArray("nodes").addObject();
      entry.put("node", node);
      entry.put("pool", pool(node));
      entry.withArray("tokens").add(token(node));
      entry.put("ownership", layout.ownership(node).toDouble());
      entry.put("replica_share", load.share(node).toDouble());
      entry.put("held", load.held(node).toDouble());
    }
    return answer;
  }

  /** The lines of each node's cassandra.yaml, a YAML document a node. */
  List<String> yaml() {
    List<String> lines = new ArrayList<>();
    for (int node = 1; node <= layout.nodes(); node++) {
      if (node > 1) {
        lines.add("---");
      }
      lines.add(
          "# node %d, %s: owns %s of the ring".formatted(node, pool(node), layout.ownership(node)));
      lines.add("num_tokens: 1");
      // In quotes, as a token of 127 bits is no number to every reader of YAML.
      lines.add("initial_token: \"" + token(node) + '"');
      lines.add("partitioner: " + PACKAGE + request.partitioner().className());
    }
    return lines;
  }

  /** The answer for people, in lines of at most 80 characters. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %d of %d nodes warm%s, %s"
            .formatted(
                request.share().label(),
                layout.warmNodes(),
                layout.nodes(),
                request.arrangement() == Arrangement.INTERLEAVED ? ", interleaved" : "",
                request.partitioner().className()));
    lines.add(parts());
    lines.add("");
    int width =
        IntStream.rangeClosed(1, layout.nodes()).map(n -> token(n).length()).max().orElse(0);
    String columns = "%5s  %-4s  %" + width + "s  %7s  %7s  %7s";
    lines.add(columns.formatted("node", "pool", "token", "owns %", "holds %", "load %"));
    for (int node = 1; node <= layout.nodes(); node++) {
      lines.add(
          columns.formatted(
              node,
              pool(node),
              token(node),
              percent(layout.ownership(node)),
              percent(load.held(node)),
              percent(load.share(node))));
    }
    lines.add("");
    legend(lines);
    return lines;
  }

  private String parts() {
    int parts = layout.parts();
    if (layout.warmNodes() == 0) {
      return "every node owns 1/" + parts + " of the ring";
    }
    String warm = "a warm node owns 2/" + parts + " of the ring";
    return layout.warmNodes() == layout.nodes() ? warm : warm + ", a cool one 1/" + parts;
  }

  private void legend(List<String> lines) {
    int replicas = request.replicationFactor();
    lines.add("owns     share of keys of which the node is the first replica");
    lines.add(
        "holds    share of keys of which it is one of %d replicas%s"
            .formatted(replicas, request.racks() > 1 ? " on " + request.racks() + " racks" : ""));
    lines.add("load     share of all replicas, and so of the writes; of the reads too, where");
    lines.add("         all replicas of a key are read alike");
    Spread spread = load.spread();
    lines.add(
        String.format(
            Locale.ROOT,
            "         variation over nodes (cv) %.3f, largest less smallest %.3f %%",
            spread.cv(),
            spread.maxMin() * 100));
  }

  private String pool(int node) {
    return layout.isWarm(node) ? "warm" : "cool";
  }

  private String token(int node) {
    return layout.token(node, request.partitioner()).toString();
  }

  private static String percent(Fraction share) {
    return String.format(Locale.ROOT, "%.3f", share.toDouble() * 100);
  }
}
