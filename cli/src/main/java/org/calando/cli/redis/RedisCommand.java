package org.calando.cli.redis;

import org.calando.cli.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando redis ...}: what is of Redis and Valkey only. */
@Command(
    name = "redis",
    mixinStandardHelpOptions = true,
    description = "Inspects a Redis or Valkey master and its replicas.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RedisLagCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class RedisCommand implements Runnable {
  @Spec private CommandSpec spec;

  @ParentCommand private Main main;

  Main main() {
    return main;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "lag?");
  }
}
