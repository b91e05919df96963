package org.calando.cli.predict;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.StoreAccess;
import org.calando.cli.TextArguments;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.study.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code calando predict stale}: the share of stale reads, by each model. */
@Command(
    name = "stale",
    mixinStandardHelpOptions = true,
    description =
        "Predicts the share of reads that return an older version than the newest acknowledged,"
            + " and how many replicas to read for a tolerated share; see docs/predict.md.",
    modelTransformer = StaleArguments.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class PredictStaleCommand implements Callable<Integer> {
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
    StaleArguments arguments = new StaleArguments();
    arguments.take(spec);
    Optional<Path> file = arguments.file();
    if (file.isEmpty()) {
      return arguments.figures();
    }
    LiveRequest request = arguments.live();
    CassandraStoreConfig store =
        StoreAccess.read(file.get(), TextArguments.all(spec, StaleArguments.SET));
    try (Progress progress = output.progress()) {
      return arguments.figures(
          Optional.of(new LiveLook(Main.stop(spec), progress).look(store, request)));
    }
  }
}
