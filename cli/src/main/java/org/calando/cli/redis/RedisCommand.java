package org.calando.cli.redis;

import org.calando.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code calando redis ...}: what is of Redis and Valkey only. */
@Command(
    name = "redis",
    mixinStandardHelpOptions = true,
    description = "Inspects a Redis or Valkey master and its replicas.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RedisLagCommand.class})
public final class RedisCommand extends CommandGroup {}
