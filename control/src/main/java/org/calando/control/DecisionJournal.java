package org.calando.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.PolicyLoop;

/**
 * The decisions of a loop that runs for months, as {@link DecisionLog} writes them: the newest file
 * and the one before it, of bounded size. The loop resumes from the last row. Whoever opens it owns
 * the knobs that are decided on, so there is one at a time. Thread safe.
 */
public final class DecisionJournal implements LoopListener, AutoCloseable {
  /** The newest file. */
  public static final String NEWEST = "decisions.csv";

  /** The one before it. */
  public static final String FORMER = "decisions.former.csv";

  private static final long FILE_BYTES = 32L << 20;

  private final Path folder;
  private final long fileBytes;
  private DecisionLog log;

  private DecisionJournal(Path folder, long fileBytes) throws IOException {
    this.folder = folder;
    this.fileBytes = fileBytes;
    this.log = begin();
  }

  /**
   * Begins a file in a folder, which is made if it is not there.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public static DecisionJournal open(Path folder) {
    return open(folder, FILE_BYTES);
  }

  static DecisionJournal open(Path folder, long fileBytes) {
    try {
      Files.createDirectories(folder);
      return new DecisionJournal(folder, fileBytes);
    } catch (IOException e) {
      throw new FailedWorkException(
          "decisions cannot be noted: " + e, folder.toString(), "check that it may be written", e);
    }
  }

  /**
   * A loop that resumes from a controller's last decision in a folder, whose writer may have been
   * killed at any time; from the beginning if there is none, or it is of another controller.
   */
  public static <S> PolicyLoop<S> resumed(Path folder, Controller<S> controller, String target) {
    return lastState(folder, controller, target)
        .map(state -> new PolicyLoop<>(controller, target, state))
        .orElseGet(() -> new PolicyLoop<>(controller, target));
  }

  /** The state that the last decision of a controller in a folder left; empty if there is none. */
  public static Optional<String> lastState(Path folder, Controller<?> controller, String target) {
    for (String file : List.of(NEWEST, FORMER)) {
      try {
        if (Files.exists(folder.resolve(file))) {
          Optional<String> state =
              DecisionFile.read(folder.resolve(file)).lastState(controller, target);
          if (state.isPresent()) {
            return state;
          }
        }
      } catch (FailedWorkException e) {
        // A damaged file is none to resume from.
      }
    }
    return Optional.empty();
  }

  /** A file without a row replaces none that has some. */
  private DecisionLog begin() throws IOException {
    Path newest = folder.resolve(NEWEST);
    if (Files.exists(newest)) {
      boolean rows;
      try {
        rows = !DecisionFile.read(newest).rows().isEmpty();
      } catch (FailedWorkException e) {
        rows = true;
      }
      if (rows) {
        Files.move(newest, folder.resolve(FORMER), StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.delete(newest);
      }
    }
    return DecisionLog.open(newest, 2 * fileBytes);
  }

  /** Notes a decision; what cannot be noted is reported by {@link #failure}. */
  @Override
  public void decided(Decision<?> decision) {
    decided(decision, "");
  }

  /** Notes a decision that was acted on, with what is in force now. */
  public synchronized void decided(Decision<?> decision, String inForce) {
    if (log.bytes() >= fileBytes) {
      try {
        log.close();
        log = begin();
      } catch (IOException | FailedWorkException e) {
        // The closed log writes nothing, and failure() says so.
        return;
      }
    }
    log.decided(decision, inForce);
  }

  /** Why decisions are not noted; empty if they are. */
  public synchronized Optional<String> failure() {
    return log.failure().map(why -> "decisions are not noted: " + why.getMessage());
  }

  @Override
  public synchronized void close() {
    log.close();
  }
}
