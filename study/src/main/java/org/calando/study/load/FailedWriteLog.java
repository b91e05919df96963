package org.calando.study.load;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.control.file.AtomicFiles;
import org.calando.core.store.FailedWrite;
import org.calando.report.Csv;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code failed-writes.csv}: each write that was acknowledged and then failed, those that
 * are left when a session closes among them. There is no file where none failed. Thread safe. A
 * file that cannot be written does not disturb the run; {@link #close} tells of it.
 */
public final class FailedWriteLog implements AutoCloseable {
  /** The file's name in the run's folder. */
  public static final String FILE = "failed-writes.csv";

  /** Its columns. */
  public static final String COLUMNS = "key,version,maybe_applied,why";

  private final Path file;
  private @Nullable BufferedWriter out;
  private @Nullable IOException failure;

  /** Nothing has failed yet; to be closed after the session. */
  public FailedWriteLog(Path folder) {
    file = folder.resolve(FILE);
  }

  /** Notes a write that failed. */
  public synchronized void failed(FailedWrite write) {
    if (failure != null) {
      return;
    }
    try {
      BufferedWriter to = out;
      if (to == null) {
        to = Files.newBufferedWriter(file);
        out = to;
        to.write(COLUMNS + "\n");
      }
      to.write(
          write.key()
              + ","
              + write.version()
              + ","
              + (write.maybeApplied() ? 1 : 0)
              + ","
              + Csv.quote(write.why())
              + "\n");
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Ends the file.
   *
   * @throws org.calando.core.FailedWorkException if not all of it was written
   */
  @Override
  public synchronized void close() {
    BufferedWriter to = out;
    out = null;
    if (to != null) {
      try {
        to.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    IOException first = failure;
    if (first != null) {
      throw AtomicFiles.cannotWrite(file, first);
    }
  }
}
