package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.calando.control.OffSetting;
import org.calando.gears.idle.IdlePlan;
import org.calando.gears.idle.IdleStatus;
import org.calando.gears.idle.Nearness;

/** What idle commands answer. Stateless. */
final class IdleAnswer {
  private static final double MEGA = 1e6;

  private IdleAnswer() {}

  static Answer plan(IdlePlan plan, Optional<GearPrice> price) {
    ObjectNode json = Answer.object();
    put(json, "from", plan.from());
    put(json, "to", plan.to());
    json.put("dry_run", true);
    plan.steps().forEach(json.putArray("steps")::add);
    json.putArray("moves");
    for (IdlePlan.Move move : plan.moves()) {
      ObjectNode each = json.withArray("moves").addObject();
      each.put("region", move.region())
          .put("table", move.table())
          .put("from", move.from())
          .put("to", move.to())
          .put("bytes", move.bytes());
      if (plan.nearAfter().isPresent()) {
        each.put("near_bytes", move.nearBytes());
      }
    }
    json.put("near_before", plan.nearBefore());
    plan.nearAfter().ifPresent(near -> json.put("near_after", near));
    json.put("data_nodes", plan.staying());
    json.put("copies", plan.copies());
    plan.obstacle().ifPresent(why -> json.put("obstacle", why));
    List<String> lines = lines(plan);
    price.ifPresent(known -> known.addTo(json, lines));
    return new Answer(json, lines);
  }

  private static List<String> lines(IdlePlan plan) {
    List<String> lines = new ArrayList<>();
    lines.add("from " + plan.from().words() + " to " + plan.to().words() + ":");
    plan.steps().forEach(step -> lines.add("  " + step));
    boolean down = plan.nearAfter().isPresent();
    for (IdlePlan.Move move : plan.moves()) {
      String near =
          down ? String.format(Locale.ROOT, ", %.1f of it near", move.nearBytes() / MEGA) : "";
      lines.add(
          String.format(
              Locale.ROOT,
              "  region %s of %s (%.1f MB%s) from %s to %s",
              move.region(),
              move.table(),
              move.bytes() / MEGA,
              near,
              move.from(),
              move.to()));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "bytes beside their regions' servers: %.0f %% before, %s after",
            100 * plan.nearBefore(),
            down ? percent(plan.nearAfter()) : "not known"));
    if (plan.staying() < plan.copies()) {
      lines.add(
          "new blocks get "
              + plan.staying()
              + " of "
              + plan.copies()
              + " copies until the nodes wake: a strong write is on so many DataNodes");
    }
    plan.obstacle().ifPresent(why -> lines.add("it would fail: " + why));
    return lines;
  }

  static Answer shifted(
      OffSetting from,
      OffSetting to,
      Nearness before,
      Nearness after,
      double seconds,
      Set<String> strays) {
    ObjectNode json = Answer.object();
    put(json, "from", from);
    put(json, "asleep", to);
    json.put("dry_run", false);
    json.put("near_before", before.all());
    json.put("near_after", after.all());
    json.put("shift_s", seconds);
    strays.forEach(json.putArray("not_right")::add);
    List<String> lines = new ArrayList<>();
    lines.add(to.words());
    lines.add(
        String.format(
            Locale.ROOT,
            "bytes beside their regions' servers: %.0f %% before, %.0f %% now; %.1f s",
            100 * before.all(),
            100 * after.all(),
            seconds));
    if (!strays.isEmpty()) {
      lines.add(
          "should be awake, and are not: "
              + String.join(", ", strays)
              + "; see ./calando idle status --local, and name them by ./calando idle up --local --node");
    }
    return new Answer(json, lines);
  }

  static Answer of(IdleStatus status) {
    ObjectNode json = Answer.object();
    json.put("settled", status.isSettled());
    json.put("near", status.near());
    json.put("balancer", status.balancer());
    json.put("balancer_owed", status.balancerOwed());
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%-6s %-7s %-22s %-9s %-22s %8s %6s %6s",
            "node",
            "is",
            "RegionServer",
            "regions",
            "DataNode",
            "power",
            "near",
            "hbase"));
    for (IdleStatus.Node node : status.nodes()) {
      ObjectNode each = json.withArray("nodes").addObject();
      each.put("node", node.node().name());
      each.put("asleep", node.asleep());
      each.put("server", node.node().server());
      each.put("server_live", node.server().live());
      each.put("server_power", Answer.words(node.server().power()));
      each.put("data_node", node.node().dataNode());
      each.put("service", Answer.words(node.dataNode().member().service()));
      each.put("data_node_power", Answer.words(node.dataNode().power()));
      each.put("drained", node.server().drained());
      each.put("regions", node.server().regions());
      each.put("regions_away", node.away());
      node.near().ifPresent(near -> each.put("near", near));
      node.hbaseNear().ifPresent(near -> each.put("hbase_locality", near));
      lines.add(
          String.format(
              Locale.ROOT,
              "%-6s %-7s %-22s %-9s %-22s %8s %6s %6s",
              node.node().name(),
              node.asleep() ? "asleep" : "awake",
              node.node().server() + (node.server().live() ? "" : " off"),
              node.asleep() ? node.away() + " away" : Integer.toString(node.server().regions()),
              Answer.words(node.dataNode().member().service()),
              Answer.words(node.dataNode().power()),
              percent(node.near()),
              percent(node.hbaseNear())));
    }
    lines.add("HBase's balancer is " + (status.balancer() ? "on" : "off"));
    for (IdleStatus.Node node : status.nodes()) {
      if (node.server().drained()) {
        lines.add(node.node().name() + "'s server is marked as draining: it gets no regions");
      }
    }
    status
        .unfinished()
        .ifPresent(last -> put(json, "unfinished_to", OffSetting.parse(last.value())));
    json.put("well", status.isSettled());
    json.put("unreadable_blocks", status.unreadable());
    GearAnswer.put(status.findings(), json, lines);
    return new Answer(json, lines);
  }

  private static void put(ObjectNode json, String key, OffSetting setting) {
    setting.off().forEach(json.putArray(key)::add);
  }

  private static String percent(OptionalDouble share) {
    return share.isPresent()
        ? String.format(Locale.ROOT, "%.0f %%", 100 * share.getAsDouble())
        : "-";
  }
}
