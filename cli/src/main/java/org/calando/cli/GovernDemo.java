package org.calando.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.cli.govern.DemoLoad;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.engine.Engines;
import org.calando.kept.KeptCluster;
import org.calando.kept.LocalEngine;
import org.calando.local.process.RunState;
import org.calando.study.StopSignal;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;

/**
 * {@code calando demo --govern}: a cluster on this machine under a load that rises and falls, and
 * the governor with its page, until Ctrl-C; then the knobs are restored, and the cluster ends.
 */
public final class GovernDemo {
  private static final String SETTINGS = "# local: ";
  private static final String OBSERVES = "    consider: ";
  private static final String CONTROLS = "    control: ";
  private static final String TOKEN = "token";
  private static final String TOKENS = "\ntoken-file: " + TOKEN + "\n";

  private final String engine;
  private final String text;
  private final boolean control;
  private final Path folder;
  private final OutputOptions output;
  private final PrintStream out;

  private GovernDemo(
      String engine,
      String text,
      boolean control,
      Path folder,
      OutputOptions output,
      PrintStream out) {
    this.engine = engine;
    this.text = text;
    this.control = control;
    this.folder = folder;
    this.output = output;
    this.out = out;
  }

  /**
   * A demo that has not begun.
   *
   * @param control whether the governor sets knobs; else it says what it would set
   * @param folder of the governor's file, made if it is not there
   * @throws BadRequestException if there is no such demo
   */
  public static GovernDemo of(String engine, boolean control, Path folder, OutputOptions output) {
    Optional<String> found = text(engine);
    if (found.isEmpty()) {
      throw new BadRequestException(
          "there is no demo of the governor on '" + engine + "'",
          "--engine",
          "write "
              + String.join(
                  " or ",
                  Engines.all().stream()
                      .map(each -> each.id())
                      .filter(id -> text(id).isPresent())
                      .sorted()
                      .toList()));
    }
    String text = found.get();
    if (control && !text.contains(OBSERVES)) {
      throw new BadRequestException(
          "the demo on " + engine + " controls nothing: its knob is the clock of real processors",
          "--control",
          "leave it out, or leave --engine out");
    }
    return new GovernDemo(
        engine,
        text,
        control,
        folder,
        output,
        new PrintStream(System.out, true, OutputOptions.charset()));
  }

  /**
   * Runs until a stop is requested; all is as before then.
   *
   * @throws BadRequestException if there is a local cluster of this engine already
   */
  public void run(StopSignal stop) throws InterruptedException {
    Path home = StateFolder.local(engine);
    if (RunState.existsIn(home)) {
      throw new BadRequestException(
          "there is a local " + engine + " already, perhaps of a demo that was killed",
          home.toString(),
          "./calando local stop " + engine + ", and repeat it");
    }
    List<String> settings =
        List.of(text.lines().findFirst().orElse("").replace(SETTINGS, "").split(" ", -1));
    LocalEngine.Plan plan = Engines.of(engine).local().orElseThrow().plan(settings);
    Path file =
        write(
            made(folder).resolve("govern.yaml"),
            text.lines()
                .skip(1)
                .map(line -> control ? line.replace(OBSERVES, CONTROLS) : line)
                .collect(Collectors.joining("\n", "", control ? TOKENS : "\n")));
    if (control) {
      token();
    }
    out.println("Starting " + plan.label() + " ...");
    KeptCluster cluster = start(plan, home, stop);
    try {
      cluster.files().forEach((name, content) -> write(home.resolve(name), content));
      stop.check();
      govern(file, stop);
    } finally {
      cluster.shutdown();
      StateFolder.removeEmptyLocal();
      out.println("The demo's cluster has ended. Its file stays: " + file);
    }
  }

  /** What the governor's file of an engine's demo says; empty if there is no demo of it. */
  private static Optional<String> text(String engine) {
    try (InputStream in = GovernDemo.class.getResourceAsStream("govern-" + engine + ".yaml")) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeptCluster start(LocalEngine.Plan plan, Path home, StopSignal stop) {
    try {
      return plan.start(home);
    } catch (CalandoException e) {
      stop.check(); // Whatever fails after Ctrl-C fails because of it.
      throw e;
    }
  }

  private void govern(Path file, StopSignal stop) throws InterruptedException {
    ServiceSpec spec = StudyFile.readService(file, List.of(), StateFolder::local);
    try (DemoLoad load = DemoLoad.start(spec.clusters().get(0).store(), folder)) {
      out.println(words(spec, load));
      // A terminal that is closed ends the demo; nobody reads the file again.
      ServiceGovern.ofOptions(
              "demo --govern",
              file.toAbsolutePath().toString(),
              spec,
              folder,
              new GovernNews(out, output.json(), Clock.systemUTC()))
          .run(false, stop);
    }
  }

  private String words(ServiceSpec spec, DemoLoad load) {
    int port = spec.listen().orElseThrow().port();
    return String.join(
        "\n",
        "",
        "The page: http://127.0.0.1:" + port + "/",
        "  Promises     each is kept, broken or unknown; the bar shows the limit",
        "  Knobs        what "
            + (control ? "is set" : "would be set")
            + ", why, and what would change it",
        "  Nodes        a box each; to see one die, end its process, which is named by",
        "               ./calando local status " + engine,
        "  Decisions    filter them; each number is a link that you can send",
        "  Who did what every order by the page, the command or the API",
        control
            ? "  Hold, Pause  enter the token: the last word of\n               "
                + folder.resolve(TOKEN)
            : "  Nothing is set. With --control the governor acts.",
        "The load goes " + load.words() + ".",
        "Ctrl-C ends all of it, and restores what was set.",
        "");
  }

  /** An operator's, which others on this machine cannot read. */
  private void token() {
    Path file = folder.resolve(TOKEN);
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be written (" + e.getMessage() + ")", file.toString(), "make room there", e);
    }
    write(file, "operator demo " + HexFormat.of().formatHex(random) + "\n");
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be made (" + e.getMessage() + ")",
          folder.toString(),
          "name another folder with --out",
          e);
    }
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be written (" + e.getMessage() + ")", file.toString(), "make room there", e);
    }
  }
}
