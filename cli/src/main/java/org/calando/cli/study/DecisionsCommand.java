package org.calando.cli.study;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code calando decisions ...}: what policies decided, and why. */
@Command(
    name = "decisions",
    mixinStandardHelpOptions = true,
    description = "Decisions that policies took.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DecisionsReplayCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class DecisionsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "replay?");
  }
}
