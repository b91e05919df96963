package org.calando.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code calando help [COMMAND]}: what {@code --help} of the command says. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    description = "Shows the help of a command; of all of them without one.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class HelpCommand implements Runnable {
  private static final String EXAMPLES = "examples.txt";

  /** Beside indent and backslash, of a terminal of 80 columns. */
  private static final int WIDEST = 72;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command, such as study or predict stale.")
  private List<String> words = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine shown = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = shown.getSubcommands().get(word);
      if (next == null) {
        throw CommandErrors.noCommand(shown.getCommandSpec(), word);
      }
      shown = next;
    }
    shown.usage(spec.commandLine().getOut());
  }

  /**
   * Gives each command its examples, and options in the order in which one explains the next: of a
   * command with others below it the first example of each.
   */
  static void complete(CommandSpec root) {
    List<String> examples = examples();
    Stream.concat(Stream.of(root), CommandErrors.below(root))
        .forEach(command -> complete(command, of(command, examples).toList()));
  }

  private static void complete(CommandSpec command, List<String> examples) {
    // Not by the footer itself, which breaks long lines: these are there to be copied.
    String shown =
        "\nExamples:\n  "
            + String.join("\n  ", examples.stream().map(HelpCommand::broken).toList())
            + "\n";
    command.usageMessage().sortOptions(false);
    command
        .commandLine()
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> shown);
  }

  /** A line that is too long goes on in the next, as a shell reads it, before an option. */
  private static String broken(String example) {
    int end = example.lastIndexOf(" --", WIDEST);
    return example.length() <= WIDEST || end < 0
        ? example
        : example.substring(0, end) + " \\\n     " + broken(example.substring(end).strip());
  }

  /** The examples of a command: its own, and the first of each below it. */
  static Stream<String> of(CommandSpec command, List<String> examples) {
    String begin = "./" + command.qualifiedName(" ") + " ";
    Stream<String> own =
        examples.stream()
            .filter(line -> (line + " ").startsWith(begin))
            .filter(
                line ->
                    command.subcommands().keySet().stream()
                        .noneMatch(below -> (line + " ").startsWith(begin + below + " ")));
    return Stream.concat(
        own,
        command.subcommands().values().stream()
            .flatMap(each -> of(each.getCommandSpec(), examples).limit(1)));
  }

  /** The lines of the file of examples, each a command as it is typed. */
  static List<String> examples() {
    try (InputStream in = HelpCommand.class.getResourceAsStream(EXAMPLES)) {
      if (in == null) {
        throw new IllegalStateException("the examples are not in the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
