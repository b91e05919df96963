package org.calando.cli;

import java.util.List;
import org.calando.schema.ArgumentReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The arguments of a command, taken as texts so that whoever reads them tells everything that is
 * wrong at once. As the command's transformer it declares them. Not thread safe.
 */
public abstract class TextArguments implements IModelTransformer {
  protected final ArgumentReader arguments = new ArgumentReader();

  private final TextOptions options;

  /** Of a command that has such options. */
  protected TextArguments(TextOptions options) {
    this.options = options;
  }

  @Override
  public final CommandSpec transform(CommandSpec command) {
    options.addTo(command);
    return command;
  }

  /** Takes an argument; null if it was not given. */
  public final void put(String name, @Nullable String text) {
    arguments.put(name, text);
  }

  /**
   * Takes each option that a command was given, by its longest name: a flag that is set with some
   * text, one that was repeated with the first.
   */
  public final void take(CommandSpec command) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      if (!Boolean.FALSE.equals(option.getValue())) {
        put(option.longestName(), option.originalStringValues().get(0));
      }
    }
  }

  /** All values of an option that may be repeated. */
  public static List<String> all(CommandSpec command, String name) {
    return command.commandLine().getParseResult().matchedOptionValue(name, List.of());
  }
}
