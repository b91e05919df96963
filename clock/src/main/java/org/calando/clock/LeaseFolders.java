package org.calando.clock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.FailedWorkException;

/**
 * Where leases are noted. Immutable and thread safe.
 *
 * @param journals their journals, a file a lease, gone when everything is restored
 * @param owners who has which knob
 */
public record LeaseFolders(Path journals, Path owners) {
  private static final Pattern NAME = Pattern.compile("clock-(\\d+)-(\\d+)-(\\d+)\\.journal");

  /** More than this machine had leases that were never restored. */
  private static final int MAX_LEASES = 10_000;

  /** Those of a folder that outlives commands, where {@code calando restore} looks. */
  public static LeaseFolders in(Path state) {
    return new LeaseFolders(state.resolve("journals"), state.resolve("owners"));
  }

  /** A name that no lease has, of a process with this number and start. */
  Path newJournal(long pid, long startTicks) {
    try {
      Files.createDirectories(journals);
    } catch (IOException e) {
      throw cannot("made", e);
    }
    for (int i = 1; i < MAX_LEASES; i++) {
      Path file = journals.resolve("clock-%d-%d-%d.journal".formatted(pid, startTicks, i));
      if (!Files.exists(file) && !Files.exists(LastWritten.beside(file))) {
        return file;
      }
    }
    throw new FailedWorkException(
        "there are " + MAX_LEASES + " leases of this process", journals.toString(), "end some");
  }

  /** The journals of all leases, in the order of their names. */
  List<Path> all() {
    List<Path> all = new ArrayList<>();
    if (!Files.isDirectory(journals)) {
      return all;
    }
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            journals, path -> NAME.matcher(path.getFileName().toString()).matches())) {
      found.forEach(all::add);
    } catch (IOException e) {
      throw cannot("read", e);
    }
    all.sort(Path::compareTo);
    return all;
  }

  /** Whether the process that a journal names still runs. */
  static boolean ownerLives(Path journal, ProcFs proc) {
    Matcher name = NAME.matcher(String.valueOf(journal.getFileName()));
    return name.matches()
        && proc.startTicks(Long.parseLong(name.group(1))).orElse(-1)
            == Long.parseLong(name.group(2));
  }

  private FailedWorkException cannot(String what, IOException e) {
    return new FailedWorkException(
        "cannot be " + what + ": " + e.getMessage(),
        journals.toString(),
        "make room there, or name another folder by CALANDO_STATE",
        e);
  }
}
