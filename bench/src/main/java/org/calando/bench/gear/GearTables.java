package org.calando.bench.gear;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.calando.bench.MarkdownTable;
import org.calando.core.energy.NodeProfile;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;

/** What the experiment came to, as tables: means with 95 % Student intervals over blocks. */
final class GearTables {
  private static final double MEGABYTE = 1e6;

  /** What the paper has of each layout: penalty in seconds, and megabytes that were off-loaded. */
  private static final Map<String, String> PUBLISHED =
      Map.of("paraid-per-file", "2 s, 8 MB", "rabbit", "20 s, 196 MB");

  private final Map<Group, Map<String, Map<String, GearRow>>> groups = new TreeMap<>();

  /** What is compared within: a size of data and of blocks, and a layout. */
  private record Group(long newBytes, long blockBytes, String layout) implements Comparable<Group> {
    static Group of(GearRow row) {
      return new Group(
          (long) row.figure("new_bytes"), (long) row.figure("block_bytes"), row.text("layout"));
    }

    @Override
    public int compareTo(Group other) {
      int bySize = Long.compare(newBytes, other.newBytes);
      int byBlock = bySize != 0 ? bySize : Long.compare(other.blockBytes, blockBytes);
      return byBlock != 0 ? byBlock : layout.compareTo(other.layout);
    }
  }

  GearTables(List<GearRow> rows) {
    for (GearRow row : rows) {
      groups
          .computeIfAbsent(Group.of(row), any -> new TreeMap<>())
          .computeIfAbsent(row.text("seed") + "/" + row.text("block"), any -> new TreeMap<>())
          .put(row.text("leg"), row);
    }
  }

  /** A figure of each block, from its legs; NaN where one is missing. */
  private double[] each(Group group, ToDoubleFunction<Map<String, GearRow>> figure) {
    return groups.getOrDefault(group, Map.of()).values().stream().mapToDouble(figure).toArray();
  }

  private static double of(Map<String, GearRow> legs, String leg, String column) {
    GearRow row = legs.get(leg);
    return row == null ? Double.NaN : row.figure(column);
  }

  /** The paper's measure: catch-up and grep; the nodes' start is not in it. */
  private static double served(Map<String, GearRow> legs, String leg) {
    return of(legs, leg, "catchup_s") + of(legs, leg, "grep_s");
  }

  private static double ordered(Map<String, GearRow> legs, String leg) {
    return of(legs, leg, "shift_s") + of(legs, leg, "grep_s");
  }

  MarkdownTable penalties() {
    MarkdownTable table =
        new MarkdownTable(
            "new MB",
            "block MB",
            "layout",
            "blocks",
            "normal s",
            "catch-up s",
            "penalty s",
            "with the nodes' start s",
            "moved MB",
            "forecast MB",
            "long-run least MB",
            "published");
    for (Group group : groups.keySet()) {
      table.add(
          megabytes(group.newBytes()),
          megabytes(group.blockBytes()),
          group.layout(),
          Integer.toString(each(group, legs -> 0).length),
          estimate(group, legs -> served(legs, "normal")),
          estimate(group, legs -> served(legs, "catch-up")),
          estimate(group, legs -> served(legs, "catch-up") - served(legs, "normal")),
          estimate(group, legs -> ordered(legs, "catch-up") - ordered(legs, "normal")),
          estimate(group, legs -> of(legs, "catch-up", "moved_bytes") / MEGABYTE),
          estimate(group, legs -> of(legs, "catch-up", "forecast_bytes") / MEGABYTE),
          estimate(group, legs -> of(legs, "catch-up", "bound_bytes") / MEGABYTE),
          PUBLISHED.getOrDefault(group.layout(), ""));
    }
    return table;
  }

  /** Of RABBIT over each PARAID, blocks being pairs. */
  MarkdownTable ratios() {
    MarkdownTable table =
        new MarkdownTable(
            "new MB",
            "block MB",
            "rabbit over",
            "catch-up's time",
            "p (Holm)",
            "least ratio seen 4 times in 5",
            "moved",
            "published penalty");
    List<Group> paraids =
        groups.keySet().stream()
            .filter(group -> group.layout().startsWith("paraid"))
            .filter(group -> groups.containsKey(rabbit(group)))
            .toList();
    double[] p =
        Statistics.holm(
            paraids.stream().mapToDouble(group -> ratio(group, "catchup_s").p()).toArray());
    for (int i = 0; i < paraids.size(); i++) {
      Group group = paraids.get(i);
      Ratio time = ratio(group, "catchup_s");
      table.add(
          megabytes(group.newBytes()),
          megabytes(group.blockBytes()),
          group.layout(),
          text(time),
          number("%.3f", p[i]),
          number("%.2f", time.detectable()),
          text(ratio(group, "moved_bytes")),
          group.layout().equals("paraid-per-file") ? "10" : "");
    }
    return table;
  }

  private static Group rabbit(Group group) {
    return new Group(group.newBytes(), group.blockBytes(), "rabbit");
  }

  private Ratio ratio(Group paraid, String column) {
    Map<String, Map<String, GearRow>> mine = groups.getOrDefault(paraid, Map.of());
    Map<String, Map<String, GearRow>> other = groups.getOrDefault(rabbit(paraid), Map.of());
    List<String> both = mine.keySet().stream().filter(other::containsKey).toList();
    return Statistics.ratio(
        both.stream()
            .mapToDouble(block -> of(other.getOrDefault(block, Map.of()), "catch-up", column))
            .toArray(),
        both.stream()
            .mapToDouble(block -> of(mine.getOrDefault(block, Map.of()), "catch-up", column))
            .toArray());
  }

  /** Catch-up while grep runs; no rows where it was not asked for. */
  MarkdownTable background() {
    MarkdownTable table =
        new MarkdownTable(
            "new MB",
            "block MB",
            "layout",
            "grep over normal's (at most 1.20)",
            "catch-up over foreground's (at most 3)",
            "catch-up s");
    for (Group group : groups.keySet()) {
      double[] greps = each(group, legs -> of(legs, "background", "grep_s"));
      Ratio grep = Statistics.ratio(greps, each(group, legs -> of(legs, "normal", "grep_s")));
      if (grep.present()) {
        Ratio time =
            Statistics.ratio(
                each(group, legs -> of(legs, "background", "catchup_s")),
                each(group, legs -> of(legs, "catch-up", "catchup_s")));
        table.add(
            megabytes(group.newBytes()),
            megabytes(group.blockBytes()),
            group.layout(),
            text(grep),
            text(time),
            estimate(group, legs -> of(legs, "background", "catchup_s")));
      }
    }
    return table;
  }

  /** Reads of old data in each gear. */
  MarkdownTable gears() {
    MarkdownTable table =
        new MarkdownTable(
            "block MB", "layout", "gear", "read MB/s", "DataNodes' CPU share", "W", "MB/J");
    for (Group group : groups.keySet()) {
      for (int gear = 1; gear <= GearBenchOptions.GEARS.size(); gear++) {
        String leg = "reads-gear-" + gear;
        if (Statistics.estimate(each(group, legs -> of(legs, leg, "watts"))).present()) {
          table.add(
              megabytes(group.blockBytes()),
              group.layout(),
              Integer.toString(gear),
              estimate(group, legs -> of(legs, leg, "read_mb_s")),
              estimate(group, legs -> of(legs, leg, "cpu_s") / of(legs, leg, "window_s")),
              estimate(group, legs -> of(legs, leg, "watts")),
              estimate(group, legs -> of(legs, leg, "read_mb_s") / of(legs, leg, "watts")));
        }
      }
    }
    return table;
  }

  /** Energy from the order to grep's end, the boot of real nodes being the profile's. */
  MarkdownTable energy() {
    MarkdownTable table =
        new MarkdownTable(
            "new MB", "block MB", "layout", "normal J", "catch-up J", "more J", "boot J (profile)");
    NodeProfile profile = GearCpu.PROFILE;
    List<Integer> gears = GearBenchOptions.GEARS;
    double boot =
        (gears.get(gears.size() - 1) - gears.get(0)) * profile.bootSeconds() * profile.bootWatts();
    for (Group group : groups.keySet()) {
      table.add(
          megabytes(group.newBytes()),
          megabytes(group.blockBytes()),
          group.layout(),
          estimate(group, legs -> of(legs, "normal", "joules")),
          estimate(group, legs -> of(legs, "catch-up", "joules")),
          estimate(group, legs -> of(legs, "catch-up", "joules") - of(legs, "normal", "joules")),
          number("%.0f", boot));
    }
    return table;
  }

  private String estimate(Group group, ToDoubleFunction<Map<String, GearRow>> figure) {
    Estimate found = Statistics.estimate(each(group, figure));
    if (!found.present()) {
      return "";
    }
    String format = Math.abs(found.mean()) < 100 ? "%.2f" : "%.0f";
    String mean = number(format, found.mean());
    return found.hasInterval() ? mean + " +- " + number(format, found.halfWidth()) : mean;
  }

  private static String text(Ratio ratio) {
    if (!ratio.present()) {
      return "";
    }
    String value = number("%.2f", ratio.ratio());
    return ratio.hasInterval()
        ? value + " [" + number("%.2f", ratio.low()) + ", " + number("%.2f", ratio.high()) + "]"
        : value;
  }

  private static String megabytes(long bytes) {
    return number(bytes < 10 * MEGABYTE ? "%.1f" : "%.0f", bytes / MEGABYTE);
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }

  private long copies() {
    return (long)
        groups.values().stream()
            .flatMap(blocks -> blocks.values().stream())
            .flatMap(legs -> legs.values().stream())
            .mapToDouble(row -> row.figure("re_replications"))
            .max()
            .orElse(0);
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add("Catch-up before grep, seconds from all nodes being in service:");
    parts.add(penalties().toString());
    parts.add(ratios().toString());
    if (!background().body().isEmpty()) {
      parts.add("Catch-up while grep runs:");
      parts.add(background().toString());
    }
    parts.add("Reads in each gear; power is modelled by profile " + GearCpu.PROFILE.name() + ":");
    parts.add(gears().toString());
    parts.add(
        "Energy of all nodes from the order of the shift to grep's end (modelled; a process starts"
            + " sooner than a node boots, so the boot stands beside it):");
    parts.add(energy().toString());
    parts.add("Most copies ordered by the NameNode itself in a cluster's life: " + copies());
    return parts.stream().collect(Collectors.joining("\n", "", "\n"));
  }
}
