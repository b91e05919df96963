package org.calando.control;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.control.file.ExclusiveFile;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.PolicyLoop;
import org.jspecify.annotations.Nullable;

/*
 *   open: lock | resume: read the last row | first decision: newest -> former, a new newest | .. | full: the same
 *
 * Nothing is moved before there is something to note, so starts without a decision lose none. A file without any row that can be
 * read takes nobody's place: it is put aside. Where a row cannot be written, a new file is tried ten seconds later.
 */
/**
 * The decisions of a loop that runs for months, as {@link DecisionLog} writes them: the newest file
 * and the one before it, of bounded size, which one process at a time writes. The loop resumes from
 * the last row. Thread safe.
 */
public final class DecisionJournal implements AutoCloseable {
  /** The newest file. */
  public static final String NEWEST = "decisions.csv";

  /** The one before it. */
  public static final String FORMER = "decisions.former.csv";

  private static final String DAMAGED = "decisions.damaged.csv";
  private static final String LOCK = "lock";
  private static final long FILE_BYTES = 32L << 20;
  private static final long AGAIN_NANOS = 10_000_000_000L;

  /** Lines of damaged rows that are named. */
  private static final int MOST_LINES = 5;

  private final Path folder;
  private final ExclusiveFile lock;
  private final Supplier<Instant> clock;
  private final long fileBytes;
  private @Nullable DecisionLog log;
  private Optional<String> failure = Optional.empty();
  private long failedNanos;

  /**
   * A loop that resumes, or begins.
   *
   * @param loop from the last decision's state, or from the beginning
   * @param words which of both, and why, in a line
   */
  public record Resumed<S>(PolicyLoop<S> loop, String words) {}

  private DecisionJournal(
      Path folder, ExclusiveFile lock, Supplier<Instant> clock, long fileBytes) {
    this.folder = folder;
    this.lock = lock;
    this.clock = clock;
    this.fileBytes = fileBytes;
  }

  /**
   * Takes a folder, which is made if it is not there.
   *
   * @param owner who decides, in words for whom it is refused
   * @param clock tells the time of day of rows
   * @throws BadRequestException if another process has it, naming it
   * @throws FailedWorkException if it cannot be written
   */
  public static DecisionJournal open(Path folder, String owner, Supplier<Instant> clock) {
    return open(folder, owner, clock, FILE_BYTES);
  }

  static DecisionJournal open(Path folder, String owner, Supplier<Instant> clock, long fileBytes) {
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(LOCK);
      ExclusiveFile lock =
          ExclusiveFile.open(file)
              .orElseThrow(
                  () ->
                      new BadRequestException(
                          "another process decides already: " + holder(file),
                          folder.toString(),
                          "end that process, then repeat the command"));
      boolean noted = false;
      try {
        byte[] words =
            ("process " + ProcessHandle.current().pid() + ", " + owner)
                .getBytes(StandardCharsets.UTF_8);
        lock.channel().truncate(0);
        lock.channel().write(ByteBuffer.wrap(words), 0);
        noted = true;
      } finally {
        if (!noted) {
          lock.close();
        }
      }
      return new DecisionJournal(folder, lock, clock, fileBytes);
    } catch (IOException e) {
      throw new FailedWorkException(
          "decisions cannot be recorded: " + e,
          folder.toString(),
          "check that it may be written",
          e);
    }
  }

  /** Not by a descriptor of its own, whose end would end this process's lock. */
  private static String holder(Path file) {
    try {
      return ExclusiveFile.peek(file);
    } catch (IOException e) {
      return "its name cannot be read";
    }
  }

  /**
   * A loop that resumes from a controller's last decision in a folder, whose writer may have been
   * killed at any time; from the beginning if there is none, or it is of another kind of
   * controller. Rows that are damaged are skipped. Changes nothing.
   */
  public static <S> Resumed<S> resume(Path folder, Controller<S> controller, String target) {
    String why = "no decision is recorded";
    for (String name : List.of(NEWEST, FORMER)) {
      try {
        if (Files.exists(folder.resolve(name))) {
          DecisionFile file = DecisionFile.readIntact(folder.resolve(name), List.of(controller));
          Optional<DecisionFile.Last> last = file.last(controller, target);
          if (last.isPresent()) {
            return new Resumed<>(
                new PolicyLoop<>(controller, target, last.get().state()),
                "resumes from its decision of "
                    + last.get().time()
                    + skipped(folder.resolve(name), last.get().damaged()));
          }
          boolean isEmpty = file.rows().isEmpty() && file.isWhole();
          why = isEmpty ? why : "the last decision is another policy's, or damaged";
        }
      } catch (FailedWorkException e) {
        why = e.where() + " " + e.problem();
      }
    }
    return new Resumed<>(new PolicyLoop<>(controller, target), "begins anew: " + why);
  }

  private static String skipped(Path file, List<Integer> lines) {
    return lines.isEmpty()
        ? ""
        : "; damaged rows of %s are skipped: line %s%s"
            .formatted(
                file,
                lines.stream().limit(MOST_LINES).map(String::valueOf).collect(joining(", ")),
                lines.size() > MOST_LINES
                    ? " and %d more".formatted(lines.size() - MOST_LINES)
                    : "");
  }

  /** Notes a decision, with what is in force; {@link #failure} reports what cannot be noted. */
  public synchronized void decided(Decision<?> decision, String inForce) {
    long now = decision.signals().atNanos();
    if (failure.isPresent() && now - failedNanos < AGAIN_NANOS) {
      return;
    }
    try {
      DecisionLog to = log;
      if (to == null || to.bytes() >= fileBytes || to.failure().isPresent()) {
        to = next(to);
      }
      to.decided(decision, inForce);
      failure = to.failure().map(String::valueOf);
    } catch (IOException | FailedWorkException e) {
      failure = Optional.of(String.valueOf(e.getMessage()));
    }
    failedNanos = now;
  }

  private DecisionLog next(@Nullable DecisionLog full) throws IOException {
    log = null;
    if (full != null) {
      closed(full);
    }
    Path newest = folder.resolve(NEWEST);
    if (Files.exists(newest)) {
      putAside(newest, full != null && full.rows() > 0);
    }
    DecisionLog made =
        DecisionLog.open(
            newest, 2 * fileBytes, () -> clock.get().truncatedTo(ChronoUnit.SECONDS).toString());
    made.governed();
    log = made;
    return made;
  }

  /** A file without a row, and one without an intact row, replaces none that has some. */
  private void putAside(Path newest, boolean hasRows) throws IOException {
    String place = FORMER;
    if (!hasRows) {
      try {
        DecisionFile file = DecisionFile.readIntact(newest, List.of());
        if (file.rows().isEmpty() && file.isWhole()) {
          Files.delete(newest);
          return;
        }
        place = file.rows().isEmpty() ? DAMAGED : FORMER;
      } catch (FailedWorkException e) {
        place = DAMAGED;
      }
    }
    Files.move(newest, folder.resolve(place), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void closed(DecisionLog full) {
    try {
      full.close();
    } catch (FailedWorkException e) {
      // It was reported when a row could not be written.
    }
  }

  /** Why decisions are not noted now; empty if they are. */
  public synchronized Optional<String> failure() {
    return failure.map(why -> "decisions are not recorded: " + why);
  }

  @Override
  public synchronized void close() {
    DecisionLog open = log;
    log = null;
    if (open != null) {
      closed(open);
    }
    try {
      lock.close();
    } catch (IOException e) {
      // The lock is gone with the process at the latest.
    }
  }
}
