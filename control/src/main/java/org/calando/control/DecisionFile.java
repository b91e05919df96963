package org.calando.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;

/**
 * A decisions.csv, read. What the end of a process left of a last row is no row. Immutable and
 * thread safe.
 */
public final class DecisionFile {
  /** Its columns, in their order; docs/decisions-csv.md says what they are. */
  public static final List<String> COLUMNS =
      List.of(
          "second",
          "phase",
          "choice_replicas",
          "share_above",
          "mean_replicas",
          "level",
          "level_above",
          "changed",
          "reads_per_s",
          "writes_per_s",
          "write_bytes",
          "propagation_ms",
          "live_replicas",
          "harmony_one",
          "exact_one",
          "pbs_one",
          "harmony",
          "exact",
          "pbs",
          "tolerated",
          "factor",
          "truth_reads",
          "truth_stale",
          "truth_predicted",
          "reasons",
          "state_before",
          "observation");

  private static final long MAX_BYTES = 512L << 20;

  private final List<DecisionRow> rows;

  private DecisionFile(List<DecisionRow> rows) {
    this.rows = List.copyOf(rows);
  }

  /**
   * Reads a file.
   *
   * @throws FailedWorkException if it cannot be read, has other columns, or a whole row is none
   */
  public static DecisionFile read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw notOne(file, 1, "it has " + Files.size(file) + " bytes");
      }
      // Not strict: the last character may be torn, and is no part of a row then.
      return read(file, new CsvText(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e, file.toString(), "check that it is there and may be read", e);
    }
  }

  private static DecisionFile read(Path file, CsvText text) {
    List<DecisionRow> rows = new ArrayList<>();
    Optional<List<String>> header = text.next();
    if (header.isPresent() && !header.get().containsAll(COLUMNS)) {
      throw notOne(file, 1, "its first line is " + String.join(",", header.get()));
    }
    ObservationReader observations = new ObservationReader();
    int line = text.line();
    Optional<List<String>> cells = text.next();
    while (header.isPresent() && cells.isPresent()) {
      try {
        rows.add(row(header.get(), cells.get(), observations));
      } catch (IllegalArgumentException e) {
        throw notOne(file, line, String.valueOf(e.getMessage()));
      }
      line = text.line();
      cells = text.next();
    }
    return new DecisionFile(rows);
  }

  /** The decisions, oldest first. */
  public List<DecisionRow> rows() {
    return rows;
  }

  /**
   * What a policy decides on the same observations, from the state before the first of them.
   *
   * @throws IllegalArgumentException if that is no state of this policy
   */
  public <S> List<Decision<S>> replay(Policy<S> policy) {
    List<Decision<S>> decisions = new ArrayList<>();
    if (!rows.isEmpty()) {
      DecisionRow first = rows.get(0);
      PolicyLoop<S> loop =
          new PolicyLoop<>(policy, first.observation().target(), first.stateBefore());
      rows.forEach(row -> decisions.add(loop.decide(row.observation())));
    }
    return decisions;
  }

  private static DecisionRow row(
      List<String> header, List<String> cells, ObservationReader observations) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells below " + header.size() + " columns");
    }
    Map<String, String> byName = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      byName.put(header.get(i), cells.get(i));
    }
    // The text of an observation is long, and here once it is read.
    String observation = String.valueOf(byName.remove("observation"));
    return new DecisionRow(
        Double.parseDouble(cell(byName, "second")),
        cell(byName, "phase"),
        choice(byName),
        Boolean.parseBoolean(cell(byName, "changed")),
        cell(byName, "state_before"),
        observations.read(observation),
        byName);
  }

  private static Optional<ReadChoice> choice(Map<String, String> cells) {
    String replicas = cell(cells, "choice_replicas");
    return replicas.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ReadChoice(
                Integer.parseInt(replicas), Double.parseDouble(cell(cells, "share_above"))));
  }

  private static String cell(Map<String, String> cells, String column) {
    return cells.getOrDefault(column, "");
  }

  private static FailedWorkException notOne(Path file, int line, String why) {
    return new FailedWorkException(
        "is no file of decisions: " + why,
        file + ", line " + line,
        "restore the file, or take that of another run");
  }
}
