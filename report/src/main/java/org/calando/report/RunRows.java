package org.calando.report;

import java.nio.file.Path;
import java.util.List;

/** Reads a study's results for others than the report. Stateless and thread safe. */
public final class RunRows {
  private RunRows() {}

  /**
   * The runs in a study's folder, in the order of its {@code results.csv}.
   *
   * @throws org.calando.core.BadRequestException if the file is missing or malformed
   */
  public static List<RunRow> read(Path folder) {
    return ResultsFolder.read(folder).results().rows();
  }
}
