package org.calando.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.ResultsFolder;
import org.calando.report.StudyText;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.compare.StudyComparison.Pair;

/**
 * What was different about how two studies were made. Immutable.
 *
 * @param all what differs, the first study's value and the second's
 * @param warnings what must not be compared, and why
 * @param energyComparable whether joules of one may stand against joules of the other
 */
record StudyDifferences(List<Difference> all, List<String> warnings, boolean energyComparable) {
  /** Something that differs; empty if it is not known of a study. */
  record Difference(String what, String a, String b) {}

  private static final Map<String, String> COMPARED = new LinkedHashMap<>();

  static {
    COMPARED.put("/engine", "engine");
    COMPARED.put("/calando/version", "Calando");
    COMPARED.put("/power/meter", "meter");
    COMPARED.put("/power/resolution", "meter's resolution");
    COMPARED.put("/power/interval_s", "sampling interval, s");
    COMPARED.put("/power/profile/name", "node profile");
    COMPARED.put("/power/profile/idle_w", "profile, idle W");
    COMPARED.put("/power/profile/busy_w", "profile, busy W");
    COMPARED.put("/power/profile/cpu_scale", "profile, CPU scale");
    COMPARED.put("/power/pue", "PUE");
    COMPARED.put("/host/cpu", "CPU");
    COMPARED.put("/host/cores", "cores");
    COMPARED.put("/host/memory_bytes", "memory, bytes");
    COMPARED.put("/host/os", "operating system");
    COMPARED.put("/host/kernel", "kernel");
    COMPARED.put("/host/java", "Java");
    COMPARED.put("/seed", "seed");
  }

  /** What a study's figures follow from, beyond the configurations that are compared. */
  private static final List<String> MADE_OF = List.of("store", "workload", "staleness");

  /** What joules are modelled with; its figures in the environment are compared beside it. */
  private static final String PROFILE = "power.profile";

  private static final String SIMULATED = "simulated";

  private static final int MOST_NAMED = 6;
  private static final int MOST_CHARS = 80;

  static StudyDifferences of(ResultsFolder a, ResultsFolder b, List<Pair> pairs) {
    List<Difference> all = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    add(all, "nodes", nodes(a), nodes(b));
    boolean sameOrigin = provenance(all, warnings, a.provenance(), b.provenance());
    boolean sameScope =
        told(all, warnings, "scope", scope(a), scope(b), "joules are not comparable");
    boolean sameGenerator =
        told(
            all,
            warnings,
            "load generator",
            loadGenerator(a),
            loadGenerator(b),
            "joules are not comparable");
    COMPARED.forEach(
        (pointer, what) ->
            add(all, what, text(a.environment().at(pointer)), text(b.environment().at(pointer))));
    madeOf(all, warnings, StudyText.of(a.studyText()), StudyText.of(b.studyText()));
    if (!nodes(a).equals(nodes(b))) {
      warnings.add(
          "the clusters have %s and %s nodes: every figure is of all nodes together"
              .formatted(orUnknown(nodes(a)), orUnknown(nodes(b))));
    }
    if (sameOrigin && !profile(a).equals(profile(b)) && a.isOfProfile() && b.isOfProfile()) {
      warnings.add("joules are made of different node profiles: their ratio is the profiles' too");
    }
    operations(warnings, pairs);
    return new StudyDifferences(
        List.copyOf(all), List.copyOf(warnings), sameOrigin && sameScope && sameGenerator);
  }

  /** Whether joules of these origins may stand against each other. */
  static boolean comparable(String a, String b) {
    boolean one = !a.contains("+") && !b.contains("+");
    return one && (a.equals(b) || a.equals(SIMULATED) || b.equals(SIMULATED));
  }

  /** Adds a difference of provenance; whether joules may be compared. */
  private static boolean provenance(
      List<Difference> all, List<String> warnings, String a, String b) {
    boolean prediction = !a.equals(b) && !a.isEmpty() && !b.isEmpty() && comparable(a, b);
    if (!prediction) {
      return told(all, warnings, "provenance", a, b, "joules are not comparable");
    }
    add(all, "provenance", a, b);
    warnings.add(
        "joules of the %s study are simulated, those of the other %s: their ratio is how well the one"
                .formatted(a.equals(SIMULATED) ? "first" : "second", a.equals(SIMULATED) ? b : a)
            + " predicts the other, and no saving");
    return true;
  }

  /** Adds a difference, with a warning where both are known; whether they are the same. */
  private static boolean told(
      List<Difference> all, List<String> warnings, String what, String a, String b, String why) {
    add(all, what, a, b);
    boolean same = a.equals(b) || a.isEmpty() || b.isEmpty();
    if (!same) {
      warnings.add("%s: %s is %s in the first study, %s in the second".formatted(why, what, a, b));
    }
    return same;
  }

  /** Adds what differs in the studies' own texts, with a warning if it is store or workload. */
  private static void madeOf(
      List<Difference> all, List<String> warnings, StudyText a, StudyText b) {
    if (a.isEmpty() || b.isEmpty()) {
      return; // named as missing where the folder is read
    }
    Set<String> paths = new TreeSet<>(a.values().keySet());
    paths.addAll(b.values().keySet());
    List<String> unlike = new ArrayList<>();
    for (String path : paths) {
      String first = a.values().getOrDefault(path, "");
      String second = b.values().getOrDefault(path, "");
      if (first.equals(second) || !isOfInterest(path)) {
        continue;
      }
      all.add(new Difference(path, cut(first), cut(second)));
      if (path.startsWith("store") || path.startsWith("workload")) {
        unlike.add("%s (%s, %s)".formatted(path, shown(first), shown(second)));
      }
    }
    if (!unlike.isEmpty()) {
      int named = Math.min(MOST_NAMED, unlike.size());
      String more = unlike.size() > named ? " and " + (unlike.size() - named) + " more" : "";
      warnings.add(
          "the studies were not made alike: " + String.join(", ", unlike.subList(0, named)) + more);
    }
  }

  private static boolean isOfInterest(String path) {
    int dot = path.indexOf('.');
    return MADE_OF.contains(dot < 0 ? path : path.substring(0, dot)) || path.startsWith(PROFILE);
  }

  private static String shown(String value) {
    return value.isEmpty() ? "not stated" : cut(value);
  }

  private static String cut(String value) {
    return value.length() > MOST_CHARS ? value.substring(0, MOST_CHARS) + "\u2026" : value;
  }

  private static void operations(List<String> warnings, List<Pair> pairs) {
    for (Pair pair : pairs) {
      double a = pair.a().estimate(LoadColumns.OPERATIONS).mean();
      double b = pair.b().estimate(LoadColumns.OPERATIONS).mean();
      if (pair.a().load().kind() == Load.Kind.CLOSED && Math.abs(a - b) > 0.01 * Math.max(a, b)) {
        warnings.add(
            "runs differ in their number of operations (%s and %s, %s): compare energy per operation"
                .formatted(Figures.count(a), Figures.count(b), pair.label()));
        return;
      }
    }
  }

  private static void add(List<Difference> all, String what, String a, String b) {
    if (!a.equals(b)) {
      all.add(new Difference(what, a, b));
    }
  }

  private static String nodes(ResultsFolder study) {
    String column = study.results().joined(RunColumns.NODES);
    int listed = study.environment().path("nodes").size();
    return column.isEmpty() && listed > 0 ? Integer.toString(listed) : column;
  }

  private static String scope(ResultsFolder study) {
    String column = study.results().joined(EnergyColumns.POWER_SCOPE);
    return column.isEmpty() ? text(study.environment().at("/power/scope")) : column;
  }

  /** {@code inside} or {@code outside}, without further words. */
  private static String loadGenerator(ResultsFolder study) {
    String word = text(study.environment().at("/power/load_generator"));
    return switch (word) {
      case "true" -> "inside";
      case "false" -> "outside";
      default ->
          word.startsWith("outside") ? "outside" : word.startsWith("inside") ? "inside" : word;
    };
  }

  private static String profile(ResultsFolder study) {
    JsonNode profile = study.environment().at("/power/profile");
    return profile.isMissingNode() ? "" : profile.toString();
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? "unknown" : text;
  }

  private static String text(JsonNode node) {
    return node.isValueNode() && !node.isNull() ? node.asText() : "";
  }
}
