package org.calando.agent.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.control.file.AtomicFiles;
import org.calando.core.FailedWorkException;

/**
 * The highest number that a lease of a name had, which outlives the agent: a governor that was cut
 * off is refused by an agent that has started again, too. Noted by one thread at a time, and read
 * by any.
 */
final class FenceFile {
  private static final LeaseState NONE = new LeaseState(false, 0, "", "", 0);

  private final Path file;
  private volatile LeaseState highest;

  /**
   * Reads it.
   *
   * @throws FailedWorkException if it is damaged
   */
  FenceFile(Path folder, String name) {
    this.file = folder.resolve(name + ".json");
    this.highest = read();
  }

  private LeaseState read() {
    try {
      return AgentWire.read(Files.readString(file, StandardCharsets.UTF_8), LeaseState.class);
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException | IllegalArgumentException e) {
      throw new FailedWorkException(
          "the number of the last lease cannot be read: " + e.getMessage(),
          file.toString(),
          "remove the file once no governor of that cluster runs",
          e);
    }
  }

  LeaseState highest() {
    return highest;
  }

  /**
   * Notes a higher number.
   *
   * @throws FailedWorkException if that cannot be written; the former one holds
   */
  void note(LeaseState next) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw AtomicFiles.cannotWrite(file, e);
    }
    AtomicFiles.write(file, AgentWire.text(next) + "\n");
    highest = next;
  }
}
