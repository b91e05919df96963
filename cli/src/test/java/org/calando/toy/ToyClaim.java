package org.calando.toy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.store.GovernorClaim;

/**
 * The claim of a toy cluster: whoever asks for it gets it while a file says so, and waits else, as
 * for another governor of which nobody knows whether it lives. What is done is added to a log.
 */
record ToyClaim(Path file) implements GovernorClaim.Source {
  private static final String FREE = "free";
  private static final long LOOK_NANOS = 10_000_000;

  /** Has claims given to who asks, or not. */
  static void set(Path file, boolean free) throws IOException {
    Files.writeString(file, free ? FREE : "held");
  }

  /** What was done, in order. */
  static String log(Path file) throws IOException {
    Path log = logOf(file);
    return Files.exists(log) ? Files.readString(log) : "";
  }

  private static Path logOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".log");
  }

  private void noted(String what) {
    try {
      Files.writeString(
          logOf(file), what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isFree() {
    try {
      return Files.readString(file).equals(FREE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String dial() {
    try {
      return Files.readString(Path.of(System.getProperty(ToyDial.FILE))).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits whatever happens to the thread, as a driver may. */
  @Override
  public GovernorClaim claim() {
    noted("asks");
    while (!isFree()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    noted("has it");
    return new GovernorClaim() {
      @Override
      public Optional<String> lost() {
        return isFree() ? Optional.empty() : Optional.of("was taken over by another");
      }

      @Override
      public List<Note> left() {
        return List.of();
      }

      @Override
      public void note(Note note) {}

      @Override
      public void forget(Note note) {}

      @Override
      public void close() {
        noted("gives it back, dial at " + dial());
      }
    };
  }

  @Override
  public Optional<String> holder() {
    return Optional.empty();
  }
}
