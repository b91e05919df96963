package org.calando.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.control.OffSetting;
import org.calando.core.layout.rack.RackOrder;
import org.calando.gears.GearDoctor.Finding;
import org.calando.gears.rack.RackStatus;
import org.calando.store.cassandra.gear.NodeSight;

/** What gear commands about racks answer. Stateless. */
final class GearRackAnswer {
  private GearRackAnswer() {}

  static Answer plan(
      int from, int to, RackOrder order, List<String> steps, Optional<GearPrice> price) {
    Answer answer = GearAnswer.plan(from, to, steps, price);
    order.offIn(to).forEach(answer.json().putArray("off")::add);
    order.nodesOf(order.offIn(to)).forEach(answer.json().putArray("nodes_off")::add);
    return answer;
  }

  static Answer shifted(int from, int to, OffSetting now) {
    ObjectNode json = Answer.object().put("from", from).put("gear", to).put("dry_run", false);
    now.off().forEach(json.putArray("off")::add);
    return new Answer(json, List.of("in gear " + to + ": " + now.words()));
  }

  /** Of what is wrong; well if nothing is. */
  static Answer of(List<RackStatus.Problem> problems) {
    ObjectNode json = Answer.object().put("well", problems.isEmpty());
    List<String> lines = new ArrayList<>();
    put(problems, json, lines);
    if (problems.isEmpty()) {
      lines.add("ok      racks may go off, as far as can be seen now");
    }
    return new Answer(json, lines);
  }

  /** Of a status. */
  static Answer of(RackStatus status) {
    ObjectNode json = Answer.object().put("well", status.isWell());
    status.setting().off().forEach(json.putArray("off")::add);
    status.unfinished().ifPresent(plan -> json.put("unfinished_to", plan.value()));
    List<String> lines = new ArrayList<>();
    lines.add(status.setting().words());
    lines.add(
        String.format(
            Locale.ROOT,
            "%-12s %-20s %-6s %-8s %-14s %7s %10s",
            "node",
            "rack",
            "to be",
            "power",
            "is",
            "owes to",
            "keeps for"));
    ArrayNode nodes = json.putArray("nodes");
    for (RackStatus.Node node : status.nodes()) {
      ObjectNode each = nodes.addObject();
      each.put("name", node.name()).put("off", node.off()).put("power", Answer.words(node.power()));
      node.sight().ifPresent(sight -> put(each, sight));
      lines.add(line(node));
    }
    put(status.findings(), json, lines);
    return new Answer(json, lines);
  }

  private static void put(ObjectNode json, NodeSight sight) {
    json.put("rack", sight.node().place())
        .put("mode", sight.mode())
        .put("serves", sight.serves())
        .put("hints_written", sight.hints().written())
        .put("hints_delivered", sight.hints().delivered())
        .put("hints_for_nodes", sight.hints().targets().size())
        .put("hint_window_ms", sight.hints().windowMillis())
        .put("hints_not_kept", sight.hints().notKept());
  }

  private static String line(RackStatus.Node node) {
    NodeSight sight = node.sight().orElse(null);
    return String.format(
        Locale.ROOT,
        "%-12s %-20s %-6s %-8s %-14s %7s %10s",
        node.name(),
        sight == null ? "-" : sight.node().place(),
        node.off() ? "off" : "on",
        Answer.words(node.power()),
        sight == null
            ? "silent"
            : sight.serves()
                ? "serving"
                : sight.mode().equals(NodeSight.NORMAL)
                    ? "held"
                    : sight.mode().toLowerCase(Locale.ROOT),
        sight == null ? "-" : Integer.toString(sight.hints().targets().size()),
        sight == null
            ? "-"
            : String.format(Locale.ROOT, "%.1f h", sight.hints().windowMillis() / 3.6e6));
  }

  private static void put(List<RackStatus.Problem> problems, ObjectNode json, List<String> lines) {
    GearAnswer.put(
        problems.stream()
            .map(found -> new Finding(found.where(), false, found.problem(), found.remedy()))
            .toList(),
        json,
        lines);
  }
}
