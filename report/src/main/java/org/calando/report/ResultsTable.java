package org.calando.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.calando.report.Results.LoadGroup;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.TextSection.TextBlock;
import org.calando.report.TextSection.TextTable;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;

/** A study's results as text for a terminal of 80 columns. Immutable. */
public final class ResultsTable {
  /** No line is longer than this. */
  public static final int WIDTH = TextLines.WIDTH;

  private static final List<String> HEADS =
      List.of("level", "load", "J/kop", "net", "W", "ops/s", "r-p99 ms", "stale", "runs");
  private static final List<Integer> WIDTHS = List.of(13, 8, 13, 5, 5, 7, 8, 7, 5);

  private final Results results;
  private final String by;
  private final List<String> warnings;
  private final List<TextTable> ofKnobs;
  private final Function<Configuration, String> label;

  private ResultsTable(Results results, String by, List<String> warnings) {
    this.results = results;
    this.by = by;
    this.warnings = warnings;
    this.ofKnobs =
        ServiceLoader.load(TextSection.class).stream()
            .flatMap(section -> section.get().of(results).stream())
            .toList();
    this.label = label(results.configurations(), ofKnobs.stream().map(TextTable::label).toList());
  }

  /**
   * The table of a study's output folder.
   *
   * @throws org.calando.core.BadRequestException if the folder is no study's, or is malformed
   */
  public static ResultsTable read(Path outDir) {
    ResultsFolder study = ResultsFolder.read(outDir);
    return new ResultsTable(study.results(), by(study), Warnings.of(study));
  }

  /** The meter of joules, and the profile of those that are computed with one. */
  private static String by(ResultsFolder study) {
    JsonNode power = study.environment().path("power");
    JsonNode profile = power.path("profile");
    String meter = power.path("meter").asText("");
    StringBuilder text = new StringBuilder(meter.isEmpty() ? "" : " by meter " + meter);
    if (!study.isOfProfile() || !profile.has("name")) {
      return text.toString();
    }
    Set<String> names = new TreeSet<>();
    study.environment().path("nodes").forEach(n -> names.add(n.path("profile").asText("")));
    names.remove("");
    String name = profile.path("name").asText();
    if (names.stream().anyMatch(other -> !other.equals(name))) {
      return text.append(" (profiles ").append(String.join(", ", names)).append(")").toString();
    }
    return text.append(
            " (profile %s: %s W idle, %s W busy)"
                .formatted(
                    name,
                    Figures.plain(profile.path("idle_w").asDouble(Double.NaN)),
                    Figures.plain(profile.path("busy_w").asDouble(Double.NaN))))
        .toString();
  }

  /**
   * The table of runs at hand.
   *
   * @param rows each run's columns of results.csv
   */
  public static ResultsTable of(List<Map<String, String>> rows) {
    Results results = Results.of(rows.stream().map(RunRow::new).toList());
    return new ResultsTable(results, "", Warnings.ofKnobs(results, StudyText.of("")));
  }

  /**
   * The text, each line ended by a line feed and at most {@link #WIDTH} characters long.
   *
   * @param charset the terminal's; what it cannot show is spelled in ASCII
   */
  public String render(Charset charset) {
    TextLines out = new TextLines();
    ShortLabels labels =
        ShortLabels.of(results.configurations().stream().map(label).toList(), WIDTHS.get(0));
    table(out, HEADS, WIDTHS, results.groups(), LoadGroup::load, group -> lines(group, labels));
    if (!labels.note().isEmpty()) {
      out.wrap(labels.note());
    }
    footer(out);
    for (TextTable each : ofKnobs) {
      if (!each.blocks().isEmpty()) {
        out.blank();
        table(out, each.heads(), each.widths(), each.blocks(), TextBlock::load, TextBlock::lines);
        out.wrap(each.note());
        each.warnings().forEach(warning -> out.wrap("WARNING: " + warning));
      }
    }
    return out.text(charset, "\u2500\u00B1\u2026\u2013");
  }

  private static <T> void table(
      TextLines out,
      List<String> heads,
      List<Integer> widths,
      List<T> blocks,
      Function<T, Load> load,
      Function<T, List<List<String>>> lines) {
    out.line(heads, widths, i -> i < 2);
    out.rule();
    for (T block : blocks) {
      if (load.apply(block).named()) {
        out.wrap(Load.sentence(load.apply(block).label()));
      }
      lines.apply(block).forEach(cells -> out.line(cells, widths, i -> i < 2));
    }
    out.rule();
  }

  /** What a knob has in a table of its own is left out here, unless rows would be called alike. */
  static Function<Configuration, String> label(
      List<Configuration> all, List<Function<Configuration, String>> ofKnobs) {
    long different = all.stream().map(Configuration::label).distinct().count();
    return ofKnobs.stream()
        .filter(each -> all.stream().map(each).distinct().count() == different)
        .findFirst()
        .orElse(Configuration::label);
  }

  private List<List<String>> lines(LoadGroup group, ShortLabels labels) {
    return group.configurations().stream().map(c -> cells(c, labels)).toList();
  }

  private List<String> cells(Configuration c, ShortLabels labels) {
    Estimate stale = c.estimate(RunRow::staleRate);
    Spread p99 = c.spread(LoadColumns.READ_P99_US);
    return List.of(
        labels.name(label.apply(c)),
        c.load().shortLabel(),
        Figures.interval(c.estimate(RunRow::joulesPerKop), WIDTHS.get(2)),
        Figures.within(c.estimate(RunRow::netJoulesPerKop).mean(), WIDTHS.get(3)),
        Figures.within(c.estimate(EnergyColumns.POWER_MEAN_W).mean(), WIDTHS.get(4)),
        Figures.within(c.estimate(LoadColumns.THROUGHPUT_OPS_S).mean(), WIDTHS.get(5)),
        Figures.within(p99.median() / 1000, WIDTHS.get(6)),
        Figures.percent(stale.mean()).replace("\u00A0", ""),
        status(c));
  }

  private static String status(Configuration c) {
    if (c.failed().isEmpty()) {
      return c.runs() + " ok";
    }
    return c.ok().isEmpty() ? "FAIL" : c.ok().size() + "/" + c.runs();
  }

  private void footer(TextLines out) {
    if (results.rows().isEmpty()) {
      out.wrap("This study has no runs yet.");
      return;
    }
    String word = results.commonProvenance();
    String origin = word.isEmpty() ? "of mixed provenance" : word;
    out.wrap(
        "J/kop: joules per 1000 operations, "
            + origin
            + by
            + ", gross; net: the same above idle"
            + (results.hasNegativeNet() ? ", " + Results.WHY_NET_IS_NEGATIVE : "")
            + "; thr: threads; r-p99: 99th percentile of reads"
            + (results.repeats() > 1
                ? ", the middle run's (of an even number the upper middle one's). Mean \u00B1 95 %"
                    + " Student interval over repeats."
                : ". One repeat: no interval."));
    if (Answer.hasBothLoops(results)) {
      out.wrap(Answer.WHY_LOOPS_DIFFER);
    }
    List<String> drift = Drift.of(results);
    if (!drift.isEmpty()) {
      out.wrap("WARNING: " + String.join(" ", drift));
    }
    warnings.forEach(warning -> out.wrap("WARNING: " + warning));
    for (RunRow row : results.failed()) {
      out.wrap("failed: " + row.id() + ": " + row.message());
    }
  }
}
