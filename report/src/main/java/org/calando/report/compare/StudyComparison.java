package org.calando.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.report.Configuration;
import org.calando.report.Drift;
import org.calando.report.Load;
import org.calando.report.ResultsFolder;
import org.calando.report.Warnings;
import org.calando.report.column.RunColumns;

/**
 * Two studies side by side: the ratio of the second's figures to the first's for each configuration
 * that both have, what was different about how they were made, and what must not be compared.
 *
 * <p>Runs are paired by repeat if both studies drew the same blocks: the same seed, configurations
 * and repeats. Else they are compared as independent samples, by Welch's test. Immutable and thread
 * safe.
 */
public final class StudyComparison {
  /** A configuration that both studies have. */
  record Pair(Configuration a, Configuration b) {
    String workload() {
      return a.load().workload();
    }

    /** Load and levels, such as {@code 20 thr QUORUM}. */
    String label() {
      return (a.load().shortLabel() + " " + a.label()).strip();
    }
  }

  private final ResultsFolder a;
  private final ResultsFolder b;
  private final List<Pair> pairs;
  private final List<String> onlyInA;
  private final List<String> onlyInB;
  private final boolean paired;
  private final List<ComparedQuantity> quantities;
  private final StudyDifferences differences;

  private StudyComparison(ResultsFolder a, ResultsFolder b) {
    this.a = a;
    this.b = b;
    Map<List<Object>, Configuration> first = byKey(a);
    Map<List<Object>, Configuration> second = byKey(b);
    this.pairs = pairs(first, second);
    this.onlyInA = missing(first, second.keySet());
    this.onlyInB = missing(second, first.keySet());
    this.paired = sameBlocks();
    this.differences = StudyDifferences.of(a, b, pairs);
    this.quantities = ComparedQuantity.all(pairs, paired, differences.energyComparable());
  }

  /**
   * Compares two studies' output folders.
   *
   * @throws org.calando.core.BadRequestException if one of them is no study's, or is malformed
   */
  public static StudyComparison of(Path a, Path b) {
    return new StudyComparison(ResultsFolder.read(a), ResultsFolder.read(b));
  }

  /**
   * The comparison as text for a terminal of 80 columns.
   *
   * @param charset the terminal's; what it cannot show is spelled in ASCII
   */
  public String render(Charset charset) {
    return new ComparisonText(this).render(charset);
  }

  /** The comparison as JSON; figures that do not exist are left out. */
  public JsonNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("a", nameA()).put("b", nameB());
    json.put("method", paired ? "paired by repeat" : "Welch, independent runs");
    json.put("configurations", pairs.size());
    ArrayNode tables = json.putArray("quantities");
    quantities.forEach(quantity -> tables.add(quantity.json()));
    ArrayNode different = json.putArray("differences");
    for (StudyDifferences.Difference d : differences.all()) {
      different.addObject().put("what", d.what()).put("a", d.a()).put("b", d.b());
    }
    warnings().forEach(json.putArray("warnings")::add);
    onlyInA.forEach(json.putArray("only_in_a")::add);
    onlyInB.forEach(json.putArray("only_in_b")::add);
    return json;
  }

  String nameA() {
    return a.folder().toString();
  }

  String nameB() {
    return b.folder().toString();
  }

  boolean isPaired() {
    return paired;
  }

  List<Pair> pairs() {
    return pairs;
  }

  List<ComparedQuantity> quantities() {
    return quantities;
  }

  List<StudyDifferences.Difference> differences() {
    return differences.all();
  }

  List<String> onlyInA() {
    return onlyInA;
  }

  List<String> onlyInB() {
    return onlyInB;
  }

  List<String> warnings() {
    List<String> warnings = new ArrayList<>(differences.warnings());
    for (ResultsFolder study : List.of(a, b)) {
      int failed = study.results().failed().size();
      if (failed > 0) {
        warnings.add(failed + " runs of " + study.folder() + " failed and count in no figure");
      }
      Warnings.of(study).forEach(warning -> warnings.add(study.folder() + ": " + warning));
      List<String> drift = Drift.of(study.results());
      if (!drift.isEmpty()) {
        warnings.add(study.folder() + ": " + String.join(" ", drift));
      }
    }
    return warnings;
  }

  private static List<Pair> pairs(
      Map<List<Object>, Configuration> first, Map<List<Object>, Configuration> second) {
    List<Pair> pairs = new ArrayList<>();
    first.forEach(
        (key, a) -> {
          Configuration b = second.get(key);
          if (b != null) {
            pairs.add(new Pair(a, b));
          }
        });
    return List.copyOf(pairs);
  }

  private boolean sameBlocks() {
    String seed = a.environment().path("seed").asText("");
    return !seed.isEmpty()
        && seed.equals(b.environment().path("seed").asText(""))
        && onlyInA.isEmpty()
        && onlyInB.isEmpty()
        && repeats(a).equals(repeats(b));
  }

  private static Set<String> repeats(ResultsFolder study) {
    return study.results().rows().stream()
        .map(r -> r.text(RunColumns.REPEAT))
        .collect(Collectors.toSet());
  }

  /** Configurations that have a run that succeeded, by what makes them the same in both studies. */
  private static Map<List<Object>, Configuration> byKey(ResultsFolder study) {
    Map<List<Object>, Configuration> byKey = new LinkedHashMap<>();
    for (Configuration c : study.results().measured()) {
      Load load = c.load();
      byKey.putIfAbsent(
          List.of(load.workload(), load.kind(), load.amount(), load.arrivals(), c.label()), c);
    }
    return byKey;
  }

  private static List<String> missing(
      Map<List<Object>, Configuration> from, Set<List<Object>> other) {
    return from.entrySet().stream()
        .filter(entry -> !other.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .map(c -> c.load().workload() + " " + c.load().shortLabel() + " " + c.label())
        .map(String::strip)
        .toList();
  }
}
