package org.calando.study.config.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a type as tables in Markdown: a section a mapping, a row a key. */
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
    StringBuilder page = new StringBuilder();
    sections.forEach((path, section) -> section(path.isEmpty() ? root : path, section, page));
    return page.toString();
  }

  private static void section(String heading, ObjectType<?> type, StringBuilder page) {
    page.append("## ").append(heading).append("\n\n").append(type.doc()).append("\n\n");
    page.append("| key | type | default | range | meaning | example |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (Key<?> key : type.keys()) {
      page.append("| ").append(code(key.name()));
      page.append(" | ").append(key.available() ? cell(key.type().label()) : "");
      page.append(" | ").append(defaultOf(key));
      page.append(" | ").append(cell(key.type().range()));
      page.append(" | ").append(cell(meaning(key)));
      page.append(" | ").append(key.example().isEmpty() ? "" : code(key.example()));
      page.append(" |\n");
    }
    page.append('\n');
  }

  private static String meaning(Key<?> key) {
    return key.available() ? key.doc() : "Not available in this version: " + key.doc() + ".";
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
