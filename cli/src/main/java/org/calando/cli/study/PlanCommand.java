package org.calando.cli.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.Answer;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.Shell;
import org.calando.control.file.FolderLock;
import org.calando.core.BadRequestException;
import org.calando.core.time.Spoken;
import org.calando.plan.Plan;
import org.calando.plan.PlanFile;
import org.calando.plan.PlanFiles;
import org.calando.plan.Planner;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code calando plan FILE}: what keeps a promise with the fewest joules. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description =
        "Finds what keeps a promise under a load with the fewest joules: simulates settings and"
            + " policies of levels, gears and clocks, and reports the cost of each part of the"
            + " promise. See docs/plan.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class PlanCommand implements Callable<Integer> {
  private static final int MOST_SETTINGS = 1000;

  @ParentCommand private Main main;

  @Parameters(
      paramLabel = "FILE.yaml",
      description = "A study's file with a promise and one rate in its matrix.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the plan; out/plan-NAME by default.")
  private @Nullable Path out;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the file, such as repeats=5. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "Settings to simulate at most, beside policies; ${DEFAULT-VALUE} by default.")
  private int most = 40;

  @Option(names = "--resume", description = "Resumes a plan that was interrupted.")
  private boolean resume;

  @Option(
      names = "--dry-run",
      description = "Prints how many runs the plan takes, and about how long; simulates nothing.")
  private boolean dryRun;

  @Mixin private JobsOption jobs;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    if (most < 1 || most > MOST_SETTINGS) {
      throw new BadRequestException(
          most + " settings cannot be simulated", "--most", "write 1 to " + MOST_SETTINGS);
    }
    PlanFile plan = PlanFile.read(file, overrides);
    Planner planner = new Planner(plan, most);
    if (dryRun) {
      return tell(plan, planner);
    }
    Path folder = out == null ? Path.of("out", "plan-" + plan.name()) : out;
    FolderLock lock = FolderLock.forOutput(folder);
    try {
      show(PlanFiles.write(plan(plan, planner, folder), folder));
    } finally {
      lock.close();
    }
    return 0;
  }

  private Plan plan(PlanFile plan, Planner planner, Path folder) throws InterruptedException {
    try (Progress progress = output.progress()) {
      plan.notes().forEach(note -> progress.line("Note: " + note));
      try {
        return planner.run(
            new Planner.Request(folder, resume, command(), jobs.jobs()), progress, main.stop());
      } catch (StopSignal.StoppedException e) {
        progress.line("Stopped. Finished runs are kept; the same command with --resume continues.");
        throw e;
      }
    }
  }

  private void show(PlanFiles files) {
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    stdout.print(
        output.json() ? files.json().toPrettyString() + "\n" : files.text(OutputOptions.charset()));
  }

  private int tell(PlanFile plan, Planner planner) {
    int atOnce = jobs.jobs().orElse(Runtime.getRuntime().availableProcessors());
    double seconds = planner.seconds(atOnce);
    ObjectNode json = Answer.object();
    json.put("plan", plan.name()).put("settings", planner.settings());
    json.put("runs", planner.runs()).put("about_s", seconds);
    ObjectNode left = json.putObject("left_out");
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d settings and policies, %d runs, about %s with %d at a time"
            .formatted(
                planner.settings(),
                planner.runs(),
                Spoken.of(Duration.ofMillis(Math.round(1000 * seconds))),
                atOnce));
    planner.parts().forEach(part -> lines.add("  " + part));
    planner
        .skipped()
        .forEach(
            (why, number) -> {
              left.put(why, number);
              lines.add("left out: " + number + " " + why);
            });
    plan.notes().forEach(note -> lines.add("note: " + note));
    output.print(json, lines);
    return 0;
  }

  private String command() {
    StringBuilder text = new StringBuilder("./calando plan ").append(Shell.quote(file.toString()));
    overrides.forEach(override -> text.append(" --set ").append(Shell.quote(override)));
    if (out != null) {
      text.append(" --out ").append(Shell.quote(out.toString()));
    }
    return text.toString();
  }
}
