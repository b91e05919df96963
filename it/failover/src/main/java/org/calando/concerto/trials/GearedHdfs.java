package org.calando.concerto.trials;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.calando.core.FailedWorkException;
import org.calando.gears.GearFiles;
import org.calando.gears.GearShifter;
import org.calando.gears.LocalGears;

/**
 * A real HDFS of two gears, run by the command and in the higher one, of which the first governor
 * wants the lower: a plan of many steps. Used by one thread.
 */
final class GearedHdfs implements AutoCloseable {
  private static final int WANTED = 1;
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Path folder;
  private final Function<List<String>, JavaProcess> command;

  /**
   * Starts it.
   *
   * @param state the state folder of the command
   * @param command begins a command in it
   */
  GearedHdfs(Path state, Function<List<String>, JavaProcess> command) {
    this.folder = state.resolve("local/hdfs");
    this.command = command;
    String wrong = run("local", "start", "hdfs", "--set", "gears=2,3");
    if (!wrong.isEmpty()) {
      throw new FailedWorkException(wrong, folder.toString(), "look at what it said");
    }
  }

  /** What is wrong if a command fails; empty if it does not. */
  private String run(String... words) {
    JavaProcess process = command.apply(List.of(words));
    int code = process.exitCode(LONG);
    return code == 0 ? "" : String.join(" ", words) + ": " + code + ", " + process.lastWords();
  }

  /** Its part of the governor's file. */
  String text() {
    return """
      - name: files
        engine: hdfs
        inventory: %s
        period: 1s
        control: [{gear: %d}]
        gears: {capacity: 60MB}
    """
        .formatted(folder.resolve("inventory.yaml"), WANTED);
  }

  /** Whether the plan has been begun and is open. */
  boolean isOpen() {
    return GearShifter.unfinished(LocalGears.file(folder)).isPresent();
  }

  /** Whether the plan is through. */
  boolean isThrough() {
    return !isOpen() && GearFiles.read(LocalGears.file(folder)).gear() == WANTED;
  }

  /**
   * Finishes a plan that is open, as the manual says.
   *
   * @return what is not as it must be then
   */
  List<String> finish() {
    List<String> wrong = new ArrayList<>();
    boolean open = isOpen();
    if (open) {
      wrong.add(run("gear", "down", "--local", "--resume"));
    }
    if (!isThrough()) {
      wrong.add("the plan to gear " + WANTED + " is lost; was it open: " + open);
    }
    wrong.add(run("gear", "status", "--local"));
    wrong.removeIf(String::isEmpty);
    return wrong;
  }

  @Override
  public void close() {
    if (Files.exists(folder)) {
      String unused = run("local", "stop", "hdfs");
    }
  }
}
