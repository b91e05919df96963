package org.calando.cli.layout;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code calando layout tokens}: a token for each node, and what it then holds. */
@Command(
    name = "tokens",
    mixinStandardHelpOptions = true,
    description =
        "Gives each node of a Cassandra cluster a token, so that a warm node owns twice as much"
            + " of the ring as a cool one, and shows what each then holds; see docs/layout.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class LayoutTokensCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Option(names = RingArguments.NODES, paramLabel = "N", description = "Nodes of the cluster.")
  private @Nullable String nodes;

  @Option(
      names = RingArguments.LAYOUT,
      paramLabel = "LAYOUT",
      description = "even (the default), half, third, two-thirds, or a share of warm nodes: 1/4.")
  private @Nullable String layout;

  @Mixin private WarmOptions warm;

  @Mixin private RingOptions ring;

  @Option(
      names = TokenArguments.FORMAT,
      paramLabel = "FORMAT",
      description = "table (the default), json, or yaml: the lines of each node's cassandra.yaml.")
  private @Nullable String format;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    TokenArguments arguments = new TokenArguments();
    GivenOptions.of(spec, arguments::put);
    TokenRequest request = arguments.request();
    TokenAnswer answer = TokenAnswer.of(request);
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    switch (request.format()) {
      case TABLE -> answer.table().forEach(stdout::println);
      case JSON -> stdout.println(answer.json().toPrettyString());
      case YAML -> answer.yaml().forEach(stdout::println);
    }
    return 0;
  }
}
