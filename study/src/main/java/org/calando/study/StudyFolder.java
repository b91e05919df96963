package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.control.file.AtomicFiles;
import org.calando.control.file.FolderLock;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.report.Csv;
import org.calando.report.RunRow;
import org.calando.report.StudyText;
import org.calando.report.column.ResultColumns;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds a study: {@code study.yaml}, {@code environment.json}, {@code results.csv},
 * {@code report.html} and a folder for each finished run.
 *
 * <p>A run is written into a folder of its own beside the others and moved into place when it is
 * whole, so that whatever ends the process, what is there is finished and {@code --resume} repeats
 * only what is not. {@code environment.json} comes first and marks the folder as Calando's. One
 * process at a time owns the folder. Runs may begin and finish on several threads at once, and
 * their rows be asked for meanwhile; all else is for one thread.
 */
public final class StudyFolder implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UNFINISHED = ".unfinished-";
  private static final String ENVIRONMENT = "environment.json";
  private static final String STUDY = "study.yaml";
  private static final String RESULTS = "results.csv";

  private final Path root;
  private final FolderLock lock;
  private final boolean made;
  private final Map<String, RunRow> rows = new ConcurrentSkipListMap<>();

  private StudyFolder(Path root, FolderLock lock, boolean made) {
    this.root = root;
    this.lock = lock;
    this.made = made;
  }

  /**
   * Opens the folder of a study, making it where it is not there.
   *
   * @param root the folder
   * @param fingerprint identifies the study's effective settings
   * @param yaml their canonical text
   * @param resume whether to go on with what is there
   * @throws BadRequestException if the folder holds finished runs of another study or other files,
   *     if it holds finished runs of this study and {@code resume} is false, or if another process
   *     works in it; nothing in it is changed then
   * @throws FailedWorkException if it cannot be read or written
   */
  public static StudyFolder open(Path root, String fingerprint, String yaml, boolean resume) {
    checkContents(root, fingerprint, yaml, resume);
    boolean made = !Files.exists(root);
    StudyFolder folder = new StudyFolder(root, FolderLock.forOutput(root), made);
    try {
      checkContents(root, fingerprint, yaml, resume); // again, now that nobody else changes it
      folder.discardUnfinished();
      folder.rows.putAll(readRows(root));
      return folder;
    } catch (CalandoException e) {
      folder.close();
      throw e;
    }
  }

  private static void checkContents(Path root, String fingerprint, String yaml, boolean resume) {
    Set<String> names = new HashSet<>(names(root));
    JsonNode environment = readJson(root.resolve(ENVIRONMENT));
    String recorded = environment == null ? "" : environment.path("fingerprint").asText();
    if (recorded.isEmpty()) {
      names.removeAll(List.of(FolderLock.FILE, temporary(ENVIRONMENT)));
      if (!names.isEmpty()) {
        throw new BadRequestException(
            "is not empty and holds no study",
            root.toString(),
            "choose another folder with --out; nothing in it was touched");
      }
      return; // at most what a start left that was killed before its first file
    }
    if (readRows(root).isEmpty()) {
      return; // nothing that another start would spoil
    }
    if (!resume) {
      throw new BadRequestException(
          "holds a study already",
          root.toString(),
          "add --resume to finish it, or choose another folder with --out");
    }
    if (!fingerprint.equals(recorded)) {
      throw new BadRequestException(
          "holds a study with other settings than the one to resume"
              + differing(root.resolve(STUDY), yaml),
          root.resolve(STUDY).toString(),
          "resume with the file and --set values it began with, or choose another folder with --out");
    }
  }

  /** The keys that differ, as far as the folder tells them. */
  private static String differing(Path file, String yaml) {
    try {
      List<String> keys =
          StudyText.differing(
              StudySpec.withoutProcessIds(Files.readString(file)),
              StudySpec.withoutProcessIds(yaml));
      return keys.isEmpty() ? "" : ": " + String.join(", ", keys) + " differ";
    } catch (IOException e) {
      return ""; // the refusal stands without them
    }
  }

  /** What is in the folder; nothing if it does not exist. */
  private static Set<String> names(Path root) {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.map(entry -> entry.getFileName().toString()).collect(Collectors.toSet());
    } catch (NoSuchFileException e) {
      return Set.of();
    } catch (NotDirectoryException e) {
      throw new BadRequestException(
          "is not a folder", root.toString(), "choose another folder with --out");
    } catch (IOException e) {
      throw new BadRequestException(
          "cannot be read (" + AtomicFiles.reason(e) + ")",
          root.toString(),
          "choose another folder with --out");
    }
  }

  Path root() {
    return root;
  }

  /** An empty folder for the files of a run that begins. */
  Path begin(String run) {
    Path folder = unfinished(run);
    try {
      AtomicFiles.deleteTree(folder);
      Files.createDirectories(folder);
      return folder;
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(folder, e);
    }
  }

  /** Puts the files of a run that has ended, with its summary, into their place. */
  void finish(String run, ObjectNode summary) {
    Path folder = unfinished(run);
    AtomicFiles.write(folder.resolve("summary.json"), pretty(summary));
    AtomicFiles.moveFolder(folder, root.resolve("runs").resolve(run));
    rows.put(run, row(summary));
  }

  /**
   * Removes what an unfinished run left; never fails, for it runs where something failed already.
   */
  void abandon(String run) {
    try {
      AtomicFiles.deleteTree(unfinished(run));
    } catch (IOException e) {
      // The next start discards it.
    }
  }

  /** The rows of the runs that ended, by run id. */
  Map<String, RunRow> rows() {
    return Map.copyOf(rows);
  }

  void writeResults(List<RunRow> ordered) {
    // Rows of older versions have empty cells of columns that they do not fill.
    List<Map<String, String>> cells = ordered.stream().map(RunRow::cells).toList();
    AtomicFiles.write(root.resolve(RESULTS), Csv.text(ResultColumns.filled(cells), ordered));
  }

  void writeStudy(String yaml) {
    AtomicFiles.write(root.resolve(STUDY), yaml);
  }

  void writeEnvironment(ObjectNode environment) {
    AtomicFiles.write(root.resolve(ENVIRONMENT), pretty(environment));
  }

  /** The environment recorded when the finished runs were made, or null if there are none. */
  @Nullable ObjectNode environment() {
    return !rows.isEmpty() && readJson(root.resolve(ENVIRONMENT)) instanceof ObjectNode node
        ? node
        : null;
  }

  private Path unfinished(String run) {
    return root.resolve("runs").resolve(UNFINISHED + run);
  }

  /** Removes what a killed process had not finished. */
  private void discardUnfinished() {
    try {
      for (String file : List.of(ENVIRONMENT, STUDY, RESULTS)) {
        Files.deleteIfExists(root.resolve(temporary(file)));
      }
      for (Path run : runFolders(root)) {
        if (run.getFileName().toString().startsWith(UNFINISHED)) {
          AtomicFiles.deleteTree(run);
        }
      }
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(root, e);
    }
  }

  private static String temporary(String file) {
    return AtomicFiles.temporary(Path.of(file)).toString();
  }

  private static Map<String, RunRow> readRows(Path root) {
    Map<String, RunRow> rows = new TreeMap<>();
    try {
      for (Path run : runFolders(root)) {
        String id = run.getFileName().toString();
        JsonNode summary = readJson(run.resolve("summary.json"));
        if (!id.startsWith(UNFINISHED) && summary != null && summary.path("row").isObject()) {
          rows.put(id, row(summary));
        }
      }
      return rows;
    } catch (IOException e) {
      throw cannotRead(root, e);
    }
  }

  private static FailedWorkException cannotRead(Path root, IOException e) {
    return new FailedWorkException(
        "cannot be read (" + AtomicFiles.reason(e) + ")",
        root.resolve("runs").toString(),
        "make it readable, or choose another folder with --out",
        e);
  }

  /**
   * The folders of runs that have ended.
   *
   * @throws FailedWorkException if they cannot be listed
   */
  static List<Path> finished(Path root) {
    try {
      return runFolders(root).stream()
          .filter(Files::isDirectory)
          .filter(run -> !String.valueOf(run.getFileName()).startsWith(UNFINISHED))
          .toList();
    } catch (IOException e) {
      throw cannotRead(root, e);
    }
  }

  /** Rows of decisions of a run, by its summary; empty if that does not say. */
  static OptionalLong decisions(Path run) {
    @Nullable JsonNode summary = readJson(run.resolve("summary.json"));
    return summary != null && summary.path(RunKeeper.DECISION_ROWS).isIntegralNumber()
        ? OptionalLong.of(summary.path(RunKeeper.DECISION_ROWS).longValue())
        : OptionalLong.empty();
  }

  private static List<Path> runFolders(Path root) throws IOException {
    try (Stream<Path> runs = Files.list(root.resolve("runs"))) {
      return runs.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** The row of results.csv in a run's summary. */
  static RunRow row(JsonNode summary) {
    Map<String, String> stored = new LinkedHashMap<>();
    summary.path("row").properties().forEach(e -> stored.put(e.getKey(), e.getValue().asText()));
    return new RunRow(stored);
  }

  private static @Nullable JsonNode readJson(Path file) {
    try {
      return Files.isRegularFile(file) ? JSON.readTree(file.toFile()) : null;
    } catch (IOException e) {
      return null; // a summary that cannot be read is a run to repeat
    }
  }

  static String pretty(JsonNode node) {
    return node.toPrettyString() + "\n";
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Lets others in; a folder that was made for nothing goes. */
  @Override
  public void close() {
    lock.close();
    try {
      if (made && names(root).isEmpty()) {
        Files.deleteIfExists(root);
      }
    } catch (IOException | CalandoException e) {
      // An empty folder harms nobody, and something else may be on its way to the user.
    }
  }
}
