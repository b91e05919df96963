package org.calando.cli;

import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that a command was given. Stateless. */
public final class GivenOptions {
  private GivenOptions() {}

  /**
   * Takes each option that a command was given, by its longest name: a flag that is set with some
   * text, one that was repeated with the first.
   */
  public static void of(CommandSpec command, BiConsumer<String, String> take) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      if (!Boolean.FALSE.equals(option.getValue())) {
        take.accept(option.longestName(), option.originalStringValues().get(0));
      }
    }
  }
}
