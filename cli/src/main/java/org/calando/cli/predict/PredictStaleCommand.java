package org.calando.cli.predict;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.calando.cli.StoreAccess;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.study.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando predict stale}: the share of stale reads, by each model. */
@Command(
    name = "stale",
    mixinStandardHelpOptions = true,
    description =
        "Predicts the share of reads that return an older version than the newest acknowledged,"
            + " and how many replicas to read for a tolerated share; see docs/predict.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class PredictStaleCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Option(names = StaleArguments.N, paramLabel = "N", description = "Replicas of each key.")
  private @Nullable String replicas;

  @Option(
      names = StaleArguments.W,
      paramLabel = "W",
      description = "Replicas that acknowledge a write; 1 by default.")
  private @Nullable String write;

  @Option(
      names = StaleArguments.X,
      paramLabel = "X",
      description = "Replicas that a read asks; 1 by default.")
  private @Nullable String read;

  @Option(
      names = StaleArguments.READS,
      paramLabel = "RATE",
      description = "Reads per second: of one key, or with --keys of the whole table.")
  private @Nullable String reads;

  @Option(
      names = StaleArguments.WRITES,
      paramLabel = "RATE",
      description = "Writes per second: of one key, or with --keys of the whole table.")
  private @Nullable String writes;

  @Option(
      names = StaleArguments.PROPAGATION,
      paramLabel = "TIME",
      description = "Time that a write takes to reach every replica, Tp: 100ms.")
  private @Nullable String propagation;

  @Option(
      names = StaleArguments.TOLERATE,
      paramLabel = "SHARE",
      description =
          "Share of stale reads that is tolerable, 20%% or 0.2: then the replicas to read are"
              + " shown.")
  private @Nullable String tolerated;

  @Option(
      names = StaleArguments.KEYS,
      paramLabel = "KEYS",
      description = "Keys of the table; the two rates are then the table's.")
  private @Nullable String keys;

  @Option(
      names = StaleArguments.POPULARITY,
      paramLabel = "HOW",
      description = "How requests spread over the keys: uniform (the default) or zipf:0.99.")
  private @Nullable String popularity;

  @Option(
      names = StaleArguments.WARS,
      paramLabel = "exp:A,ALPHA,BETA,SIGMA",
      description =
          "Answers also for exponential latencies with these rates per ms: of a write's way to a"
              + " replica, its acknowledgement's way back, a read's way there and its reply's"
              + " back.")
  private @Nullable String wars;

  @Option(
      names = StaleArguments.MODE,
      paramLabel = "MODE",
      description =
          "With --wars: reads go to all replicas and use the first X replies (all), or to X random"
              + " replicas (subset, as Cassandra's; the default).")
  private @Nullable String mode;

  @Option(
      names = StaleArguments.TIME,
      paramLabel = "TIME",
      description = "With --wars: time from a write's acknowledgement to the read; 0ms by default.")
  private @Nullable String time;

  @Option(
      names = StaleArguments.LIVE,
      paramLabel = "FILE.yaml",
      description =
          "Asks a live cluster for N, the rates and Tp: that of a study's file, or an inventory."
              + " --reads-per-s, --writes-per-s and --propagation take precedence over what it"
              + " reports.")
  private @Nullable Path live;

  @Option(
      names = StaleArguments.TABLE,
      paramLabel = "TABLE",
      description = "With --live: the table, as keyspace.table.")
  private @Nullable String table;

  @Option(
      names = StaleArguments.FOR,
      paramLabel = "TIME",
      description = "With --live: how long to look at it; 10s by default.")
  private @Nullable String lookFor;

  @Option(
      names = StaleArguments.CANARY,
      description =
          "With --live: allows to measure Tp by writes to a table calando_canary in a keyspace that"
              + " Calando did not create.")
  private boolean canary;

  @Option(
      names = StaleArguments.SET,
      paramLabel = "PATH=VALUE",
      description = "With --live: replaces a value of the study's file. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @ParentCommand private PredictCommand parent;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    StalePrediction prediction = StalePrediction.of(figures());
    output.print(prediction.json(), prediction.lines());
    return 0;
  }

  /** What is predicted from: the arguments, and what a cluster tells. */
  private StaleFigures figures() throws InterruptedException {
    StaleArguments arguments = arguments();
    Path file = live;
    if (file == null) {
      return arguments.figures();
    }
    LiveRequest request = arguments.live();
    CassandraStoreConfig store = StoreAccess.read(file, overrides);
    try (Progress progress = output.progress()) {
      return arguments.figures(
          Optional.of(new LiveLook(parent.main().stop(), progress).look(store, request)));
    }
  }

  private StaleArguments arguments() {
    StaleArguments arguments = new StaleArguments();
    GivenOptions.of(spec, arguments::put);
    return arguments;
  }
}
