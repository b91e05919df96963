package org.calando.control.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * A journal lies beside what says how its cluster is to be: anywhere. By these notes whoever asks what is unfinished finds
 * it, and how it is finished. A note is made before its plan begins, and removed by the owner of the knob once none is open;
 * one that a kill leaves names a journal without an open plan, which is nothing to report.
 */
/**
 * Notes, in a folder, of the journals whose plans of durable knobs may be unfinished. Immutable and
 * thread safe.
 */
public final class PlanNotes {
  private static final String SUFFIX = ".plan";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Those of this process. */
  private static final AtomicReference<@Nullable PlanNotes> KEPT = new AtomicReference<>();

  private final Path folder;

  /**
   * Notes in a folder, which is there only while there are any.
   *
   * @param folder made by the first
   */
  public PlanNotes(Path folder) {
    this.folder = folder;
  }

  /**
   * A note.
   *
   * @param file the note itself
   * @param journal absolute; empty if the note is damaged
   * @param to what the plan sets, in words
   * @param resume the command that resumes it
   */
  public record Note(Path file, Path journal, String to, String resume) {
    /** Whether it does not say any more what was noted. */
    public boolean isDamaged() {
      return journal.toString().isEmpty();
    }
  }

  /** Plans of this process are noted here from now on; nowhere without this call. */
  public void keep() {
    KEPT.set(this);
  }

  /** Where plans of this process are noted; empty if nobody has said. */
  public static Optional<PlanNotes> kept() {
    return Optional.ofNullable(KEPT.get());
  }

  /** Plans of this process are noted nowhere any more. */
  static void keepNone() {
    KEPT.set(null);
  }

  /**
   * Notes a plan that is about to begin. What cannot be noted is begun all the same: it is in its
   * journal.
   *
   * @param to what it sets, in words
   * @param resume the command that resumes it
   */
  public void begin(Path journal, String to, String resume) {
    String line =
        JSON.createObjectNode()
            .put("journal", absolute(journal).toString())
            .put("to", to)
            .put("resume", resume)
            .toString();
    try {
      Files.createDirectories(folder);
      AtomicFiles.write(file(journal), LineChecksum.add(line) + "\n");
    } catch (IOException | FailedWorkException e) {
      // Nodes that are to be switched on wait for no room on this disk.
    }
  }

  /** Removes the note of a journal without an open plan; nothing if there is none. */
  public void end(Path journal) {
    try {
      Files.deleteIfExists(file(journal));
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // Others are noted.
    } catch (IOException e) {
      // It names a journal without an open plan.
    }
  }

  /**
   * The notes; none if the folder is not there.
   *
   * @throws IOException if they cannot be listed
   */
  public List<Note> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Note> notes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .sorted()
          .map(PlanNotes::read)
          .forEach(notes::add);
    }
    return notes;
  }

  private static Note read(Path file) {
    try {
      String line = Files.readString(file).stripTrailing();
      JsonNode note = LineChecksum.isWhole(line) ? JSON.readTree(line) : JSON.createObjectNode();
      return new Note(
          file,
          Path.of(note.path("journal").asText()),
          note.path("to").asText(),
          note.path("resume").asText());
    } catch (IOException e) {
      return new Note(file, Path.of(""), "", "");
    }
  }

  private Path file(Path journal) {
    String path = absolute(journal).toString();
    UUID name = UUID.nameUUIDFromBytes(path.getBytes(StandardCharsets.UTF_8));
    return folder.resolve(name + SUFFIX);
  }

  private static Path absolute(Path journal) {
    return journal.toAbsolutePath().normalize();
  }
}
