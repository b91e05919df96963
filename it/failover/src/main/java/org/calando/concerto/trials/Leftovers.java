package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What states have to restore once all have ended. Used by one thread. */
final class Leftovers {
  private final List<Path> states;
  private final Function<Path, JavaProcess> command;
  private int restores;

  /**
   * Of some states.
   *
   * @param command begins to restore what is left in one
   */
  Leftovers(List<Path> states, Function<Path, JavaProcess> command) {
    this.states = List.copyOf(states);
    this.command = command;
  }

  /**
   * Runs what the manual says, for each state in which something is left.
   *
   * @return what could not be restored
   */
  List<String> restore() {
    List<String> failed = new ArrayList<>();
    for (Path state : states) {
      if (!in(state).isEmpty()) {
        JavaProcess restore = command.apply(state);
        restores++;
        int code = restore.exitCode();
        if (code != 0 || !in(state).isEmpty()) {
          failed.add("restore of " + state + ": " + code + ", " + restore.lastWords());
        }
      }
    }
    return failed;
  }

  /** How often something was left. */
  int restores() {
    return restores;
  }

  /** Journals of what is not as before yet. */
  private static List<Path> in(Path state) {
    Path journals = state.resolve("journals");
    if (!Files.isDirectory(journals)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(journals)) {
      return files.filter(file -> file.toString().endsWith(".journal")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
