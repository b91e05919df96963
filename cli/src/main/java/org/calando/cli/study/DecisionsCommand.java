package org.calando.cli.study;

import org.calando.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code calando decisions ...}: what policies decided, and why. */
@Command(
    name = "decisions",
    mixinStandardHelpOptions = true,
    description = "Decisions that policies took.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DecisionsReplayCommand.class})
public final class DecisionsCommand extends CommandGroup {}
