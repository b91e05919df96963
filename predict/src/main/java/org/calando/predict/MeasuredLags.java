package org.calando.predict;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.schema.Refusal;
import org.calando.schema.TextFiles;

/**
 * How late the last replica of writes was in the runs of a study's folder, as a canary beside them
 * saw it. Immutable.
 */
final class MeasuredLags {
  /** The file in the folder; without it nothing is known. */
  static final String FILE = "lags.csv";

  /** Its first line. */
  static final String HEADER = "run,samples,mean_ms,p99_ms";

  private static final int LEAST_SAMPLES = 20;

  private final Map<String, double[]> byRun = new HashMap<>();

  private MeasuredLags() {}

  /**
   * Reads a folder's file.
   *
   * @throws BadRequestException naming the line that is malformed
   */
  static MeasuredLags read(Path folder) {
    MeasuredLags lags = new MeasuredLags();
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return lags;
    }
    List<String> lines;
    try {
      lines = TextFiles.read(file).lines().toList();
    } catch (Refusal refusal) {
      throw wrong("the file " + refusal.what(), file.toString());
    }
    if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
      throw wrong("does not begin with " + HEADER, file + ":1");
    }
    for (int i = 1; i < lines.size(); i++) {
      lags.add(lines.get(i), file + ":" + (i + 1));
    }
    return lags;
  }

  private void add(String line, String where) {
    String[] cells = line.split(",", -1);
    if (cells.length != 4
        || !cells[1].matches("\\d{1,9}")
        || !cells[2].matches("\\d{1,9}(\\.\\d{1,9})?")
        || !cells[3].matches("\\d{1,9}(\\.\\d{1,9})?")) {
      throw wrong("'" + line + "' is not a run with its lags", where);
    }
    if (Integer.parseInt(cells[1]) >= LEAST_SAMPLES) {
      double[] lag = {Double.parseDouble(cells[2]), Double.parseDouble(cells[3])};
      if (byRun.put(cells[0], lag) != null) {
        throw wrong("a second line of " + cells[0], where);
      }
    }
  }

  /** Mean and 99th percentile of a run, in ms; NaN of one with too few samples, or none. */
  double[] of(String run) {
    return byRun.getOrDefault(run, new double[] {Double.NaN, Double.NaN});
  }

  private static BadRequestException wrong(String what, String where) {
    return new BadRequestException(what, where, "restore the file, or remove it");
  }
}
