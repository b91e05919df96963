package org.calando.cli.study;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.GovernDemo;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.cli.Shell;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.study.StudyRunner;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code calando demo}: the first study of a new user. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Measures what each consistency level of a real three-node Cassandra costs, in joules and"
            + " stale reads. Takes about three minutes; with --engine sim seconds, on a simulated"
            + " cluster. With --govern shows the governor and its page on a local cluster, until"
            + " Ctrl-C.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class DemoCommand implements Callable<Integer> {
  private static final String STUDY = "demo.yaml";
  private static final String SIMULATED = Engines.with(Feature.SIMULATED).get(0).id();

  @ParentCommand private Main main;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "cassandra, or sim for a simulated cluster; with --govern cassandra or redis.")
  private @Nullable String engine;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder of the results; out/demo by default, and out/demo-sim of a simulated cluster. An"
              + " earlier demo is kept beside (without --out). With --govern that of the governor's"
              + " file, out/demo-govern by default.")
  private @Nullable Path out;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the demo's study, such as repeats=3. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--resume", description = "Resumes a demo that was interrupted.")
  private boolean resume;

  @Option(
      names = "--govern",
      description =
          "Starts a local cluster, a load that rises and falls, and the governor with its page. It"
              + " observes; all ends with Ctrl-C.")
  private boolean govern;

  @Option(names = "--control", description = "With --govern: the governor sets the cluster's gear.")
  private boolean control;

  @Mixin private JobsOption jobs;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    if (govern || control) {
      return govern();
    }
    boolean simulated = isSimulated();
    List<String> settings = new ArrayList<>(overrides);
    if (simulated) {
      settings.add(0, "store.engine=" + SIMULATED);
    }
    StudySpec study = StudyFile.parse(text(), STUDY, Path.of(""), settings);
    Path folder = out == null ? Path.of("out", simulated ? "demo-sim" : "demo") : out;
    StringBuilder command = new StringBuilder("./calando demo");
    command.append(simulated ? " --engine " + SIMULATED : "");
    overrides.forEach(override -> command.append(" --set ").append(Shell.quote(override)));
    StudyRunner.Request request =
        new StudyRunner.Request(
            study,
            study.canonicalText(),
            Path.of(""),
            folder,
            resume,
            false,
            command.toString(),
            jobs.jobs());
    @Nullable Path aside = resume || out != null ? null : keepEarlier(folder);
    try {
      return new StudyWork(main.stop(), output).run(request);
    } finally {
      if (aside != null) {
        putBackIfNothingCame(aside, folder);
      }
    }
  }

  private int govern() throws InterruptedException {
    if (!govern || resume || !overrides.isEmpty()) {
      throw new BadRequestException(
          govern ? "--resume and --set are of the demo's study" : "is of the governor's demo only",
          govern ? "--govern" : "--control",
          govern ? "leave them out" : "add --govern");
    }
    GovernDemo.of(
            engine == null ? real() : engine,
            control,
            out == null ? Path.of("out", "demo-govern") : out,
            output)
        .run(main.stop());
    return 0;
  }

  /** The engine of the demo that is not simulated. */
  private static String real() {
    return StudyFile.parse(text(), STUDY, Path.of(""), List.of()).store().engine();
  }

  private boolean isSimulated() {
    String real = real();
    if (engine == null || engine.equals(real)) {
      return false;
    }
    if (!engine.equals(SIMULATED)) {
      throw new BadRequestException(
          "there is no demo of '" + engine + "'", "--engine", "write " + real + " or " + SIMULATED);
    }
    return true;
  }

  /** Moves the results of an earlier demo aside: nothing that was measured is lost. */
  private static @Nullable Path keepEarlier(Path folder) {
    if (!Files.exists(folder.resolve("environment.json"))) {
      return null;
    }
    int number = 1;
    while (Files.exists(numbered(folder, number))) {
      number++;
    }
    Path aside = numbered(folder, number);
    try {
      Files.move(folder, aside);
      System.err.println("The earlier demo is now in " + aside);
      return aside;
    } catch (IOException e) {
      throw new FailedWorkException(
          "the earlier demo cannot be moved aside: " + e.getMessage(),
          folder.toString(),
          "move it yourself, or choose another folder with --out",
          e);
    }
  }

  /** A demo that was refused leaves everything as it was. */
  private static void putBackIfNothingCame(Path aside, Path folder) {
    if (!Files.exists(folder)) {
      try {
        Files.move(aside, folder);
      } catch (IOException e) {
        System.err.println("The earlier demo stays in " + aside);
      }
    }
  }

  private static Path numbered(Path folder, int number) {
    return folder.resolveSibling(folder.getFileName() + "-" + number);
  }

  private static String text() {
    try (InputStream in = DemoCommand.class.getResourceAsStream(STUDY)) {
      if (in == null) {
        throw new IllegalStateException("the demo's study is not in the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
