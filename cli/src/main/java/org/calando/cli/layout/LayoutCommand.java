package org.calando.cli.layout;

import org.calando.cli.CommandGroup;
import picocli.CommandLine.Command;

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
public final class LayoutCommand extends CommandGroup {}
