package org.calando.cli.predict;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.calando.core.BadRequestException;
import org.calando.predict.Calibration;
import org.calando.predict.CalibrationReport;
import org.calando.predict.HoldOut;
import org.calando.study.Progress;
import org.calando.studyfile.profile.ProfileFile;
import org.calando.studyfile.profile.StageThreads;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code calando calibrate DIR}: a profile for predictions from measured runs. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description =
        "Fits service times to the measured runs of studies' folders, and writes them as a profile"
            + " for ./calando predict energy; see docs/predict.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class CalibrateCommand implements Callable<Integer> {
  private static final int LEAST_OPERATIONS = 100;

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Folders of studies, such as out/calibration.")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--hold-out",
      paramLabel = "WHAT",
      defaultValue = "each",
      description =
          "What the fit excludes, to validate it: each configuration in turn (each, the default),"
              + " none, a share of them as 25%%, or those whose workload,"
              + " consistency, load, study or run matches a pattern, as workload=check-*.")
  private String holdOut;

  @Option(
      names = "--from-repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Leaves out the blocks before this one, in which machines got warm.")
  private int fromRepeat;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Seed of draws; 42 by default.")
  private long seed;

  @Option(
      names = "--operations",
      paramLabel = "N",
      defaultValue = "6000",
      description =
          "Operations of each simulated run: fewer take less time and give wider intervals.")
  private int operations;

  @Option(
      names = "--stages",
      paramLabel = "THREADS",
      description =
          "Fits the stages that requests pass in nodes too, to lags and 99th percentiles. Their"
              + " threads are as the nodes' configuration has them, all five:"
              + " native=128,loops=2,mutation=32,read=32,response=2")
  private @Nullable String stages;

  @Option(
      names = "--stalls",
      description =
          "Fits how often and how long nodes stall too, to 99th percentiles; beside --stages.")
  private boolean stalls;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = "Where to write the profile; calibration-profile.yaml in the first folder.")
  private @Nullable Path profile;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    requireAtLeast("--from-repeat", fromRepeat, 1);
    requireAtLeast("--operations", operations, LEAST_OPERATIONS);
    if (stalls && stages == null) {
      throw new BadRequestException(
          "stalls are of nodes with stages", "--stalls", "add --stages, or leave it out");
    }
    Calibration.Request request =
        new Calibration.Request(
            folders,
            fromRepeat,
            HoldOut.parse(holdOut),
            seed,
            operations,
            Optional.ofNullable(stages)
                .map(text -> StageThreads.parse(text, "--stages").withStalls(stalls)));
    Path file = profile == null ? folders.get(0).resolve("calibration-profile.yaml") : profile;
    requireWritable(file);
    Calibration.Result result;
    try (Progress progress = output.progress()) {
      result = Calibration.run(request, progress::status);
    }
    CalibrationReport report = new CalibrationReport(result);
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (output.json()) {
      stdout.println(report.json().put("profile", file.toString()).toPrettyString());
    } else {
      report.lines().forEach(stdout::println);
      stdout.println();
      stdout.println("Profile: " + file);
    }
    ProfileFile.write(result.profile(), file);
    return 0;
  }

  private static void requireAtLeast(String name, int value, int least) {
    if (value < least) {
      throw new BadRequestException(
          "'" + value + "' is out of range", name, "write " + least + " or more");
    }
  }

  /** Told before minutes of work, not after them. */
  private static void requireWritable(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    while (parent != null && !Files.exists(parent)) {
      parent = parent.getParent();
    }
    boolean there = Files.exists(file);
    if (Files.isDirectory(file)
        || parent == null
        || !Files.isDirectory(parent)
        || !Files.isWritable(parent)
        || (there && !Files.isWritable(file))) {
      throw new BadRequestException(
          Files.isDirectory(file) ? "is a folder" : "cannot be written",
          file.toString(),
          "name a file that can be by --profile");
    }
  }
}
