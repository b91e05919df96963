package org.calando.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.SignalId;

/**
 * A decisions.csv, read. What the end of a process left of a last row is no row. Immutable and
 * thread safe.
 */
public final class DecisionFile {
  /** Its columns, in their order; docs/decisions-csv.md says what they are. */
  public static final List<String> COLUMNS = columns();

  /** Those that files of earlier versions have, too. */
  private static final List<String> NEEDED =
      List.of("second", "phase", "changed", "reasons", "state_before", "observation");

  /** In place of a state that is the one which the decision before left. */
  static final String CHAINED = "=";

  private static final String CHECK = "check";
  private static final String READ_LEVEL = "read-level";
  private static final long MAX_BYTES = 512L << 20;

  private final List<DecisionRow> rows;

  /** Lines of rows that were skipped, in their order. */
  private final List<Integer> damaged;

  private DecisionFile(List<DecisionRow> rows, List<Integer> damaged) {
    this.rows = List.copyOf(rows);
    this.damaged = List.copyOf(damaged);
  }

  /**
   * Reads a file.
   *
   * @throws FailedWorkException if it cannot be read, has other columns, or a whole row is none
   */
  public static DecisionFile read(Path file) {
    return read(file, List.of());
  }

  /**
   * The same of decisions on other knobs, too.
   *
   * @param controllers who decided: their signals are known
   */
  public static DecisionFile read(Path file, Collection<? extends Controller<?>> controllers) {
    return read(file, controllers, false);
  }

  /**
   * The same, but rows that are damaged are skipped, whatever is damaged in them.
   *
   * @throws FailedWorkException if it cannot be read, or has other columns
   */
  static DecisionFile readIntact(Path file, Collection<? extends Controller<?>> controllers) {
    return read(file, controllers, true);
  }

  private static DecisionFile read(
      Path file, Collection<? extends Controller<?>> controllers, boolean skips) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw notOne(file, 1, "it has " + Files.size(file) + " bytes");
      }
      // Not strict: the last character may be torn, and is no part of a row then.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      Set<SignalId<?>> signals =
          controllers.stream()
              .flatMap(each -> each.needs().stream())
              .collect(Collectors.toUnmodifiableSet());
      return read(file, new CsvText(text), new SignalText(signals), skips);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e, file.toString(), "check that it is there and may be read", e);
    }
  }

  private static DecisionFile read(Path file, CsvText text, SignalText signals, boolean skips) {
    List<DecisionRow> rows = new ArrayList<>();
    List<Integer> damaged = new ArrayList<>();
    List<String> header = text.next().orElse(List.of());
    if (!header.containsAll(NEEDED) && !(header.isEmpty() && !text.hasLine())) {
      throw notOne(file, 1, "its first line is " + String.join(",", header));
    }
    for (int line = text.line(); text.hasLine(); line = text.line()) {
      try {
        DecisionRow row = row(line, header, text.next(), signals);
        if (skips && !row.intact()) {
          throw new IllegalArgumentException("its checksum differs");
        }
        rows.add(row);
      } catch (IllegalArgumentException e) {
        if (!skips) {
          throw notOne(file, line, String.valueOf(e.getMessage()));
        }
        damaged.add(line);
        // A quote that was lost has swallowed rows, and a signal may refer to the one before.
        text.skipLine(line);
        signals.forget();
      }
    }
    return new DecisionFile(rows, damaged);
  }

  /** The decisions, oldest first. */
  public List<DecisionRow> rows() {
    return rows;
  }

  /** The decisions on the same knobs of the same target by the same policy, each by itself. */
  public List<DecisionFile> parts() {
    Map<List<String>, List<DecisionRow>> parts = new LinkedHashMap<>();
    for (DecisionRow row : rows) {
      List<String> key = List.of(row.knobs(), row.signals().target(), row.cell("policy"));
      parts.computeIfAbsent(key, first -> new ArrayList<>()).add(row);
    }
    return parts.values().stream().map(part -> new DecisionFile(part, damaged)).toList();
  }

  /**
   * Where these rows are not what a controller decides on the same signals; empty if all are. The
   * first row of a run begins with the controller's first state. After a row that differs it
   * resumes from the state of the next.
   *
   * @return a sentence a row, with its line
   */
  public List<String> differences(Controller<?> controller) {
    List<String> found = new ArrayList<>();
    String state = "";
    for (int i = 0; i < rows.size(); i++) {
      DecisionRow row = rows.get(i);
      Optional<String> why = row.intact() ? Optional.empty() : Optional.of("its checksum differs");
      try {
        state = row.stateBefore().equals(CHAINED) ? state : row.stateBefore();
        if (i == 0 && !begins(controller, row)) {
          why = why.or(() -> Optional.of("is not the policy's first: rows before it are missing"));
        }
        Decision<?> again = again(controller, row, state);
        state = again.stateAfter();
        String next = i + 1 < rows.size() ? rows.get(i + 1).stateBefore() : CHAINED;
        why = why.or(() -> difference(row, again, next));
      } catch (IllegalArgumentException | IllegalStateException e) {
        why = Optional.of("cannot be decided again: " + e.getMessage());
      }
      why.ifPresent(what -> found.add("line " + row.line() + ": " + what));
    }
    return found;
  }

  /** A governor's file may begin in the midst of a loop. */
  private static boolean begins(Controller<?> controller, DecisionRow row) {
    return row.phase().equals(DecisionLog.GOVERNED)
        || row.stateBefore()
            .equals(new PolicyLoop<>(controller, row.signals().target()).stateText());
  }

  /** Whether no row was skipped. */
  boolean isWhole() {
    return damaged.isEmpty();
  }

  /**
   * Where a controller's last decision on a target left off.
   *
   * @param state as text
   * @param time of day, as it was noted
   * @param damaged lines of rows that were skipped
   */
  record Last(String state, String time, List<Integer> damaged) {}

  /**
   * Where a controller's last intact decision on a target left off. A controller of the same kind,
   * such as another head-room, counts.
   *
   * @return empty if there is no such decision, or the last one is of another kind
   */
  <S> Optional<Last> last(Controller<S> controller, String target) {
    List<DecisionRow> own =
        rows.stream()
            .filter(row -> row.knobs().equals(knobs(controller)))
            .filter(row -> row.signals().target().equals(target))
            .toList();
    for (int from = own.size() - 1; from >= 0; from--) {
      DecisionRow row = own.get(from);
      if (!kind(row.cell("policy")).equals(kind(controller.name()))) {
        return Optional.empty();
      }
      Optional<Last> last = last(controller, own.subList(from, own.size()));
      if (last.isPresent()) {
        return last;
      }
    }
    return Optional.empty();
  }

  /** Of rows whose first has its state, as far as none of those after it is missing. */
  private <S> Optional<Last> last(Controller<S> controller, List<DecisionRow> own) {
    DecisionRow before = own.get(0);
    String state = before.stateBefore();
    if (state.equals(CHAINED)) {
      return Optional.empty();
    }
    Optional<Last> last = Optional.empty();
    for (DecisionRow row : own) {
      if (isDamagedBetween(before.line(), row.line())) {
        break;
      }
      try {
        state = again(controller, row, state).stateAfter();
      } catch (RuntimeException e) {
        // Whatever is wrong with a former state, an older one or a new one can be begun from.
        break;
      }
      last = Optional.of(new Last(state, row.cell("time"), damaged));
      before = row;
    }
    return last;
  }

  private boolean isDamagedBetween(int line, int later) {
    return damaged.stream().anyMatch(each -> line < each && each < later);
  }

  /** The first word of a controller's name: what follows are its limits. */
  private static String kind(String name) {
    return name.split(" ", 2)[0];
  }

  private static <S> Decision<S> again(Controller<S> controller, DecisionRow row, String state) {
    return new PolicyLoop<>(controller, row.signals().target(), state).decide(row.signals());
  }

  private static Optional<String> difference(DecisionRow row, Decision<?> again, String next) {
    String settings = SignalText.settings(again.step().settings());
    String reasons = String.join("; ", again.step().reasons());
    // Earlier versions wrote no settings.
    if (row.cells().containsKey("settings") && !row.cell("settings").equals(settings)) {
      return Optional.of("set " + row.cell("settings") + "; decided again: " + settings);
    }
    if (!row.cell("reasons").equals(reasons)) {
      return Optional.of("reasons: " + row.cell("reasons") + "; decided again: " + reasons);
    }
    return next.equals(CHAINED) || again.stateAfter().equals(next)
        ? Optional.empty()
        : Optional.of("the next state is " + next + "; decided again: " + again.stateAfter());
  }

  /** The knobs of a controller, by their names, as in a row. */
  public static String knobs(Controller<?> controller) {
    return controller.sets().stream().map(KnobId::name).sorted().collect(Collectors.joining("+"));
  }

  /** Of cells as they are written, CRC-32C in hexadecimal digits. */
  static String checksum(List<String> cells) {
    CRC32C sum = new CRC32C();
    sum.update(CsvText.line(cells).getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", sum.getValue());
  }

  private static DecisionRow row(
      int line, List<String> header, Optional<List<String>> found, SignalText signals) {
    List<String> cells =
        found.orElseThrow(() -> new IllegalArgumentException("a quote without its end"));
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells below " + header.size() + " columns");
    }
    Map<String, String> byName = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      byName.put(header.get(i), cells.get(i));
    }
    byName.putIfAbsent("knobs", READ_LEVEL);
    int check = header.indexOf(CHECK);
    boolean intact = check < 0 || checksum(cells.subList(0, check)).equals(cells.get(check));
    // The text of an observation is long, and here once it is read.
    String observation = String.valueOf(byName.remove("observation"));
    DecisionRow row = new DecisionRow(line, intact, signals.read(observation), byName);
    if (!Double.isFinite(row.second())) {
      throw new IllegalArgumentException("second " + row.cell("second"));
    }
    return row;
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("second", "phase"));
    columns.addAll(List.of("knobs", "policy", "target", "settings", "in_force", "changed"));
    columns.addAll(LevelCells.COLUMNS);
    columns.addAll(List.of("reasons", "state_before", "observation", "time", CHECK));
    return List.copyOf(columns);
  }

  private static FailedWorkException notOne(Path file, int line, String why) {
    return new FailedWorkException(
        "is no file of decisions: " + why,
        file + ", line " + line,
        "restore the file, or take that of another run");
  }
}
