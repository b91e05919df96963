package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.engine.Engines;
import org.calando.engine.LocalSchema;
import org.calando.engine.LocalSpec;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.engine.redis.LocalRedisClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.RunState;
import org.calando.local.redis.LocalRedis;
import org.calando.study.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code calando local start|status|stop ENGINE}: a cluster on this machine for the user. */
@Command(
    name = "local",
    mixinStandardHelpOptions = true,
    description = "Starts, shows and stops a real cluster on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LocalCommand.Start.class, LocalCommand.Status.class, LocalCommand.Stop.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class LocalCommand implements Runnable {
  private static final String CASSANDRA = LocalCassandra.ENGINE;
  private static final String REDIS = LocalRedis.ENGINE;
  private static final String HDFS = LocalHdfs.ENGINE;
  private static final String HBASE = LocalHBase.ENGINE;
  private static final List<String> ENGINES = List.of(CASSANDRA, REDIS, HDFS, HBASE);

  /** What a study's file says to use the cluster. */
  static final String STORE = "store.yaml";

  /** What a local cluster is shown as. */
  interface View {
    /** Whether all that belongs to it is up. */
    boolean up();

    ObjectNode json();

    String engine();

    void print();

    /** Prints it below the engine's name. */
    default void printTitled() {
      System.out.println("Local " + engine() + ":");
      printAll();
    }

    /** Prints it, with what is not up. */
    private void printAll() {
      print();
      lacking().ifPresent(System.out::println);
    }

    /** What is to be up and is not, and what starts it, in one line; empty if nothing. */
    Optional<String> lacking();

    /** Shows it; whether all is up. */
    default boolean show(boolean json) {
      if (json) {
        System.out.println(json().toPrettyString());
      } else {
        printAll();
      }
      return up();
    }
  }

  /** Servers that are to be up and are not, with a remedy; empty if there are none. */
  static Optional<String> lacking(List<String> servers, String remedy) {
    return servers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join(", ", servers)
                + (servers.size() == 1 ? " is" : " are")
                + " not up; "
                + remedy);
  }

  /** The remedy of a cluster whose servers no command starts by themselves. */
  static String again(String engine) {
    return "./calando local stop %s, then ./calando local start %s: its data are removed"
        .formatted(engine, engine);
  }

  @Spec private picocli.CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "start, status or stop?");
  }

  /** Where the cluster that outlives the command keeps its data and state. */
  private static Path stateFolder(String engine) {
    if (!ENGINES.contains(engine)) {
      throw new BadRequestException(
          "there is no local engine '" + engine + "'",
          "ENGINE",
          "use " + CASSANDRA + ", " + REDIS + ", " + HDFS + " or " + HBASE);
    }
    return StateFolder.local(engine);
  }

  /** The engines of which there is a local cluster. */
  static List<String> started() {
    return ENGINES.stream().filter(engine -> RunState.existsIn(StateFolder.local(engine))).toList();
  }

  /** Starts a cluster and leaves it running. */
  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description =
          "Starts a cluster and leaves it running. Studies use it by the inventory file that it"
              + " prints, or by the store section that it writes beside it. With --set auth=true"
              + " and --set tls=true clients must log in and use TLS; hdfs and hbase have neither.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Start implements Callable<Integer> {
    @Parameters(paramLabel = "ENGINE", description = "cassandra, redis, hdfs or hbase")
    private String engine;

    @Option(
        names = "--set",
        paramLabel = "KEY=VALUE",
        description =
            "A setting as under store.local in a study's file, such as nodes=5 or link-delay=5ms."
                + " Of hdfs: nodes, port, data-dir, dead-after, name-node-jar, gears=3,7"
                + " with gear-layout=rabbit or paraid, or HDFS's own, such as"
                + " dfs.blocksize=4194304. Of hbase: nodes, data-nodes, port, heap,"
                + " session-timeout, or HBase's own, such as hbase.wal.hsync=true.")
    private List<String> settings = List.of();

    @Mixin private OutputOptions output;

    @Spec private picocli.CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
      Path folder = stateFolder(engine);
      try {
        switch (engine) {
          case HDFS -> startHdfs(folder);
          case HBASE -> startHBase(folder);
          default -> startStore(folder);
        }
      } catch (CalandoException e) {
        // Whatever fails after Ctrl-C or SIGTERM fails because of it.
        ((Main) spec.root().userObject()).stop().check();
        throw e;
      }
      return 0;
    }

    /**
     * With as many replicas as a cluster of fewer than three nodes can have, where none is told.
     */
    static List<String> withReplicas(List<String> settings) {
      boolean told = settings.stream().anyMatch(setting -> setting.startsWith("rf="));
      Optional<String> few =
          settings.stream().filter(setting -> setting.matches("nodes=[12]")).reduce((a, b) -> b);
      List<String> all = new ArrayList<>(settings);
      few.filter(nodes -> !told).ifPresent(nodes -> all.add(nodes.replace("nodes", "rf")));
      return all;
    }

    private void startStore(Path folder) {
      LocalSpec spec =
          LocalSchema.read(
              Engines.of(engine), engine.equals(CASSANDRA) ? withReplicas(settings) : settings);
      try (Progress progress = output.progress()) {
        Instant begun = Instant.now();
        progress.line("Starting %d %s nodes ...".formatted(spec.nodes(), engine));
        Path inventory = folder.resolve("inventory.yaml");
        LocalView view;
        if (engine.equals(REDIS)) {
          LocalRedis cluster = LocalRedisClusters.startAndLeave(spec, folder);
          write(inventory, LocalRedisClusters.inventory(cluster));
          write(folder.resolve(STORE), LocalRedisClusters.store(cluster, inventory));
          view = LocalView.of(cluster, folder);
        } else {
          LocalCassandra cluster = LocalClusters.startAndLeave(spec, folder);
          write(inventory, LocalClusters.inventory(cluster));
          write(folder.resolve(STORE), LocalClusters.store(cluster, inventory));
          view = LocalView.of(cluster, folder);
        }
        progress.line("Up after " + Progress.spoken(Duration.between(begun, Instant.now())));
        view.show(output.json());
      }
    }

    private void startHdfs(Path folder) {
      try (Progress progress = output.progress()) {
        Instant begun = Instant.now();
        progress.line("Starting hdfs ...");
        LocalHdfsView view =
            LocalHdfsView.of(LocalHdfsView.startAndLeave(settings, folder), folder);
        write(folder.resolve(LocalHdfsView.INVENTORY), view.inventory());
        write(folder.resolve(LocalHdfsView.FILE), view.reached());
        progress.line("Up after " + Progress.spoken(Duration.between(begun, Instant.now())));
        view.show(output.json());
      }
    }

    private void startHBase(Path folder) {
      try (Progress progress = output.progress()) {
        Instant begun = Instant.now();
        progress.line("Starting hbase ...");
        LocalHBaseView view =
            LocalHBaseView.of(LocalHBaseView.startAndLeave(settings, folder), folder);
        write(folder.resolve(LocalHBaseView.FILE), view.reached());
        write(folder.resolve(LocalHBaseView.INVENTORY), view.inventory());
        write(folder.resolve(STORE), view.store());
        progress.line("Up after " + Progress.spoken(Duration.between(begun, Instant.now())));
        view.show(output.json());
      }
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
    @Parameters(
        paramLabel = "ENGINE",
        arity = "0..1",
        description = "cassandra, redis, hdfs or hbase")
    private @Nullable String engine;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() {
      if (engine != null) {
        return view(engine).show(output.json()) ? 0 : 1;
      }
      List<View> views = started().stream().map(Status::view).toList();
      if (output.json()) {
        ObjectNode answer = new ObjectMapper().createObjectNode();
        ArrayNode clusters = answer.putArray("clusters");
        views.forEach(view -> clusters.add(view.json()));
        System.out.println(answer.toPrettyString());
      } else if (views.isEmpty()) {
        System.out.println("There is no local cluster. Start one: ./calando local start cassandra");
      } else {
        views.forEach(View::printTitled);
      }
      return views.stream().allMatch(View::up) ? 0 : 1;
    }

    private static View view(String engine) {
      Path folder = stateFolder(engine);
      return switch (engine) {
        case HDFS -> LocalHdfsView.of(LocalHdfs.attach(folder), folder);
        case HBASE -> LocalHBaseView.of(LocalHBase.attach(folder), folder);
        case REDIS -> LocalView.of(LocalRedis.attach(folder), folder);
        default -> LocalView.of(LocalCassandra.attach(folder), folder);
      };
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
    @Parameters(
        paramLabel = "ENGINE",
        arity = "0..1",
        description = "cassandra, redis, hdfs or hbase")
    private @Nullable String engine;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() {
      List<String> started = started();
      if (engine == null ? started.isEmpty() : !RunState.existsIn(stateFolder(engine))) {
        System.out.println(
            output.json()
                ? new ObjectMapper().createObjectNode().putNull("stopped").toPrettyString()
                : "There is no local cluster: nothing to stop.");
        return 0;
      }
      String stopped = engine == null ? only(started) : engine;
      Path folder = stateFolder(stopped);
      LocalStrangers strangers = shutdown(stopped, folder);
      StateFolder.removeEmptyLocal();
      System.out.println(
          output.json()
              ? new ObjectMapper().createObjectNode().put("stopped", stopped).toPrettyString()
              : "Stopped " + stopped + ".");
      strangers.requireNone(stopped);
      return 0;
    }

    /** Ends a cluster; what serves on is left, as Calando did not start it. */
    private static LocalStrangers shutdown(String engine, Path folder) {
      switch (engine) {
        case HDFS -> {
          LocalHdfs cluster = LocalHdfs.attach(folder);
          cluster.shutdown();
          return LocalStrangers.of(cluster);
        }
        case HBASE -> {
          LocalHBase cluster = LocalHBase.attach(folder);
          cluster.shutdown();
          return LocalStrangers.of(cluster);
        }
        case REDIS -> LocalRedis.attach(folder).shutdown();
        default -> LocalCassandra.attach(folder).shutdown();
      }
      return LocalStrangers.NONE;
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
