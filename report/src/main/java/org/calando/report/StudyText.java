package org.calando.report;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The values of a study's canonical text by their paths, such as {@code store.local.rf}. Immutable.
 *
 * @param values none if the text is missing or no mapping
 */
public record StudyText(Map<String, String> values) {
  /** A canonical text has no aliases, which could make a small text large. */
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setLabel("study.yaml").setMaxAliasesForCollections(0).build();

  /** Copies the values. */
  public StudyText {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /** Reads a study's file; what is no YAML has no values. */
  public static StudyText of(String text) {
    Map<String, String> values = new TreeMap<>();
    try {
      Object study = new Load(SETTINGS).loadFromString(text);
      if (study instanceof Map<?, ?> mapping) {
        flatten("", mapping, values);
      }
    } catch (YamlEngineException e) {
      return new StudyText(Map.of()); // what a text that is broken says is not known
    }
    return new StudyText(values);
  }

  /** The paths whose values two canonical texts do not share, in order. */
  public static List<String> differing(String a, String b) {
    Map<String, String> first = of(a).values();
    Map<String, String> second = of(b).values();
    return Stream.concat(first.keySet().stream(), second.keySet().stream())
        .filter(path -> !Objects.equals(first.get(path), second.get(path)))
        .distinct()
        .sorted()
        .toList();
  }

  /** Whether the file has no value. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether the study's cluster is one that Calando did not start. */
  public boolean hasOwnCluster() {
    return values.keySet().stream().anyMatch(path -> path.startsWith("store.inventory"));
  }

  private static void flatten(String path, Object value, Map<String, String> values) {
    if (value instanceof Map<?, ?> mapping) {
      mapping.forEach(
          (key, inner) -> {
            String below = path.isEmpty() ? String.valueOf(key) : path + "." + key;
            flatten(below, inner == null ? "" : inner, values);
          });
    } else if (value instanceof List<?> list) {
      values.put(path, String.join(", ", list.stream().map(String::valueOf).toList()));
    } else {
      values.put(path, String.valueOf(value));
    }
  }
}
