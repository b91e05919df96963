package org.calando.promise;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs a cell's processes on a bed and judges their books. */
final class CellRun {
  private CellRun() {}

  /**
   * Runs it.
   *
   * @param books the folder that gets a folder with the books
   * @param startSeconds that are told apart
   * @param seconds behind them
   */
  static CellRow run(ProbeBed bed, Cell cell, Path books, int startSeconds, int seconds, long seed)
      throws IOException, InterruptedException {
    Path folder = books.resolve(cell.id());
    bed.load(cell.id(), cell.keys());
    try (Application application = Application.start(bed, cell, folder, seed)) {
      long begun = application.begin();
      Busy busy = Busy.now();
      if (cell.pauseSeconds() > 0) {
        Times.sleepUntil(begun + Times.nanos(startSeconds + seconds / 2));
        application.rates(task -> !task.form().isWrite(), 0);
        TimeUnit.SECONDS.sleep(cell.pauseSeconds());
        application.rates(task -> !task.form().isWrite(), 1);
      }
      long ended = begun + Times.nanos(startSeconds + seconds + cell.pauseSeconds());
      Times.sleepUntil(ended);
      double used = Busy.now().shareSince(busy);
      application.end();
      return CellRow.of(
          cell,
          Books.writes(folder),
          Books.reads(folder),
          begun,
          Times.nanos(startSeconds),
          ended,
          used);
    }
  }
}
