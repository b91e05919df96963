package org.calando.cli.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.Shell;
import org.calando.cli.StateFolder;
import org.calando.study.StudyRunner;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code calando study FILE}: runs a study. */
@Command(
    name = "study",
    mixinStandardHelpOptions = true,
    description = "Runs a study: a matrix of settings on a cluster, measured and reported.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class StudyCommand implements Callable<Integer> {
  @ParentCommand private Main main;

  @Parameters(paramLabel = "FILE.yaml", description = "The study's file; see docs/reference.md.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results; out/NAME by default.")
  private @Nullable Path out;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the file, such as matrix.threads=[5,20]. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--resume", description = "Resumes a study that was interrupted.")
  private boolean resume;

  @Option(
      names = "--allow-load",
      description = "Allows load on a cluster that is not on this machine.")
  private boolean allowLoad;

  @Mixin private JobsOption jobs;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    StudySpec study = StudyFile.read(file, overrides);
    Path parent = file.toAbsolutePath().getParent();
    Path folder = out == null ? Path.of("out", study.name()) : out;
    return new StudyWork(main.stop(), output)
        .run(
            new StudyRunner.Request(
                study,
                study.canonicalText(),
                parent == null ? Path.of("") : parent,
                folder,
                resume,
                allowLoad,
                command(folder),
                jobs.jobs(),
                Optional.of(StateFolder.leases())));
  }

  private String command(Path folder) {
    StringBuilder text = new StringBuilder("./calando study ").append(Shell.quote(file.toString()));
    overrides.forEach(override -> text.append(" --set ").append(Shell.quote(override)));
    if (out != null) {
      text.append(" --out ").append(Shell.quote(folder.toString()));
    }
    return text.append(allowLoad ? " --allow-load" : "").toString();
  }
}
