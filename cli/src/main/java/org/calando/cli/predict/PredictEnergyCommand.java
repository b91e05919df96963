package org.calando.cli.predict;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.calando.core.energy.NodeProfile;
import org.calando.predict.EnergyPrediction;
import org.calando.predict.Scenario;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ProfileFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code calando predict energy}: joules, watts, throughput and stale reads of a setting. */
@Command(
    name = "energy",
    mixinStandardHelpOptions = true,
    description =
        "Predicts joules per operation, watts, throughput and stale reads of an untried"
            + " setting, from a profile of ./calando calibrate; see docs/predict.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class PredictEnergyCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Option(names = "--profile", paramLabel = "FILE", required = true, description = "The profile.")
  private Path profile;

  @Option(
      names = EnergyArguments.LEVEL,
      paramLabel = "LEVEL",
      description = "Level of reads and writes: QUORUM, or ONE/QUORUM for each.")
  private @Nullable String level;

  @Option(
      names = EnergyArguments.MIX,
      paramLabel = "MIX",
      description = "Operations in percent: read:50,update:50.")
  private @Nullable String mix;

  @Option(
      names = EnergyArguments.PRESET,
      paramLabel = "NAME",
      description = "A workload of docs/reference.md, in place of --mix: ycsb-a.")
  private @Nullable String preset;

  @Option(
      names = EnergyArguments.THREADS,
      paramLabel = "N",
      description = "Closed loop of so many threads.")
  private @Nullable String threads;

  @Option(
      names = EnergyArguments.RATE,
      paramLabel = "RATE",
      description = "Open loop, Poisson arrivals: 400/s.")
  private @Nullable String rate;

  @Option(
      names = EnergyArguments.NODES,
      paramLabel = "N",
      description = "Nodes. This and what follows are as in the profile unless given.")
  private @Nullable String nodes;

  @Option(names = EnergyArguments.RACKS, paramLabel = "N", description = "Racks.")
  private @Nullable String racks;

  @Option(names = EnergyArguments.RF, paramLabel = "N", description = "Replicas of each key.")
  private @Nullable String rf;

  @Option(
      names = EnergyArguments.LAYOUT,
      paramLabel = "LAYOUT",
      description = "Token layout: even, half, third, two-thirds, or a share of warm nodes.")
  private @Nullable String layout;

  @Option(
      names = EnergyArguments.DELAY,
      paramLabel = "TIME",
      description = "Delay between nodes, one way, beyond the fitted one of the links: 5ms.")
  private @Nullable String delay;

  @Option(names = EnergyArguments.CORES, paramLabel = "N", description = "Cores of each machine.")
  private @Nullable String cores;

  @Option(
      names = EnergyArguments.MACHINES,
      paramLabel = "KIND",
      description = "shared: nodes and clients on one machine; own: each node on its own.")
  private @Nullable String machines;

  @Option(names = EnergyArguments.RECORDS, paramLabel = "N", description = "Rows of the table.")
  private @Nullable String records;

  @Option(
      names = EnergyArguments.POPULARITY,
      paramLabel = "HOW",
      description = "How requests spread over them: uniform or zipf:0.99.")
  private @Nullable String popularity;

  @Option(names = EnergyArguments.IDLE, paramLabel = "W", description = "Watts of an idle node.")
  private @Nullable String idle;

  @Option(names = EnergyArguments.BUSY, paramLabel = "W", description = "Watts of a busy node.")
  private @Nullable String busy;

  @Option(names = EnergyArguments.OFF, paramLabel = "W", description = "Watts of a node off.")
  private @Nullable String off;

  @Option(names = EnergyArguments.BOOT, paramLabel = "J", description = "Joules of a boot.")
  private @Nullable String boot;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    CalibrationProfile known = ProfileFile.read(profile);
    EnergyArguments arguments = new EnergyArguments();
    GivenOptions.of(spec, arguments::put);
    Scenario scenario = arguments.scenario(known);
    NodeProfile power = arguments.power(known.power());
    EnergyPrediction prediction = EnergyPrediction.of(known, scenario, power);
    output.print(prediction.json(), prediction.lines());
    return 0;
  }
}
