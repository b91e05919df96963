package org.calando.cli.layout;

import org.calando.cli.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando layout ...}: which node is to hold what. */
@Command(
    name = "layout",
    mixinStandardHelpOptions = true,
    description =
        "Lays out which node holds what, so that some nodes are warm, or off, and others not.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LayoutTokensCommand.class,
      LayoutMoveCommand.class,
      LayoutRabbitCommand.class,
      LayoutParaidCommand.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class LayoutCommand implements Runnable {
  @Spec private CommandSpec spec;

  @ParentCommand private Main main;

  Main main() {
    return main;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "tokens, move, rabbit or paraid?");
  }
}
