package org.calando.load.file;

import java.util.Locale;

/** Something whose latency is recorded. */
public enum FileMeasure {
  /** A piece: the file is opened, the piece read and judged. */
  READ,
  /** A file is begun. */
  CREATE,
  /** A piece is handed over; the store may have it later. */
  WRITE,
  /** A file is completed: the store answers for all of it. */
  COMPLETE;

  /** The name in result files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
