package org.calando.cli.predict;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.calando.core.energy.NodeProfile;
import org.calando.predict.EnergyPrediction;
import org.calando.predict.Scenario;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ProfileFile;
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
            + " setting, from a profile of ./calando calibrate; see docs/predict.md.",
    modelTransformer = EnergyArguments.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class PredictEnergyCommand implements Callable<Integer> {
  @Option(names = "--profile", paramLabel = "FILE", required = true, description = "The profile.")
  private Path profile;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    CalibrationProfile known = ProfileFile.read(profile);
    EnergyArguments arguments = new EnergyArguments();
    arguments.take(spec);
    Scenario scenario = arguments.scenario(known);
    NodeProfile power = arguments.power(known.power());
    EnergyPrediction prediction = EnergyPrediction.of(known, scenario, power);
    output.print(prediction.json(), prediction.lines());
    return 0;
  }
}
