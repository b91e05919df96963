package org.calando.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;

/**
 * Makes this process the one owner of a knob, until it is closed or the process ends, in whatever
 * way: the lock is the kernel's. Thread safe.
 */
public final class KnobOwner implements AutoCloseable {
  private static final int MAX_NAME = 200;

  private final ExclusiveFile file;

  private KnobOwner(ExclusiveFile file) {
    this.file = file;
  }

  /**
   * Takes a knob.
   *
   * @param folder where owners are noted; made if it is not there. Owners that are to exclude each
   *     other name the same folder
   * @param knob which knob
   * @param owner who takes it, in words for whom it is refused: the command and what it serves
   * @throws BadRequestException naming the owner, if it has one
   * @throws FailedWorkException if the folder cannot be written
   */
  public static KnobOwner take(Path folder, Knob<?> knob, String owner) {
    Path file = folder.resolve(fileName(knob));
    try {
      Files.createDirectories(folder);
      Optional<ExclusiveFile> exclusive = ExclusiveFile.open(file);
      if (exclusive.isEmpty()) {
        throw new BadRequestException(
            "is in the hands of another owner: " + ExclusiveFile.peek(file).strip(),
            "knob " + knob.id().name() + " of " + knob.target(),
            "end that owner, then repeat the command");
      }
      String note = "process " + ProcessHandle.current().pid() + ", " + owner + "\n";
      FileChannel channel = exclusive.get().channel();
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(note.getBytes(StandardCharsets.UTF_8)));
      return new KnobOwner(exclusive.get());
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot note who owns a knob: " + e.getMessage(),
          file.toString(),
          "check that the folder may be written",
          e);
    }
  }

  /** Gives the knob back; how it is set is not changed. */
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // The lock is gone with the channel or, at the latest, with the process.
      throw new FailedWorkException(
          "cannot give a knob back: " + e.getMessage(), "knob", "end this process", e);
    }
  }

  /**
   * Any target has a file of its own; names that are no file names are told apart by their hash.
   */
  private static String fileName(Knob<?> knob) {
    String name = knob.id().name() + "-" + knob.target();
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
    boolean asItIs = plain.equals(name) && name.length() <= MAX_NAME;
    return (asItIs
            ? name
            : plain.substring(0, Math.min(plain.length(), MAX_NAME))
                + "~"
                + Integer.toHexString(name.hashCode()))
        + ".owner";
  }
}
