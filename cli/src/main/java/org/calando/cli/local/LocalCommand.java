package org.calando.cli.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.CommandGroup;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.StateFolder;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.Spoken;
import org.calando.engine.Engines;
import org.calando.kept.ClusterStatus;
import org.calando.kept.KeptCluster;
import org.calando.kept.LocalEngine;
import org.calando.local.process.RunState;
import org.calando.study.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code calando local start|status|stop ENGINE}: a cluster on this machine for the user. */
@Command(
    name = "local",
    mixinStandardHelpOptions = true,
    resourceBundle = EngineWords.BUNDLE,
    description = "Starts, shows and stops a real cluster on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LocalCommand.Start.class, LocalCommand.Status.class, LocalCommand.Stop.class})
public final class LocalCommand extends CommandGroup {
  private static final String ENGINES = "${bundle:" + EngineWords.LOCAL + "}";

  /** Where the cluster that outlives the command keeps its data and state. */
  private static Path folder(String engine) {
    if (!EngineWords.localIds().contains(engine)) {
      throw new BadRequestException(
          "there is no local engine '" + engine + "'",
          "ENGINE",
          "use " + EngineWords.or(EngineWords.localIds()));
    }
    return StateFolder.local(engine);
  }

  private static LocalEngine of(String engine) {
    return Engines.of(engine).local().orElseThrow();
  }

  private static KeptCluster attach(String engine) {
    Path folder = folder(engine);
    return of(engine).attach(folder);
  }

  /** The engines of which there is a local cluster. */
  static List<String> started() {
    return EngineWords.localIds().stream().filter(LocalCommand::isStarted).toList();
  }

  private static boolean isStarted(String engine) {
    return RunState.existsIn(folder(engine));
  }

  /** Shows a cluster; whether all of it is up. */
  private static boolean show(ClusterStatus status, boolean json) {
    if (json) {
      System.out.println(status.json().toPrettyString());
    } else {
      status.lines().forEach(System.out::println);
    }
    return status.isUp();
  }

  /** Starts a cluster and leaves it running. */
  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description =
          "Starts a cluster and leaves it running. Studies use it by the inventory file that it"
              + " prints, or by the store section that it writes beside it. With --set auth=true"
              + " and --set tls=true clients must log in and use TLS; ${bundle:"
              + EngineWords.OPEN
              + "} have neither.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Start implements Callable<Integer> {
    @Parameters(paramLabel = "ENGINE", description = ENGINES)
    private String engine;

    @Option(
        names = "--set",
        paramLabel = "KEY=VALUE",
        description =
            "A setting as under store.local in a study's file, such as nodes=5 or link-delay=5ms."
                + "${bundle:"
                + EngineWords.SETTINGS
                + "}")
    private List<String> settings = List.of();

    @Mixin private OutputOptions output;

    @Spec private picocli.CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
      Path folder = folder(engine);
      try (Progress progress = output.progress()) {
        start(of(engine).plan(settings), folder, progress);
      } catch (CalandoException e) {
        // Whatever fails after Ctrl-C or SIGTERM fails because of it.
        Main.stop(spec).check();
        throw e;
      }
      return 0;
    }

    private void start(LocalEngine.Plan plan, Path folder, Progress progress) {
      Instant begun = Instant.now();
      progress.line("Starting " + plan.label() + " ...");
      KeptCluster cluster = plan.start(folder);
      cluster.files().forEach((name, text) -> write(folder.resolve(name), text));
      progress.line("Up after " + Spoken.of(Duration.between(begun, Instant.now())));
      show(cluster.status(), output.json());
    }

    private static void write(Path file, String text) {
      try {
        Files.writeString(file, text);
      } catch (IOException e) {
        throw new FailedWorkException(
            "cannot be written (" + e.getMessage() + ")", file.toString(), "make room there", e);
      }
    }
  }

  /** Shows the cluster, or all of them. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description =
          "Shows the nodes of a cluster; without ENGINE of all that were started. Exit code 1 if"
              + " a node that should be up is not; nodes that are off by the gear or powered down"
              + " should not.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Status implements Callable<Integer> {
    @Parameters(paramLabel = "ENGINE", arity = "0..1", description = ENGINES)
    private @Nullable String engine;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() {
      if (engine != null) {
        return show(attach(engine).status(), output.json()) ? 0 : 1;
      }
      List<ClusterStatus> all = started().stream().map(each -> attach(each).status()).toList();
      if (output.json()) {
        ObjectNode answer = new ObjectMapper().createObjectNode();
        ArrayNode clusters = answer.putArray("clusters");
        all.forEach(each -> clusters.add(each.json()));
        System.out.println(answer.toPrettyString());
      } else if (all.isEmpty()) {
        System.out.println(
            "There is no local cluster. Start one: ./calando local start "
                + EngineWords.localIds().get(0));
      } else {
        for (ClusterStatus each : all) {
          System.out.println("Local " + each.engine() + ":");
          show(each, false);
        }
      }
      return all.stream().allMatch(ClusterStatus::isUp) ? 0 : 1;
    }
  }

  /** Stops the cluster. */
  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description =
          "Stops a cluster and removes its data; ENGINE may be left out where only one was started."
              + " Exit code 1 if a process serves on that Calando did not start: it is not ended.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Stop implements Callable<Integer> {
    @Parameters(paramLabel = "ENGINE", arity = "0..1", description = ENGINES)
    private @Nullable String engine;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() {
      List<String> started = started();
      if (engine == null ? started.isEmpty() : !isStarted(engine)) {
        System.out.println(
            output.json()
                ? new ObjectMapper().createObjectNode().putNull("stopped").toPrettyString()
                : "There is no local cluster: nothing to stop.");
        return 0;
      }
      String stopped = engine == null ? only(started) : engine;
      KeptCluster cluster = attach(stopped);
      cluster.shutdown();
      List<String> strangers = cluster.strangers();
      StateFolder.removeEmptyLocal();
      System.out.println(
          output.json()
              ? new ObjectMapper().createObjectNode().put("stopped", stopped).toPrettyString()
              : "Stopped " + stopped + ".");
      if (!strangers.isEmpty()) {
        throw new FailedWorkException(
            "not all has ended: " + String.join("; ", strangers),
            "local " + stopped,
            KeptCluster.END_BY_HAND + "; what Calando started has ended");
      }
      return 0;
    }

    private static String only(List<String> engines) {
      if (engines.size() == 1) {
        return engines.get(0);
      }
      throw new BadRequestException(
          "there are " + engines.size() + " local clusters",
          "ENGINE",
          "name one: ./calando local stop " + String.join(" or ", engines));
    }
  }
}
