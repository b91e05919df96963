package org.calando.cli.layout;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.Placer;

/** What nodes hold and serve by a gear layout, and what is sent at up-shifts. */
final class GearLayoutAnswer {
  private static final String FILE = "one file";

  /** Nodes times blocks up to which blocks are placed one by one; beyond it, shares are rounded. */
  private static final long MAX_PLACED = 20_000_000;

  private final GearLayoutRequest request;
  private final GearLayout layout;
  private final GearGroups groups;
  private final long[] stored;

  /** From gear g, at index g-1: replicas sent when all blocks were written in it. */
  private final long[] movedToNext;

  private long movedToTop;

  private GearLayoutAnswer(GearLayoutRequest request) {
    this.request = request;
    this.layout = request.layout();
    this.groups = layout.groups();
    this.stored = new long[groups.nodes()];
    this.movedToNext = new long[groups.gears() - 1];
    if ((long) groups.nodes() * request.blocks() <= MAX_PLACED) {
      Placer placer = layout.placer();
      for (int i = 0; i < request.blocks(); i++) {
        placer.next(FILE).forEach(home -> count(home, 1));
      }
    } else {
      long[] parts = rounded(IntStream.rangeClosed(1, groups.nodes()).mapToDouble(layout::share));
      IntStream.rangeClosed(1, groups.nodes()).forEach(node -> count(node, parts[node - 1]));
    }
  }

  static GearLayoutAnswer of(GearLayoutRequest request) {
    return new GearLayoutAnswer(request);
  }

  private void count(int home, long blocks) {
    stored[home - 1] += blocks;
    int gear = groups.gearOf(home);
    if (gear > 1) {
      movedToNext[gear - 2] += blocks;
      movedToTop += blocks;
    }
  }

  /** The answer of {@code --json}. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("layout", layout.name());
    answer.put("gears", groups.toString());
    answer.put("replicas", layout.replicas());
    answer.put("blocks", request.blocks());
    request.bytesPerBlock().ifPresent(bytes -> answer.put("bytes_per_block", bytes));
    List<long[]> served = IntStream.rangeClosed(1, groups.gears()).mapToObj(this::served).toList();
    for (int node = 1; node <= groups.nodes(); node++) {
      ObjectNode entry = answer.withArray("nodes").addObject();
      entry.put("node", node);
      entry.put("group", groups.gearOf(node));
      entry.put("blocks", stored[node - 1]);
      ObjectNode byGear = entry.putObject("by_gear");
      for (int gear = 1; gear <= groups.gears(); gear++) {
        byGear.put(String.valueOf(gear), served.get(gear - 1)[node - 1]);
      }
      putBytes(entry, "bytes", stored[node - 1]);
      if (request.bytesPerBlock().isPresent()) {
        ObjectNode bytesByGear = entry.putObject("bytes_by_gear");
        for (int gear = 1; gear <= groups.gears(); gear++) {
          putBytes(bytesByGear, String.valueOf(gear), served.get(gear - 1)[node - 1]);
        }
      }
    }
    answer.put("moved_at_upshift", movedToTop);
    putBytes(answer, "moved_bytes_at_upshift", movedToTop);
    for (int gear = 1; gear < groups.gears(); gear++) {
      ObjectNode shift = answer.withArray("shifts").addObject();
      shift.put("from", gear);
      shift.put("to", gear + 1);
      shift.put("moved", movedToNext[gear - 1]);
      shift.put("lower_bound", lowerBound(gear));
      putBytes(shift, "moved_bytes", movedToNext[gear - 1]);
      putBytes(shift, "lower_bound_bytes", lowerBound(gear));
    }
    return answer;
  }

  private void putBytes(ObjectNode node, String name, long blocks) {
    request.bytesPerBlock().ifPresent(bytes -> node.put(name, blocks * bytes));
  }

  /** The blocks that each node serves in a gear; together all of them. */
  private long[] served(int gear) {
    return rounded(
        IntStream.rangeClosed(1, groups.nodes()).mapToDouble(node -> layout.served(node, gear)));
  }

  /** Whole numbers whose sums from the first node on are as near as can be. */
  private long[] rounded(DoubleStream parts) {
    double[] shares = parts.toArray();
    long[] whole = new long[shares.length];
    double sum = 0;
    long given = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += shares[i] * request.blocks();
      whole[i] = Math.round(sum - 1e-6) - given;
      given += whole[i];
    }
    return whole;
  }

  /** What the nodes hold that are switched on: they had none of it while they were off. */
  private long lowerBound(int gear) {
    long blocks = 0;
    for (int node = groups.nodesIn(gear) + 1; node <= groups.nodesIn(gear + 1); node++) {
      blocks += stored[node - 1];
    }
    return blocks;
  }

  /** The answer for people, in lines of at most 80 characters for up to five gears. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %d blocks on %d nodes, %s replicas of each"
            .formatted(
                layout.name(),
                request.blocks(),
                groups.nodes(),
                layout.name().equals("paraid") ? "1 to " + layout.replicas() : layout.replicas()));
    lines.add("");
    lines.add("%5s  %5s  %10s".formatted("node", "group", "stores") + header());
    List<long[]> served = IntStream.rangeClosed(1, groups.gears()).mapToObj(this::served).toList();
    for (int node = 1; node <= groups.nodes(); node++) {
      lines.add(
          "%5d  %5d  %10s".formatted(node, groups.gearOf(node), amount(stored[node - 1]))
              + cells(node, served));
    }
    lines.add("");
    lines.add("stores   " + unit() + " on the node");
    lines.add(
        "serves   what it reads of them, if each is read once and reads are spread as evenly");
    lines.add("         as what the nodes store allows");
    if (groups.gears() > 1) {
      lines.add("");
      lines.add("sent at an up-shift, had all been written in the lower gear (at least):");
    }
    for (int gear = 1; gear < groups.gears(); gear++) {
      lines.add(
          "  gear %d to %d  %10s  (%s)"
              .formatted(gear, gear + 1, amount(movedToNext[gear - 1]), amount(lowerBound(gear))));
    }
    if (groups.gears() > 2) {
      lines.add("  gear 1 to %d  %10s".formatted(groups.gears(), amount(movedToTop)));
    }
    return lines;
  }

  private String header() {
    return IntStream.rangeClosed(1, groups.gears())
        .mapToObj(gear -> "  %10s".formatted("gear " + gear))
        .collect(Collectors.joining());
  }

  private String cells(int node, List<long[]> served) {
    return IntStream.rangeClosed(1, groups.gears())
        .mapToObj(
            gear ->
                "  %10s"
                    .formatted(
                        groups.isOn(node, gear) ? amount(served.get(gear - 1)[node - 1]) : "off"))
        .collect(Collectors.joining());
  }

  private String unit() {
    return request.bytesPerBlock().isPresent() ? "MB (of 2^20 bytes)" : "blocks";
  }

  private String amount(long blocks) {
    return request.bytesPerBlock().isPresent()
        ? String.format(
            Locale.ROOT, "%.1f", blocks * (double) request.bytesPerBlock().getAsLong() / (1 << 20))
        : String.valueOf(blocks);
  }
}
