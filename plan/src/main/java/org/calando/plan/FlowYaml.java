package org.calando.plan;

import java.util.stream.Collectors;
import org.calando.schema.Tree;

/** Writes what a file says as YAML of one line, as values of a study are given. */
final class FlowYaml {
  private FlowYaml() {}

  static String of(Tree tree) {
    if (tree instanceof Tree.Sequence list) {
      return list.items().stream().map(FlowYaml::of).collect(Collectors.joining(", ", "[", "]"));
    }
    if (tree instanceof Tree.Mapping mapping) {
      return mapping.entries().stream()
          .map(entry -> quoted(entry.name()) + ": " + of(entry.value()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    Tree.Scalar scalar = (Tree.Scalar) tree;
    return scalar.quoted() ? quoted(scalar.text()) : scalar.text();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
