package org.calando.schema;

import java.util.List;
import java.util.Optional;

/**
 * A parsed YAML value that knows where it was written.
 *
 * <p>Immutable and thread safe.
 */
public sealed interface Tree {

  /** Where the value begins. */
  Where where();

  /** The value in an error message: {@code a list}, {@code 'abc'}. */
  String shape();

  /**
   * A single value.
   *
   * @param where where it begins
   * @param text its text, without quotes
   * @param quoted whether it was quoted, and so is a text whatever it looks like
   */
  record Scalar(Where where, String text, boolean quoted) implements Tree {
    private static final int SHOWN_CHARACTERS = 60;

    /** Whether nothing, or a null, was written. */
    public boolean isNull() {
      return !quoted
          && (text.isEmpty() || text.equals("~") || text.equals("null") || text.equals("Null"));
    }

    @Override
    public String shape() {
      if (isNull()) {
        return "empty";
      }
      String shown =
          text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
      return "'" + shown.replaceAll("\\p{Cntrl}", "?") + "'";
    }
  }

  /** Values in order. */
  record Sequence(Where where, List<Tree> items) implements Tree {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String shape() {
      return "a list";
    }
  }

  /** Named values in the order in which they were written; no name occurs twice. */
  record Mapping(Where where, List<Entry> entries) implements Tree {
    public Mapping {
      entries = List.copyOf(entries);
    }

    /** The entry of that name. */
    public Optional<Entry> find(String name) {
      return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    @Override
    public String shape() {
      return "a mapping";
    }
  }

  /**
   * A name and its value.
   *
   * @param name the key
   * @param where where the key begins
   * @param value what belongs to it
   */
  record Entry(String name, Where where, Tree value) {}

  /** The value at a path. */
  default Optional<Tree> find(TreePath path) {
    Tree at = this;
    for (TreePath.Step step : path.steps()) {
      Optional<Entry> next = step.in(at);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get().value();
    }
    return Optional.of(at);
  }

  /**
   * The place of the value at a path such as {@code matrix.consistency[1]}, or of its nearest
   * ancestor that was written.
   */
  default Where locate(TreePath path) {
    Tree at = this;
    Where found = where();
    for (TreePath.Step step : path.steps()) {
      Optional<Entry> next = step.in(at);
      if (next.isEmpty()) {
        return found;
      }
      at = next.get().value();
      found = at.where();
    }
    return found;
  }
}
