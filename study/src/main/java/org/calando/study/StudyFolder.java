package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds a study: {@code study.yaml}, {@code environment.json}, {@code results.csv},
 * {@code report.html} and a folder for each finished run.
 *
 * <p>A run is written into a folder of its own beside the others and moved into place when it is
 * whole, so that whatever ends the process, what is there is finished and {@code --resume} repeats
 * only what is not. One process at a time owns the folder. Not thread safe.
 */
final class StudyFolder implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UNFINISHED = ".unfinished-";

  private final Path root;
  private final FileChannel lockChannel;
  private final FileLock lock;

  private StudyFolder(Path root, FileChannel lockChannel, FileLock lock) {
    this.root = root;
    this.lockChannel = lockChannel;
    this.lock = lock;
  }

  /**
   * Opens the folder of a study, making it where it is not there.
   *
   * @param root the folder
   * @param fingerprint identifies the study's effective settings
   * @param resume whether to go on with what is there
   * @throws BadRequestException if the folder holds another study or other files, if it holds this
   *     study and {@code resume} is false, or if another process works in it
   */
  static StudyFolder open(Path root, String fingerprint, boolean resume) {
    if (Files.exists(root) && !Files.isDirectory(root)) {
      throw new BadRequestException(
          "is not a folder", root.toString(), "choose another folder with --out");
    }
    checkContents(root, fingerprint, resume);
    StudyFolder folder = lock(root);
    try {
      folder.discardUnfinished();
      return folder;
    } catch (CalandoException e) {
      folder.close();
      throw e;
    }
  }

  private static void checkContents(Path root, String fingerprint, boolean resume) {
    if (isEmpty(root)) {
      return;
    }
    JsonNode environment = readJson(root.resolve("environment.json"));
    if (environment == null) {
      if (Files.isRegularFile(root.resolve(".lock"))) {
        return; // a start that ended before its first file
      }
      throw new BadRequestException(
          "is not empty and holds no study",
          root.toString(),
          "choose another folder with --out; nothing in it was touched");
    }
    if (!resume) {
      throw new BadRequestException(
          "holds a study already",
          root.toString(),
          "add --resume to finish it, or choose another folder with --out");
    }
    if (!fingerprint.equals(environment.path("fingerprint").asText())) {
      throw new BadRequestException(
          "holds a study with other settings than the one to resume",
          root.resolve("study.yaml").toString(),
          "resume with the file and --set values it began with, or choose another folder with --out");
    }
  }

  private static boolean isEmpty(Path root) {
    if (!Files.exists(root)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(root)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      throw new BadRequestException(
          "cannot be read (" + e.getMessage() + ")", root.toString(), "choose another with --out");
    }
  }

  private static StudyFolder lock(Path root) {
    try {
      Files.createDirectories(root.resolve("runs"));
      FileChannel channel =
          FileChannel.open(
              root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new BadRequestException(
            "another calando process is working in this folder",
            root.toString(),
            "wait for it to end, or choose another folder with --out");
      }
      return new StudyFolder(root, channel, lock);
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(root, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
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
  Map<String, ResultRow> rows() {
    Map<String, ResultRow> rows = new TreeMap<>();
    try (Stream<Path> runs = Files.list(root.resolve("runs"))) {
      for (Path run : (Iterable<Path>) runs.sorted()::iterator) {
        JsonNode summary = readJson(run.resolve("summary.json"));
        if (summary != null && summary.path("row").isObject()) {
          Map<String, String> stored = new LinkedHashMap<>();
          summary
              .path("row")
              .properties()
              .forEach(e -> stored.put(e.getKey(), e.getValue().asText()));
          rows.put(run.getFileName().toString(), ResultRow.of(stored));
        }
      }
      return rows;
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read (" + e.getMessage() + ")", root.toString(), "check its permissions", e);
    }
  }

  void writeResults(List<ResultRow> rows) {
    AtomicFiles.write(root.resolve("results.csv"), ResultRow.csv(rows));
  }

  void writeStudy(String yaml) {
    AtomicFiles.write(root.resolve("study.yaml"), yaml);
  }

  void writeEnvironment(ObjectNode environment) {
    AtomicFiles.write(root.resolve("environment.json"), pretty(environment));
  }

  /** The environment recorded by the study's first start, or null on that first start. */
  @Nullable ObjectNode environment() {
    return readJson(root.resolve("environment.json")) instanceof ObjectNode node ? node : null;
  }

  private Path unfinished(String run) {
    return root.resolve("runs").resolve(UNFINISHED + run);
  }

  private void discardUnfinished() {
    try (Stream<Path> runs = Files.list(root.resolve("runs"))) {
      for (Path run :
          runs.filter(r -> r.getFileName().toString().startsWith(UNFINISHED)).toList()) {
        AtomicFiles.deleteTree(run);
      }
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(root, e);
    }
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

  @Override
  public void close() {
    try {
      lock.release();
      lockChannel.close();
      Files.deleteIfExists(root.resolve(".lock"));
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }
}
