package org.calando.knob;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.Nearest;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Problems;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A value of one of several axes, which is known by what it says: {@code {load: {}}}, {@code
 * slack}; or by the axis' name before it: {@code {gear: 2}}. Canonically the name stands before it.
 * Immutable and thread safe.
 */
public final class SettingType implements Type<Point> {
  private final List<Axis<?>> first;
  private final List<Axis<?>> others;
  private final List<Axis<?>> axes;

  /**
   * A type.
   *
   * @param first what is written without its axis' name is of one of these, if it can be
   * @param others else of one of these, which so change the meaning of nothing
   * @throws IllegalStateException if one of the others is called as one of the first, or as a key
   *     of their values
   */
  public SettingType(List<Axis<?>> first, List<Axis<?>> others) {
    this.first = List.copyOf(first);
    this.others = List.copyOf(others);
    this.axes = Stream.concat(first.stream(), others.stream()).toList();
    for (Axis<?> axis : first) {
      for (Axis<?> other : others) {
        if (axis.equals(other) || keys(axis).contains(other.name())) {
          throw new IllegalStateException(
              "the knob " + other + " is called as " + axis + " or a policy of it");
        }
      }
    }
  }

  @Override
  public @Nullable Bound<Point> bind(Tree tree, Binding at) {
    if (tree instanceof Tree.Mapping mapping && mapping.entries().size() == 1) {
      Tree.Entry entry = mapping.entries().get(0);
      for (Axis<?> axis : axes) {
        if (axis.name().equals(entry.name())) {
          return bind(axis, entry.value(), at.key(entry.name()));
        }
      }
    }
    List<Axis<?>> known = candidates(first, tree, at);
    List<Axis<?>> candidates = known.isEmpty() ? candidates(others, tree, at) : known;
    if (candidates.size() == 1) {
      return bind(candidates.get(0), tree, at);
    }
    if (candidates.isEmpty()) {
      refuse(tree, at);
    } else {
      String both = candidates.stream().map(Axis::name).collect(Collectors.joining(" and of "));
      at.error(
          tree.where(),
          tree.shape() + " says something of " + both,
          "write each by itself, such as {" + candidates.get(0) + ": ...}");
    }
    return null;
  }

  private static <V> @Nullable Bound<Point> bind(Axis<V> axis, Tree tree, Binding at) {
    Bound<V> bound = axis.item().bind(tree, at);
    return bound == null
        ? null
        : new Bound<>(Point.NONE.with(axis, bound.value()), Map.of(axis.name(), bound.plain()));
  }

  /** The axes that what is written can be meant for. */
  private static List<Axis<?>> candidates(List<Axis<?>> among, Tree tree, Binding at) {
    List<Axis<?>> candidates = new ArrayList<>();
    for (Axis<?> axis : among) {
      if (tree instanceof Tree.Mapping mapping) {
        Set<String> keys = keys(axis);
        if (mapping.entries().stream().anyMatch(entry -> keys.contains(entry.name()))) {
          candidates.add(axis);
        }
      } else if (axis.item().bind(tree, new Binding(new Problems(), "", at.directory())) != null) {
        candidates.add(axis);
      }
    }
    return candidates;
  }

  /** The keys of values that are mappings. */
  private static Set<String> keys(Axis<?> axis) {
    Set<String> keys = new LinkedHashSet<>();
    axis.item()
        .objects(
            "",
            (path, object) -> {
              if (path.isEmpty()) {
                object.keys().forEach(key -> keys.add(key.name()));
              }
            });
    return keys;
  }

  private void refuse(Tree tree, Binding at) {
    if (tree instanceof Tree.Mapping mapping && !mapping.entries().isEmpty()) {
      Tree.Entry first = mapping.entries().get(0);
      List<String> known = new ArrayList<>(axes.stream().map(Axis::name).toList());
      axes.forEach(axis -> known.addAll(keys(axis)));
      at.key(first.name())
          .error(first.where(), "unknown policy or knob", Nearest.advice(first.name(), known));
    } else {
      at.error(
          tree.where(),
          "is " + tree.shape() + ", not " + label(),
          "write a policy, or its knob and a value, such as {" + axes.get(0) + ": ...}");
    }
  }

  @Override
  public String label() {
    return "a value of " + axes.stream().map(Axis::name).collect(Collectors.joining(", "));
  }

  @Override
  public String range() {
    return "";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    List<Object> forms = new ArrayList<>();
    axes.forEach(axis -> forms.add(axis.item().jsonSchema()));
    Map<String, Object> named = new LinkedHashMap<>();
    axes.forEach(axis -> named.put(axis.name(), Map.of()));
    forms.add(Map.of("type", "object", "additionalProperties", false, "properties", named));
    return Map.of("anyOf", forms);
  }
}
