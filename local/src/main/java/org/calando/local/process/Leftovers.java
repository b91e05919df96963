package org.calando.local.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds temporary run folders whose owner is dead, ends their recorded processes (only those that
 * are still the same by number and start time) and removes the folders.
 */
public final class Leftovers {
  private static final Pattern NAME = Pattern.compile("[a-z]+-(\\d+)-\\d+");

  private Leftovers() {}

  /**
   * What was cleaned up.
   *
   * @param folder the removed run folder
   * @param ended the processes that still ran
   */
  public record Removed(Path folder, List<RunState.Child> ended) {
    /** Copies the list. */
    public Removed {
      ended = List.copyOf(ended);
    }

    @Override
    public String toString() {
      List<String> names =
          ended.stream().map(c -> c.name() + " (pid " + c.process().pid() + ")").toList();
      return "removed " + folder + (names.isEmpty() ? "" : ", ended " + String.join(", ", names));
    }
  }

  /** Sweeps this user's temporary run folders. */
  public static List<Removed> sweep() {
    return sweep(RunFolder.base());
  }

  /** Sweeps the run folders in the given base; one that is not this user's own is left alone. */
  public static List<Removed> sweep(Path base) {
    List<Removed> removed = new ArrayList<>();
    if (!Files.isDirectory(base)) {
      return removed;
    }
    try {
      RunFolder.ensurePrivate(base);
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(base, Files::isDirectory)) {
        for (Path folder : folders) {
          sweepOne(folder).ifPresent(removed::add);
        }
      }
      RunFolder.removeIfEmpty(base);
    } catch (IOException e) {
      // a base that cannot be read is not ours to clean
    }
    return removed;
  }

  private static Optional<Removed> sweepOne(Path folder) {
    List<RunState.Child> ended = new ArrayList<>();
    try {
      RunState state = RunState.readFrom(folder);
      if (state.persistent() || state.owner().isAlive()) {
        return Optional.empty();
      }
      state.children().stream().filter(c -> c.process().isAlive()).forEach(ended::add);
      ProcessIdentity.end(ended.stream().map(RunState.Child::process).toList(), 0);
    } catch (IOException unreadable) {
      // The owner dies or is interrupted between making the folder and writing its state.
      if (!madeByDeadProcess(folder)) {
        return Optional.empty();
      }
    }
    RunFolder.removeTree(folder);
    return Optional.of(new Removed(folder, ended));
  }

  private static boolean madeByDeadProcess(Path folder) {
    Matcher name = NAME.matcher(folder.getFileName().toString());
    return name.matches() && ProcessIdentity.of(Long.parseLong(name.group(1))).isEmpty();
  }
}
