package org.calando.session.internal.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;

/**
 * Keeps what a session knows in a file, and gives what an earlier one left there. For one thread at
 * a time.
 */
public final class StateKeeper {
  /** What is older than this tells nothing of now. */
  public static final Duration MAX_AGE = Duration.ofMinutes(10);

  private static final long PERIOD_NANOS = 10_000_000_000L;

  private final Path file;
  private final Map<String, SavedState.Table> kept = new TreeMap<>();
  private Optional<String> problem = Optional.empty();
  private boolean tooOld;
  private long savedNanos;

  /**
   * Keeps a state in a file, and reads what an earlier session left there.
   *
   * @throws BadRequestException if the file is there and cannot be read
   */
  public StateKeeper(Path file, long now) {
    this.file = file;
    this.savedNanos = now;
    try {
      Optional<SavedState> found = SavedState.read(file);
      found.map(SavedState::tables).ifPresent(tables -> usable(tables).forEach(this::keep));
      tooOld = found.isPresent() && kept.isEmpty();
    } catch (IllegalArgumentException e) {
      problem = Optional.of("%s is not used: %s".formatted(file, e.getMessage()));
    } catch (IOException e) {
      throw new BadRequestException(
          "the state of an earlier session cannot be read: " + e,
          "file " + file,
          "make it readable, or name another");
    }
  }

  private void keep(SavedState.Table table) {
    kept.put(table.name(), table);
  }

  private static List<SavedState.Table> usable(Collection<SavedState.Table> tables) {
    return tables.stream().filter(StateKeeper::isUsable).toList();
  }

  /** Whether a table was saved lately enough to tell something of now. */
  public static boolean isUsable(SavedState.Table table) {
    long age = System.currentTimeMillis() - table.savedMillis();
    return age >= 0 && age <= MAX_AGE.toMillis();
  }

  /** Whether a file has a table to begin with, or is there and cannot be used. */
  public static boolean isWorthReading(Path file) {
    try {
      return SavedState.read(file).filter(found -> !usable(found.tables()).isEmpty()).isPresent();
    } catch (IllegalArgumentException | IOException e) {
      return true;
    }
  }

  /** What an earlier session left, as far as it is not too old. */
  public List<SavedState.Table> earlier() {
    return usable(kept.values());
  }

  /** Saves from time to time. */
  public void saveIfDue(long now, Supplier<List<SavedState.Table>> tables) {
    if (now - savedNanos < 0 || now - savedNanos >= PERIOD_NANOS) {
      savedNanos = now;
      save(tables.get());
    }
  }

  /** Saves now, if there is something to save. */
  public void save(List<SavedState.Table> tables) {
    tables.forEach(this::keep);
    // Of a table of which nothing is known now, what was known last.
    List<SavedState.Table> all = usable(kept.values());
    tooOld = false;
    try {
      if (!all.isEmpty()) {
        new SavedState(all).write(file);
      }
      problem = Optional.empty();
    } catch (IOException e) {
      problem = Optional.of("the state could not be saved to %s: %s".formatted(file, e));
    }
  }

  /** Why nothing is read from the file, or written to it; empty if neither is so. */
  public Optional<String> problem() {
    return tooOld ? Optional.of("what %s holds is too old to begin with".formatted(file)) : problem;
  }

  /** What is wrong with the file; that it is too old is not. */
  public Optional<String> failure() {
    return problem;
  }
}
