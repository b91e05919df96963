package org.calando.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearSetting;
import org.calando.gears.GearStatus;
import org.calando.gears.Member;

/** What gear commands answer. Stateless. */
final class GearAnswer {
  private static final double MEGA = 1e6;

  private GearAnswer() {}

  static Answer plan(int from, int to, List<String> steps, Optional<GearPrice> price) {
    ObjectNode json = Answer.object().put("gear", from).put("to", to).put("dry_run", true);
    List<String> lines = new ArrayList<>();
    lines.add("from gear " + from + " to gear " + to + ":");
    for (String step : steps) {
      json.withArray("steps").add(step);
      lines.add("  " + step);
    }
    if (steps.isEmpty()) {
      lines.add("  nothing to do");
    }
    price.ifPresent(known -> known.addTo(json, lines));
    return new Answer(json, lines);
  }

  static Answer shifted(int from, int to, Optional<CatchUpTotals> totals) {
    ObjectNode json = Answer.object().put("from", from).put("gear", to).put("dry_run", false);
    totals.ifPresent(
        sum ->
            json.put("moved_replicas", sum.transfers())
                .put("moved_bytes", sum.bytes())
                .put("predicted_bytes", sum.predicted())
                .put("catch_up_s", sum.seconds()));
    return new Answer(json, List.of("in gear " + to));
  }

  static Answer of(GearDoctor doctor) {
    ObjectNode json = Answer.object().put("well", doctor.isWell());
    List<String> lines = new ArrayList<>();
    put(doctor.findings(), json, lines);
    return new Answer(json, lines);
  }

  /** Adds findings to what programs and people are told. */
  static void put(List<GearDoctor.Finding> findings, ObjectNode json, List<String> lines) {
    ArrayNode all = json.putArray("findings");
    for (GearDoctor.Finding finding : findings) {
      all.addObject()
          .put("what", finding.what())
          .put("well", finding.well())
          .put("says", finding.says())
          .put("remedy", finding.remedy());
      lines.add(
          (finding.well() ? "ok      " : "WRONG   ") + finding.what() + ": " + finding.says());
      if (!finding.well()) {
        lines.add("        remedy: " + finding.remedy());
      }
    }
  }

  /**
   * A status.
   *
   * @param local whether the nodes have names of {@code local status} too
   */
  static Answer of(GearStatus status, boolean local) {
    ObjectNode json = json(status);
    List<String> lines = table(status, local);
    put(status.findings(), json, lines);
    return new Answer(json, lines);
  }

  private static ObjectNode json(GearStatus status) {
    ObjectNode json = Answer.object();
    GearFile file = status.file();
    json.put("layout", file.layout().name());
    json.put("gear", file.gear());
    json.put("gears", file.layout().groups().gears());
    status
        .inForce()
        .ifPresentOrElse(gear -> json.put("in_force", gear), () -> json.putNull("in_force"));
    json.put("blocks", status.blocks());
    json.put("bytes", status.bytes());
    json.put("misplaced_replicas", status.misplaced().replicas());
    json.put("misplaced_bytes", status.misplaced().bytes());
    json.put("pending_replicas", status.misplaced().pending());
    json.put("well", status.isWell());
    json.put("unreadable_blocks", status.unreadable());
    status
        .unfinished()
        .ifPresent(plan -> json.put("unfinished_to", GearSetting.parse(plan.value()).gear()));
    for (GearStatus.Node node : status.nodes()) {
      Member member = node.member();
      json.withArray("nodes")
          .addObject()
          .put("node", member.number())
          .put("name", member.name())
          .put("group", file.layout().groups().gearOf(member.number()))
          .put("power", Answer.words(node.power()))
          .put("live", member.live())
          .put("service", Answer.words(member.service()))
          .put("blocks", node.blocks())
          .put("expected_blocks", node.expected());
    }
    return json;
  }

  private static List<String> table(GearStatus status, boolean local) {
    GearFile file = status.file();
    List<String> lines = new ArrayList<>();
    String said =
        status
            .inForce()
            .map(gear -> gear == file.gear() ? "" : ", but the NameNode says " + gear)
            .orElse(", and the NameNode has no placement policy of ours");
    lines.add(
        "gear %d of %d (%s, nodes %s)%s"
            .formatted(
                file.gear(),
                file.layout().groups().gears(),
                file.layout().name(),
                file.layout().groups(),
                said));
    lines.add(
        String.format(
            Locale.ROOT,
            "%-4s %-24s %-5s %-7s %-24s %7s %7s",
            "node",
            "name",
            "group",
            "power",
            "service",
            "blocks",
            "plan"));
    for (GearStatus.Node node : status.nodes()) {
      Member member = node.member();
      lines.add(
          String.format(
              Locale.ROOT,
              "%-4d %-24s %-5d %-7s %-24s %7d %7.1f",
              member.number(),
              member.name() + (local ? " (n" + member.number() + ")" : ""),
              file.layout().groups().gearOf(member.number()),
              Answer.words(node.power()),
              member.state(),
              node.blocks(),
              node.expected()));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "%d blocks, %.1f MB; %d replicas (%.1f MB) could be brought home now, %d wait",
            status.blocks(),
            status.bytes() / MEGA,
            status.misplaced().replicas(),
            status.misplaced().bytes() / MEGA,
            status.misplaced().pending()));
    return lines;
  }
}
