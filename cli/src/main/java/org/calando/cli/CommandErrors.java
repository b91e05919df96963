package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.Nearest;
import org.calando.study.StopSignal;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells what is wrong: lines for a person, one line of JSON with {@code --json}. Stateless. */
final class CommandErrors {
  private static final String JSON = "--json";

  private CommandErrors() {}

  /** Tells of arguments that the command does not take; the exit code. */
  static int wrongArguments(ParameterException exception, String[] args) {
    CommandLine command = exception.getCommandLine();
    boolean json = List.of(args).contains(JSON);
    return tell(request(exception, command.getCommandSpec()), json, command.getErr());
  }

  /** Tells of work that failed; the exit code. */
  static int failed(Exception exception, String[] args, PrintWriter errors) {
    if (exception instanceof StopSignal.StoppedException) {
      return 130;
    }
    boolean json = List.of(args).contains(JSON);
    if (exception instanceof CalandoException told) {
      return tell(told, json, errors);
    }
    String remedy = "this is a fault of Calando's; repeat with CALANDO_DEBUG=1 for details";
    tell(new BadRequestException("internal error: " + exception, "", remedy), 1, json, errors);
    if (System.getenv("CALANDO_DEBUG") != null) {
      exception.printStackTrace(errors);
    }
    return 1;
  }

  private static int tell(CalandoException told, boolean json, PrintWriter errors) {
    return tell(told, told.exitCode(), json, errors);
  }

  private static int tell(CalandoException told, int code, boolean json, PrintWriter errors) {
    if (!json) {
      errors.println("calando: " + told.getMessage());
      return code;
    }
    ObjectNode answer = new ObjectMapper().createObjectNode();
    ObjectNode error = answer.putObject("error");
    put(error, new CalandoException.Problem(told.where(), told.what(), told.remedy()));
    error.put("exit_code", code);
    told.problems().forEach(each -> put(error.withArray("problems").addObject(), each));
    errors.println(answer);
    return code;
  }

  private static void put(ObjectNode node, CalandoException.Problem problem) {
    node.put("what", problem.what()).put("where", problem.where()).put("remedy", problem.remedy());
  }

  private static CalandoException request(ParameterException exception, CommandSpec command) {
    String help = "see ./" + command.qualifiedName(" ") + " --help";
    if (!(exception instanceof UnmatchedArgumentException unmatched)) {
      return new BadRequestException(String.valueOf(exception.getMessage()), "", help);
    }
    String word = unmatched.getUnmatched().get(0);
    if (unmatched.isUnknownOption()) {
      List<String> options = command.options().stream().map(OptionSpec::longestName).toList();
      String near = near(word.split("=", 2)[0], options).orElse("");
      return new BadRequestException("there is no option '" + word + "'", "", near + help);
    }
    return command.subcommands().isEmpty()
        ? new BadRequestException("'" + word + "' is one argument too many", "", help)
        : noCommand(command, word);
  }

  /** The refusal of a word that is no command below the given one. */
  static BadRequestException noCommand(CommandSpec command, String word) {
    List<String> meant = new ArrayList<>();
    Nearest.of(word, command.subcommands().keySet()).ifPresent(meant::add);
    if (meant.isEmpty()) {
      below(command.root())
          .filter(other -> other.name().equals(word))
          .forEach(other -> meant.add(other.qualifiedName(" ")));
    } else {
      meant.replaceAll(name -> command.qualifiedName(" ") + " " + name);
    }
    String known = String.join(", ", command.subcommands().keySet());
    return new BadRequestException(
        "there is no command '" + word + "'",
        "",
        meant.isEmpty()
            ? "use one of " + known + "; see ./" + command.qualifiedName(" ") + " --help"
            : "did you mean ./" + String.join(" or ./", meant) + "?");
  }

  private static Optional<String> near(String word, List<String> known) {
    return Nearest.of(word, known).map(name -> "did you mean " + name + "? ");
  }

  /** All commands below one. */
  static Stream<CommandSpec> below(CommandSpec command) {
    return command.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .flatMap(each -> Stream.concat(Stream.of(each), below(each)));
  }
}
