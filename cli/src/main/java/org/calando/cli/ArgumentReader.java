package org.calando.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.calando.core.BadRequestException;
import org.calando.schema.Problems;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Where;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reads arguments and collects all that is wrong with them. Not thread safe. */
final class ArgumentReader {
  private final Map<String, String> given = new LinkedHashMap<>();
  private final Problems problems = new Problems();

  /** Takes an argument; null if it was not given. */
  void put(String name, @Nullable String text) {
    if (text != null) {
      given.put(name, text);
    }
  }

  /**
   * Takes each option that a command was given, by its longest name: a flag that is set with some
   * text, one that was repeated with the first.
   */
  static void given(CommandSpec command, BiConsumer<String, String> take) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      if (!Boolean.FALSE.equals(option.getValue())) {
        take.accept(option.longestName(), option.originalStringValues().get(0));
      }
    }
  }

  boolean has(String name) {
    return given.containsKey(name);
  }

  /** An argument as it was given; empty if it was not. */
  String text(String name) {
    return given.getOrDefault(name, "");
  }

  /** Whether nothing is wrong so far. */
  boolean isRight() {
    return problems.count() == 0;
  }

  /** The value of an argument; empty if it was not given or is wrong. */
  <T> Optional<T> optional(String name, ScalarType<T> type) {
    String text = given.get(name);
    return text == null ? Optional.empty() : parse(name, text, type);
  }

  /** The value of a text that an argument holds; empty if it is wrong. */
  <T> Optional<T> parse(String name, String text, ScalarType<T> type) {
    Tree.Scalar scalar = new Tree.Scalar(Where.argument(name), text, false);
    try {
      return Optional.of(type.parse(scalar));
    } catch (Refusal refusal) {
      wrong(name, scalar.shape() + " " + refusal.what(), refusal.remedy());
      return Optional.empty();
    }
  }

  void wrong(String name, String what, String remedy) {
    problems.add(Where.argument(name), "", what, remedy);
  }

  /**
   * Does nothing if nothing is wrong.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  void throwIfAny() {
    problems.throwIfAny();
  }
}
