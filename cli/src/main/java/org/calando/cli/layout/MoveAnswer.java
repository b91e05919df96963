package org.calando.cli.layout;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.calando.core.layout.Fraction;
import org.calando.core.layout.MovePlan;
import org.calando.core.layout.MovePlan.Move;
import org.calando.core.layout.TokenLayout;

/** The moves that bring a cluster into a layout, and what each streams. */
final class MoveAnswer {
  private static final int MOST_RECEIVERS = 3;
  private static final BigDecimal NEXT_UNIT = new BigDecimal("999.5");
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};

  private final MoveRequest request;
  private final TokenLayout layout;
  private final MovePlan plan;

  private MoveAnswer(MoveRequest request) {
    this.request = request;
    int nodes = request.tokens().size();
    this.layout = TokenLayout.of(nodes, request.share(), request.arrangement());
    this.plan =
        MovePlan.of(
            layout,
            request.partitioner(),
            request.tokens(),
            RingArguments.placement(nodes, request.replicationFactor(), request.racks()));
  }

  /**
   * The answer.
   *
   * @throws org.calando.core.BadRequestException if the tokens are no ring
   */
  static MoveAnswer of(MoveRequest request) {
    return new MoveAnswer(request);
  }

  /** The answer of {@code --json}. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("layout", request.share().label());
    answer.put("partitioner", request.partitioner().className());
    answer.put("rf", request.replicationFactor());
    answer.put("racks", request.racks());
    put(answer, "streamed", plan.streamed());
    put(answer, "at_least", plan.change());
    ArrayNode moves = answer.putArray("moves");
    for (Move move : plan.moves()) {
      ObjectNode entry = moves.addObject();
      entry.put("node", move.node());
      entry.put("from", move.from().toString());
      entry.put("to", move.to().toString());
      put(entry, "streamed", move.streamed());
      ArrayNode received = entry.putArray("received");
      move.received()
          .forEach((node, share) -> put(received.addObject().put("node", node), "share", share));
    }
    plan.tokens().forEach(token -> answer.withArray("tokens").add(token.toString()));
    return answer;
  }

  private void put(ObjectNode node, String name, Fraction share) {
    node.put(name, share.toDouble());
    if (request.dataBytes().isPresent()) {
      node.put(name + "_bytes", bytes(share));
    }
  }

  /** The answer for people; of at most 80 characters a line with tokens of Murmur3. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "to %s: %d of %d nodes warm, %s"
            .formatted(
                request.share().label(),
                layout.warmNodes(),
                layout.nodes(),
                request.partitioner().className()));
    if (plan.moves().isEmpty()) {
      lines.add("nothing to move: every node is where it belongs");
      return lines;
    }
    lines.add("dry run: nothing is moved");
    lines.add("");
    int width = plan.moves().stream().mapToInt(m -> m.to().toString().length()).max().orElse(0);
    String row = "%5s  %5s  %" + width + "s  %9s  %s";
    lines.add(row.formatted("step", "node", "to token", "streams", "to nodes"));
    int step = 0;
    for (Move move : plan.moves()) {
      lines.add(
          row.formatted(++step, move.node(), move.to(), amount(move.streamed()), receivers(move)));
    }
    lines.add("");
    legend(lines);
    return lines;
  }

  private void legend(List<String> lines) {
    lines.add(
        "in all   %s; %s if every node could move at once"
            .formatted(amount(plan.streamed()), amount(plan.change())));
    Fraction anew = Fraction.of(request.replicationFactor(), 1);
    if (plan.streamed().compareTo(anew) > 0) {
      lines.add("         more than a new data centre in this layout is sent: " + amount(anew));
    }
    lines.add("streams  what nodes become replicas of by the move, as a share of all keys");
    if (request.dataBytes().isPresent()) {
      lines.add(
          "         times "
              + size(BigInteger.valueOf(request.dataBytes().getAsLong()))
              + ", the data with one replica each");
    }
    lines.add("steps    one after the other: nodetool move, then nodetool cleanup on all nodes");
  }

  private String amount(Fraction share) {
    return request.dataBytes().isPresent()
        ? size(bytes(share))
        : String.format(Locale.ROOT, "%.3f %%", share.toDouble() * 100);
  }

  private static String receivers(Move move) {
    if (move.received().isEmpty()) {
      return "-";
    }
    String first =
        move.received().keySet().stream()
            .limit(MOST_RECEIVERS)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    int more = move.received().size() - MOST_RECEIVERS;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private BigInteger bytes(Fraction share) {
    return new BigDecimal(share.numerator())
        .multiply(BigDecimal.valueOf(request.dataBytes().orElseThrow()))
        .divide(new BigDecimal(share.denominator()), 0, RoundingMode.HALF_UP)
        .toBigInteger();
  }

  /** Three digits and a unit, powers of 1024 as in study files. */
  static String size(BigInteger bytes) {
    BigDecimal amount = new BigDecimal(bytes);
    int unit = 0;
    while (amount.compareTo(NEXT_UNIT) >= 0 && unit < UNITS.length - 1) {
      amount = amount.divide(BigDecimal.valueOf(1024), MathContext.DECIMAL64);
      unit++;
    }
    return String.format(Locale.ROOT, "%.3g %s", amount, UNITS[unit]);
  }
}
