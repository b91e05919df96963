package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.calando.clock.LeaseFolders;
import org.calando.control.DecisionFile;
import org.calando.knob.Axis;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;

/** A study in a folder of its own, run as the command runs one. */
final class TestStudy {
  /** The default one. */
  static final String KEYSPACE = "calando";

  static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  private static final int LONGER = 4;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final StudySpec spec;
  private final Path base;
  private final Path out;

  private TestStudy(StudySpec spec, Path base, Path out) {
    this.spec = spec;
    this.base = base;
    this.out = out;
  }

  /** A study whose files and results are below {@code folder}. */
  static TestStudy of(Path folder, String yaml) {
    return at(folder, folder.resolve("out"), yaml);
  }

  static TestStudy at(Path folder, Path out, String yaml) {
    // A test that says nothing of it is not about warm engines, and would take much longer.
    List<String> cold = yaml.contains("warm-up") ? List.of() : List.of("workload.warm-up=0");
    StudySpec spec = StudyFile.parse(yaml, "study.yaml", folder, cold);
    return new TestStudy(spec, folder, out);
  }

  /** What results call what a run is set to; empty if it is not. */
  static String label(RunConfig run, String knob) {
    return run.point().axes().stream()
        .filter(axis -> axis.name().equals(knob))
        .map(axis -> run.point().say(axis, Axis::label))
        .findFirst()
        .orElse("");
  }

  /** What the policies of a run decided. */
  DecisionFile decisions(String run) {
    return DecisionFile.read(out.resolve("runs").resolve(run).resolve("decisions.csv"));
  }

  /** A study on the cluster of an inventory, which is written beside it. */
  static TestStudy onInventory(Path folder, String inventory, String keyspace, String rest) {
    write(folder.resolve("cluster.yaml"), inventory);
    return of(folder, onInventory(keyspace, rest));
  }

  /** The text of a study on {@code cluster.yaml}. */
  static String onInventory(String keyspace, String rest) {
    return """
    study: test
    store: {engine: cassandra, inventory: cluster.yaml, rf: 3, keyspace: %s}
    power: {baseline: 0s}
    """
            .formatted(keyspace)
        + rest;
  }

  /**
   * A study that has run until it had shown what it was run for: once more, and for four times as
   * long, where the machine was so busy that too little happened; at most three times.
   *
   * @param seconds the first one's measured window, enough on a quiet machine
   * @param ofSeconds a study with such a window, each in a folder of its own
   * @param shown fails while something has not been seen that takes time
   */
  static TestStudy untilShown(
      int seconds, IntFunction<TestStudy> ofSeconds, Consumer<TestStudy> shown)
      throws InterruptedException {
    for (int window = seconds; ; window *= LONGER) {
      TestStudy study = ofSeconds.apply(window);
      study.runWell();
      try {
        shown.accept(study);
        return study;
      } catch (AssertionError e) {
        if (window == seconds * LONGER * LONGER) {
          throw e;
        }
        System.out.printf("After %d s, and so again for longer: %s%n", window, e.getMessage());
      }
    }
  }

  StudySpec spec() {
    return spec;
  }

  Path base() {
    return base;
  }

  Path out() {
    return out;
  }

  StudyRunner.Request request(boolean resume) {
    return new StudyRunner.Request(
        spec,
        spec.canonicalText(),
        base,
        out,
        resume,
        false,
        "./calando study test.yaml",
        OptionalInt.empty(),
        Optional.of(LeaseFolders.in(base.resolve("state"))));
  }

  StudyRunner.Result run() throws InterruptedException {
    return run(Progress.silent(), new StopSignal(), false);
  }

  /** Runs it, where none of its runs may fail; the row of one that does says why. */
  StudyRunner.Result runWell() throws InterruptedException {
    StudyRunner.Result result = run();
    assertThat(result.failed().stream().map(run -> run + ": " + row(run)).toList()).isEmpty();
    return result;
  }

  StudyRunner.Result resume() throws InterruptedException {
    return run(Progress.silent(), new StopSignal(), true);
  }

  StudyRunner.Result run(Progress progress, StopSignal stop, boolean resume)
      throws InterruptedException {
    return new StudyRunner(request(resume), progress, stop).run();
  }

  /** The runs' ids in the order in which they are carried out. */
  List<String> plan() {
    return RunPlan.of(spec).stream().map(RunConfig::id).toList();
  }

  JsonNode summary(String run) {
    return json("runs/" + run + "/summary.json");
  }

  JsonNode row(String run) {
    return summary(run).path("row");
  }

  JsonNode environment() {
    return json("environment.json");
  }

  String text(String file) {
    try {
      return Files.readString(out.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode json(String file) {
    try {
      return JSON.readTree(text(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Progress on a terminal that calls {@code action} once, when it first shows the pattern. */
  static Progress when(String pattern, Runnable action) {
    return new Progress(new PrintStream(new Trigger(pattern, action), true), true, 200);
  }

  private static final class Trigger extends OutputStream {
    private final Pattern pattern;
    private final Runnable action;
    private boolean done;

    Trigger(String pattern, Runnable action) {
      this.pattern = Pattern.compile(pattern);
      this.action = action;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
      if (!done && pattern.matcher(new String(bytes, from, count, StandardCharsets.UTF_8)).find()) {
        done = true;
        action.run();
      }
    }
  }
}
