package org.calando.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a type as tables in Markdown: a section a mapping, a row a key. Mappings with the same
 * keys share a section under the shortest of their paths, which names the others. Stateless.
 */
public final class ReferencePage {
  private ReferencePage() {}

  /**
   * The sections of a type and of all mappings below it.
   *
   * @param root heading of the outermost mapping
   */
  public static String write(String root, ObjectType<?> type) {
    Map<String, ObjectType<?>> sections = new LinkedHashMap<>();
    type.objects("", sections::putIfAbsent);
    Map<String, List<String>> pathsByText = new LinkedHashMap<>();
    sections.forEach(
        (path, section) ->
            pathsByText.computeIfAbsent(text(section), each -> new ArrayList<>()).add(path));
    Map<String, String> headings = new HashMap<>();
    for (List<String> paths : pathsByText.values()) {
      String heading = Collections.min(paths, Comparator.comparingInt(String::length));
      paths.forEach(path -> headings.put(path, heading));
    }
    StringBuilder page = new StringBuilder();
    pathsByText.forEach(
        (text, paths) -> {
          String heading = headings.getOrDefault(paths.get(0), "");
          page.append("## ").append(heading.isEmpty() ? root : heading).append("\n\n");
          page.append(elsewhere(heading, paths, headings)).append(text);
        });
    return page.toString();
  }

  /** Where else the section holds, but for what the section of the mapping around it says. */
  private static String elsewhere(
      String heading, List<String> paths, Map<String, String> headings) {
    List<String> others =
        paths.stream()
            .filter(path -> !path.equals(heading) && !isImplied(path, heading, headings))
            .map(ReferencePage::code)
            .toList();
    return others.isEmpty() ? "" : "The same holds of " + String.join(", ", others) + ".\n\n";
  }

  private static boolean isImplied(String path, String heading, Map<String, String> headings) {
    int cut = path.lastIndexOf('.');
    int headingCut = heading.lastIndexOf('.');
    if (cut < 0 || headingCut < 0) {
      return false;
    }
    String around = headings.get(path.substring(0, cut));
    return around != null
        && around.equals(headings.get(heading.substring(0, headingCut)))
        && path.substring(cut).equals(heading.substring(headingCut));
  }

  private static String text(ObjectType<?> type) {
    StringBuilder page = new StringBuilder(type.doc()).append("\n\n");
    page.append("| key | type | default | range | meaning | example |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (Key<?> key : type.keys()) {
      page.append("| ").append(code(key.name()));
      page.append(" | ").append(cell(key.type().label()));
      page.append(" | ").append(defaultOf(key));
      page.append(" | ").append(cell(key.type().range()));
      page.append(" | ").append(cell(key.doc()));
      page.append(" | ").append(key.example().isEmpty() ? "" : code(key.example()));
      page.append(" |\n");
    }
    return page.append('\n').toString();
  }

  private static String defaultOf(Key<?> key) {
    if (key.required()) {
      return "(required)";
    }
    String condition = key.defaultIfGiven().isEmpty() ? "" : " with " + code(key.defaultIfGiven());
    return key.defaultText().map(text -> code(text) + condition).orElse("");
  }

  private static String code(String text) {
    return "`" + cell(text) + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
