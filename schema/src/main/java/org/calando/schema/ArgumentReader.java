package org.calando.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** Reads arguments and collects all that is wrong with them. Not thread safe. */
public final class ArgumentReader {
  private final Map<String, String> given = new LinkedHashMap<>();
  private final Problems problems = new Problems();

  /** Takes an argument; null if it was not given. */
  public void put(String name, @Nullable String text) {
    if (text != null) {
      given.put(name, text);
    }
  }

  /** Whether an argument was given. */
  public boolean has(String name) {
    return given.containsKey(name);
  }

  /** An argument as it was given; empty if it was not. */
  public String text(String name) {
    return given.getOrDefault(name, "");
  }

  /** Whether nothing is wrong so far. */
  public boolean isRight() {
    return problems.count() == 0;
  }

  /** The value of an argument; empty if it was not given or is wrong. */
  public <T> Optional<T> optional(String name, ScalarType<T> type) {
    String text = given.get(name);
    return text == null ? Optional.empty() : parse(name, text, type);
  }

  /** The value of a text that an argument holds; empty if it is wrong. */
  public <T> Optional<T> parse(String name, String text, ScalarType<T> type) {
    Tree.Scalar scalar = new Tree.Scalar(Where.argument(name), text, false);
    try {
      return Optional.of(type.parse(scalar));
    } catch (Refusal refusal) {
      wrong(name, scalar.shape() + " " + refusal.what(), refusal.remedy());
      return Optional.empty();
    }
  }

  /** Reports what is wrong with an argument. */
  public void wrong(String name, String what, String remedy) {
    problems.add(Where.argument(name), "", what, remedy);
  }

  /**
   * Does nothing if nothing is wrong.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  public void throwIfAny() {
    problems.throwIfAny();
  }
}
