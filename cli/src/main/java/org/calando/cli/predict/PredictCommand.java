package org.calando.cli.predict;

import org.calando.cli.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando predict ...}: what settings would do, without trying them. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = "Predicts what untried settings would do.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PredictStaleCommand.class, PredictEnergyCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class PredictCommand implements Runnable {
  @Spec private CommandSpec spec;

  @ParentCommand private Main main;

  Main main() {
    return main;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "predict what? stale or energy");
  }
}
