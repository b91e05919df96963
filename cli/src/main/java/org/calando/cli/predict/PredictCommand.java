package org.calando.cli.predict;

import org.calando.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code calando predict ...}: what settings would do, without trying them. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = "Predicts what untried settings would do.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PredictStaleCommand.class, PredictEnergyCommand.class})
public final class PredictCommand extends CommandGroup {}
