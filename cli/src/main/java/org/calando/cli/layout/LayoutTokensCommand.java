package org.calando.cli.layout;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code calando layout tokens}: a token for each node, and what it then holds. */
@Command(
    name = "tokens",
    mixinStandardHelpOptions = true,
    description =
        "Gives each node of a Cassandra cluster a token, so that a warm node owns twice as much"
            + " of the ring as a cool one, and shows what each then holds; see docs/layout.md.",
    modelTransformer = TokenArguments.class)
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class LayoutTokensCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    TokenArguments arguments = new TokenArguments();
    arguments.take(spec);
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
