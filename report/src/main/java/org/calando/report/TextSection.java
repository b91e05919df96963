package org.calando.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a knob adds to a study's table for terminals. Found as services, whose constructors have no
 * parameters. Implementations are stateless and thread safe.
 */
public interface TextSection {
  /** What it adds to that of a study; empty if no run has the knob. */
  Optional<TextTable> of(Results results);

  /**
   * A table of its own below the study's.
   *
   * @param heads of its columns, of which the first two stand to the left
   * @param widths of its columns, in characters
   * @param blocks lines by load; without any there is no table
   * @param note what the columns are
   * @param warnings what stands below the note
   * @param label a label for the study's table, short because this one has the knob's values
   */
  record TextTable(
      List<String> heads,
      List<Integer> widths,
      List<TextBlock> blocks,
      String note,
      List<String> warnings,
      Function<Configuration, String> label) {}

  /**
   * Lines of one load.
   *
   * @param lines cells under the heads
   */
  record TextBlock(Load load, List<List<String>> lines) {}
}
