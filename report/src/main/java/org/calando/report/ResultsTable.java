package org.calando.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.report.Results.LoadGroup;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;

/** A study's results as text for a terminal of 80 columns. Immutable. */
public final class ResultsTable {
  /** No line is longer than this. */
  public static final int WIDTH = 79;

  private static final List<String> HEADS =
      List.of("level", "load", "J/kop", "net", "W", "ops/s", "r-p99 ms", "stale", "runs");
  private static final List<Integer> WIDTHS = List.of(13, 8, 13, 5, 5, 7, 8, 7, 5);

  private final Results results;
  private final String by;
  private final List<String> warnings;
  private final BufferText buffers;

  private ResultsTable(Results results, String by, List<String> warnings) {
    this.results = results;
    this.by = by;
    this.warnings = warnings;
    this.buffers = new BufferText(BufferGroups.of(results));
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
    if (!StudyDifferences.ofProfile(study) || !profile.has("name")) {
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
    return new ResultsTable(results, "", Warnings.fallback(results, StudyText.of("")));
  }

  /**
   * The text, each line ended by a line feed and at most {@link #WIDTH} characters long.
   *
   * @param charset the terminal's; what it cannot show is spelled in ASCII
   */
  public String render(Charset charset) {
    StringBuilder out = new StringBuilder();
    ShortLabels labels =
        ShortLabels.of(
            results.configurations().stream().map(buffers::shortLabel).toList(), WIDTHS.get(0));
    line(out, HEADS, WIDTHS);
    out.append("\u2500".repeat(WIDTH)).append('\n');
    for (LoadGroup group : results.groups()) {
      if (group.load().named()) {
        wrap(out, Load.sentence(group.load().label()));
      }
      group.configurations().forEach(c -> line(out, cells(c, labels), WIDTHS));
    }
    out.append("\u2500".repeat(WIDTH)).append('\n');
    if (!labels.note().isEmpty()) {
      wrap(out, labels.note());
    }
    footer(out);
    if (!buffers.isEmpty()) {
      writes(out);
    }
    return charset.newEncoder().canEncode("\u2500\u00B1\u2026\u2013") ? out.toString() : ascii(out);
  }

  private List<String> cells(Configuration c, ShortLabels labels) {
    Estimate stale = c.estimate(RunRow::staleRate);
    Spread p99 = c.spread(LoadColumns.READ_P99_US);
    return List.of(
        labels.name(buffers.shortLabel(c)),
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

  private void footer(StringBuilder out) {
    if (results.rows().isEmpty()) {
      wrap(out, "This study has no runs yet.");
      return;
    }
    String word = results.commonProvenance();
    String origin = word.isEmpty() ? "of mixed provenance" : word;
    wrap(
        out,
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
      wrap(out, Answer.WHY_LOOPS_DIFFER);
    }
    List<String> drift = Drift.of(results);
    if (!drift.isEmpty()) {
      wrap(out, "WARNING: " + String.join(" ", drift));
    }
    warnings.forEach(warning -> wrap(out, "WARNING: " + warning));
    for (RunRow row : results.failed()) {
      wrap(out, "failed: " + row.id() + ": " + row.message());
    }
  }

  /** How writes were sent has a table of its own, whose labels are too long for the other. */
  private void writes(StringBuilder out) {
    out.append('\n');
    line(out, BufferText.HEADS, BufferText.WIDTHS);
    out.append("\u2500".repeat(WIDTH)).append('\n');
    for (BufferGroups.Group group : buffers.groups()) {
      if (group.load().named()) {
        wrap(out, Load.sentence(group.load().label()));
      }
      buffers.lines(group).forEach(cells -> line(out, cells, BufferText.WIDTHS));
    }
    out.append("\u2500".repeat(WIDTH)).append('\n');
    wrap(out, buffers.note());
    buffers.warnings().forEach(warning -> wrap(out, "WARNING: " + warning));
  }

  private static void line(StringBuilder out, List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      int width = widths.get(i);
      String cell = cut(clean(cells.get(i)), width);
      String padding = " ".repeat(width - cell.length());
      line.append(i == 0 ? "" : " ").append(i < 2 ? cell + padding : padding + cell);
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }

  /** The text, its end replaced by an ellipsis if it is longer than that. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "\u2026";
  }

  /** Adds the text in lines of at most {@link #WIDTH} characters. */
  static void wrap(StringBuilder out, String text) {
    List<String> line = new ArrayList<>();
    int length = 0;
    for (String word : clean(text).strip().split(" +", -1)) {
      String piece = cut(word, WIDTH);
      if (length + line.size() + piece.length() > WIDTH) {
        out.append(String.join(" ", line)).append('\n');
        line.clear();
        length = 0;
      }
      line.add(piece);
      length += piece.length();
    }
    out.append(String.join(" ", line)).append('\n');
  }

  /** A study's text must not steer the terminal. */
  static String clean(String text) {
    return text.replaceAll("[\\p{Cntrl}]+", " ");
  }

  /** One character for one, so that columns stay in line. */
  static String ascii(StringBuilder text) {
    return text.toString()
        .replace('\u2500', '-')
        .replace('\u2013', '-')
        .replace('\u2026', '~')
        .replace(" \u00B1 ", " +-")
        .replace("\u00B1", "+-")
        .replace("\u00B7", "-")
        .replaceAll("[^\\x00-\\x7F]", "?");
  }
}
