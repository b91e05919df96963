package org.calando.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunColumns;

/**
 * Where the figures come from: meter and its model, machine, versions, seed, and the study's text.
 * Not thread safe.
 */
final class Provenance {
  private static final Map<String, String> TITLES =
      Map.ofEntries(
          Map.entry("offwatts", "Off, W"),
          Map.entry("off_w", "Off, W"),
          Map.entry("idlewatts", "Idle, W"),
          Map.entry("idle_w", "Idle, W"),
          Map.entry("busywatts", "Busy, W"),
          Map.entry("busy_w", "Busy, W"),
          Map.entry("bootwatts", "Boot, W"),
          Map.entry("boot_w", "Boot, W"),
          Map.entry("bootseconds", "Boot, s"),
          Map.entry("boot_s", "Boot, s"),
          Map.entry("cpuscale", "CPU scale (seconds of the profile's CPU per local CPU second)"),
          Map.entry("cpu_scale", "CPU scale (seconds of the profile's CPU per local CPU second)"),
          Map.entry("cpu", "CPU"),
          Map.entry("os", "Operating system"),
          Map.entry("memory_bytes", "Memory"),
          Map.entry("java", "Java"),
          Map.entry("interval_s", "Interval, s"),
          Map.entry("baseline_s", "Idle power measured for, s"),
          Map.entry("price_per_kwh", "Price of a kWh"),
          Map.entry("carbon_intensity_g_per_kwh", "Carbon intensity, g CO\u2082e/kWh"),
          Map.entry("pue", "PUE"));

  /** Shown elsewhere in this section. */
  private static final Set<String> PLACED =
      Set.of("meter", "provenance", "scope", "resolution", "profile", "load_generator", "reasons");

  private final ResultsFolder study;
  private final JsonNode environment;
  private final Html html;

  Provenance(ResultsFolder study, Html html) {
    this.study = study;
    this.environment = study.environment();
    this.html = html;
  }

  void write() {
    html.open("div", "class", "columns2");
    list("Joules", joules());
    list("Node profile", fields(environment.path("power").path("profile")));
    list("Study", study());
    list("Machine", fields(environment.path("host")));
    html.close("div").newLine();
    reasons();
    nodes();
    notes();
    if (!study.studyText().isEmpty()) {
      html.open("details", "class", "source").element("summary", "study.yaml, as it was run");
      html.open("pre", "tabindex", "0").element("code", study.studyText()).close("pre");
      html.close("details").newLine();
    }
  }

  /**
   * What an energy figure must carry wherever it stands: meter, how it came about, scope,
   * resolution, and whether the load generator is in it.
   */
  static String origin(ResultsFolder study) {
    JsonNode power = study.environment().path("power");
    String word = study.results().commonProvenance();
    List<String> parts = new ArrayList<>();
    parts.add("Energy: " + (word.isEmpty() ? "of mixed provenance, see each figure" : word));
    add(parts, "meter ", power.path("meter").asText(first(study, EnergyColumns.METER)));
    add(parts, "scope ", power.path("scope").asText(first(study, EnergyColumns.POWER_SCOPE)));
    add(parts, "resolution: ", value(power.path("resolution")));
    add(parts, "load generator ", loadGenerator(power));
    return String.join("; ", parts) + ".";
  }

  private static void add(List<String> parts, String before, String text) {
    if (!text.isBlank()) {
      parts.add(before + text);
    }
  }

  /** Why the study's energy came of this meter and of no other. */
  private void reasons() {
    List<String> reasons = new ArrayList<>();
    environment.path("power").path("reasons").forEach(reason -> reasons.add(value(reason)));
    if (!reasons.isEmpty()) {
      html.element("h3", "Why this meter and no other").open("ul");
      reasons.forEach(reason -> html.element("li", reason));
      html.close("ul").newLine();
    }
  }

  /** One sentence on what kind of joules the page shows. */
  static String sentence(ResultsFolder study) {
    String word = study.results().commonProvenance();
    JsonNode power = study.environment().path("power");
    String meter = power.path("meter").asText(first(study, EnergyColumns.METER));
    if (word.isEmpty()) {
      return "Joules are of mixed provenance; each figure names its own.";
    }
    String by = meter.isEmpty() ? "" : ", meter \u201C" + meter + "\u201D";
    String what =
        switch (word) {
          case "modelled" ->
              ": computed from the CPU time of each node and a node profile, not read"
                  + " from a power meter";
          case "measured" -> ": read from a meter";
          case "attributed" -> ": a share of a host's meter";
          case "simulated" -> ": of a simulated cluster";
          default -> "";
        };
    return "Every joule and watt on this page is " + word + by + what + ".";
  }

  private Map<String, String> joules() {
    JsonNode power = environment.path("power");
    Map<String, String> list = new LinkedHashMap<>();
    list.put("Meter", power.path("meter").asText(first(study, EnergyColumns.METER)));
    String word = study.results().commonProvenance();
    list.put("Provenance", word.isEmpty() ? power.path("provenance").asText("") : word);
    list.put("Scope", power.path("scope").asText(""));
    list.put("Resolution", value(power.path("resolution")));
    list.put("Load generator", loadGenerator(power));
    list.put("Gross", "all energy of the scope while the measured operations ran");
    list.put("Net", "gross less what the same nodes draw when idle, over the same time");
    for (Map.Entry<String, JsonNode> field : power.properties()) {
      if (!PLACED.contains(field.getKey())) {
        list.put(title(field.getKey()), value(field.getValue()));
      }
    }
    return list;
  }

  /** Said outright by the meter, or else it follows from what the meter covers. */
  private static String loadGenerator(JsonNode power) {
    JsonNode given = power.path("load_generator");
    if (given.isBoolean()) {
      return given.asBoolean() ? "inside the figures" : "outside the figures";
    }
    if (!given.asText("").isEmpty()) {
      return given.asText();
    }
    return switch (power.path("scope").asText("").toLowerCase(Locale.ROOT)) {
      case "node" -> "outside the figures: only the nodes' own processes or machines count";
      case "package", "host" -> "inside the figures where it ran on the same machine";
      default -> "";
    };
  }

  private Map<String, String> study() {
    Map<String, String> list = new LinkedHashMap<>();
    list.put("Engine", environment.path("engine").asText(first(study, RunColumns.ENGINE)));
    JsonNode calando = environment.path("calando");
    String commit = calando.path("commit").asText("");
    list.put(
        "Calando", calando.path("version").asText("") + (commit.isEmpty() ? "" : ", " + commit));
    list.put("Seed", environment.path("seed").asText(""));
    list.put("Started", environment.path("started").asText(""));
    list.put("Finished", environment.path("finished").asText(""));
    list.put("Runs", study.results().rows().size() + ", failed " + study.results().failed().size());
    return list;
  }

  private void nodes() {
    JsonNode nodes = environment.path("nodes");
    if (!nodes.isArray() || nodes.isEmpty()) {
      return;
    }
    Table table = new Table("cluster", "Nodes of the cluster");
    table.text("Node", "node").text("Address", "address").text("Rack", "rack");
    table.text("Profile", "profile");
    for (JsonNode node : nodes) {
      List<Table.Cell> cells = new ArrayList<>();
      for (String field : List.of("name", "address", "rack", "profile")) {
        cells.add(Table.Cell.of(node.path(field).asText(Figures.NONE)));
      }
      table.row(cells);
    }
    table.render(html);
  }

  private void notes() {
    List<String> notes = new ArrayList<>();
    environment.path("notes").forEach(note -> notes.add(value(note)));
    notes.addAll(study.problems());
    for (RunRow row : study.results().rows()) {
      JsonNode summary = study.summaries().get(row.id());
      if (summary != null) {
        summary
            .path("notes")
            .forEach(note -> notes.add(row.id() + ": " + Figures.brief(value(note))));
      }
    }
    if (!notes.isEmpty()) {
      html.element("h3", "Notes").open("ul");
      notes.stream().distinct().forEach(note -> html.element("li", note));
      html.close("ul").newLine();
    }
  }

  private void list(String heading, Map<String, String> entries) {
    entries.values().removeIf(String::isBlank);
    if (entries.isEmpty()) {
      return;
    }
    html.open("div").element("h3", heading).open("dl");
    entries.forEach((term, text) -> html.element("dt", term).element("dd", text));
    html.close("dl").close("div").newLine();
  }

  private static Map<String, String> fields(JsonNode object) {
    Map<String, String> list = new LinkedHashMap<>();
    if (object.isTextual()) {
      list.put("Name", object.asText());
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String text =
          field.getKey().equals("memory_bytes") && field.getValue().isNumber()
              ? Figures.figure(field.getValue().asDouble() / (1L << 30)) + " GiB"
              : value(field.getValue());
      list.put(title(field.getKey()), text);
    }
    return list;
  }

  private static String title(String key) {
    String known = TITLES.get(key.toLowerCase(Locale.ROOT));
    if (known != null) {
      return known;
    }
    String words = key.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ').strip();
    return words.isEmpty() ? key : Load.sentence(words.toLowerCase(Locale.ROOT));
  }

  private static String value(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return "";
    }
    if (node.isArray() && !node.isEmpty()) {
      List<String> texts = new ArrayList<>();
      node.forEach(element -> texts.add(value(element)));
      return String.join("; ", texts);
    }
    return node.isValueNode() ? node.asText() : node.toString();
  }

  private static String first(ResultsFolder study, Column column) {
    return String.join(
        ", ",
        study.results().rows().stream()
            .map(r -> r.text(column))
            .filter(t -> !t.isEmpty())
            .distinct()
            .toList());
  }
}
