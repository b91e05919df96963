package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.ConsistencyEnergy;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Results;
import org.calando.report.ShortLabels;
import org.calando.report.Statistics.Spread;
import org.calando.report.TextSection;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.PromiseColumns;

/** How writes were sent, as lines for a terminal of 80 columns: labels are too long for others. */
public final class BufferText implements TextSection {
  private static final List<String> HEADS =
      List.of("writes", "load", "ops/J", "p99 ms", "at risk", "flushes", "fresh", "fresh/E");
  private static final List<Integer> WIDTHS = List.of(23, 7, 6, 7, 7, 7, 7, 8);

  private static final String DEFERRED = "deferred ";

  @Override
  public Optional<TextTable> of(Results results) {
    if (results.configurations().stream().allMatch(c -> BufferGroups.way(c).isEmpty())) {
      return Optional.empty();
    }
    BufferGroups buffers = BufferGroups.of(results);
    return Optional.of(
        new TextTable(
            HEADS,
            WIDTHS,
            buffers.groups().stream()
                .map(group -> new TextBlock(group.load(), lines(buffers, group)))
                .toList(),
            note(buffers),
            BufferWords.broken(buffers),
            c -> shortLabel(buffers, c)));
  }

  /** A label that tells configurations apart in few characters. */
  private static String shortLabel(BufferGroups buffers, Configuration c) {
    String way = BufferGroups.way(c);
    return buffers.restTold() || way.isEmpty() ? c.label() : brief(way);
  }

  /** Cells of a line for each configuration, under the heads. */
  private static List<List<String>> lines(BufferGroups buffers, Group group) {
    List<List<String>> lines = new ArrayList<>();
    ShortLabels labels =
        ShortLabels.of(buffers.labels().stream().map(BufferText::brief).toList(), WIDTHS.get(0));
    for (Configuration c : group.ways()) {
      Spread fresh = c.spread(PromiseColumns.FRESH_SHARE);
      lines.add(
          List.of(
              labels.name(brief(buffers.label(c))),
              group.load().shortLabel(),
              Figures.figure(c.estimate(PromiseColumns.OPS_PER_JOULE).mean()),
              Figures.figure(c.spread(BufferColumns.FRESHNESS_P99_MS).median()),
              Figures.count(c.spread(BufferColumns.AT_RISK_MAX).max()),
              Figures.count(c.spread(BufferColumns.FLUSHES).min()),
              fresh.n() == 0
                  ? Figures.NONE
                  : BufferTables.percent(fresh.min()).replace("\u00A0", ""),
              Figures.figure(c.estimate(PromiseColumns.SLA_PER_BUDGET).mean())));
    }
    return lines;
  }

  private static String brief(String label) {
    return label.replace(DEFERRED, "");
  }

  /** What the columns are. */
  private static String note(BufferGroups buffers) {
    String told =
        "ops/J: operations that the store has acknowledged, for a joule. p99: from a write's call"
            + " until others can read it, the middle run's; at risk: the most writes that a crash"
            + " would have lost; flushes: the fewest of a run.";
    double promised =
        buffers.groups().stream()
            .flatMap(group -> group.ways().stream())
            .mapToDouble(c -> c.spread(PromiseColumns.PROMISED_MS).median())
            .filter(Double::isFinite)
            .findFirst()
            .orElse(Double.NaN);
    return Double.isNaN(promised)
        ? told + " Nothing was promised: fresh and fresh/E are empty."
        : told
            + " fresh: writes as fresh as promised ("
            + Figures.plain(promised)
            + " ms), the worst repeat's; fresh/E: that share over the joules of 1000 operations, 0"
            + " below "
            + Figures.percent(ConsistencyEnergy.MET).replace('\u00A0', ' ')
            + ".";
  }
}
