package org.calando.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferLoop;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;

/** A row of buffers.csv. */
record BufferRow(
    double second,
    String phase,
    BufferObservation observation,
    BufferState before,
    BufferSetting decided,
    BufferSetting set,
    boolean changed,
    String reason) {
  private static final int CELLS = 19;

  static List<BufferRow> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (!lines.get(0).equals(BufferLog.COLUMNS)) {
      throw new AssertionError("columns " + lines.get(0));
    }
    List<BufferRow> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      rows.add(row(line.split(",", CELLS)));
    }
    return rows;
  }

  private static BufferRow row(String[] cells) {
    return new BufferRow(
        Double.parseDouble(cells[0]),
        cells[1],
        observation(cells),
        BufferState.parse(cells[14]),
        BufferSetting.parse(cells[15]),
        BufferSetting.parse(cells[16]),
        cells[17].equals("1"),
        cells[18]);
  }

  private static BufferObservation observation(String[] cells) {
    long at = Long.parseLong(cells[2]);
    return new BufferObservation(
        at,
        "test",
        cells[3].isEmpty()
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Writes(
                    at, Double.parseDouble(cells[3]), Double.parseDouble(cells[4]))),
        cells[5].isEmpty()
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Requests(
                    at,
                    Double.parseDouble(cells[5]),
                    Double.parseDouble(cells[6]),
                    Double.parseDouble(cells[7]))),
        cells[8].isEmpty()
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Tail(
                    at,
                    Integer.parseInt(cells[8]),
                    Double.parseDouble(cells[9]),
                    Double.parseDouble(cells[10]))),
        cells[11].isEmpty()
            ? Optional.empty()
            : Optional.of(
                new BufferObservation.Freshness(
                    at, Long.parseLong(cells[11]), Double.parseDouble(cells[12]))),
        Long.parseLong(cells[13]));
  }

  /** Whether a policy decides the same of it again. */
  boolean isDecidedBy(BufferPolicy policy) {
    Step<BufferState> again = policy.decide(before, observation);
    return BufferLoop.settingOf(again).equals(Optional.of(decided))
        && reason.contains(String.join("; ", again.reasons()));
  }
}
