package org.calando.load.file;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.Recorder;

/** Counts and times operations. Not thread safe: the load's lock is held. */
final class FileRecorder {
  private static final int READS = 0;
  private static final int READ_BYTES = 1;
  private static final int WRITES = 2;
  private static final int WRITTEN_BYTES = 3;
  private static final int ERRORS = 4;

  private final long fromNanos;
  private final long toNanos;
  private final Map<FileMeasure, Histogram> latencies = new EnumMap<>(FileMeasure.class);
  private final Map<FileMeasure, Long> errors = new EnumMap<>(FileMeasure.class);
  private final long[] totals = new long[ERRORS + 1];
  private String firstError = "";
  private long corrupt;
  private long readBytes;
  private long writtenBytes;
  private long files;
  private long lastSuccessNanos;

  FileRecorder(long startNanos, FileMix mix) {
    this.fromNanos = startNanos + mix.warmupNanos();
    this.toNanos = fromNanos + mix.durationNanos();
    this.lastSuccessNanos = startNanos;
  }

  boolean isMeasured(long intendedNanos) {
    return intendedNanos >= fromNanos && intendedNanos < toNanos;
  }

  long toNanos() {
    return toNanos;
  }

  long lastSuccessNanos() {
    return lastSuccessNanos;
  }

  void success(FileMeasure measure, long intendedNanos, long nowNanos, long bytes) {
    lastSuccessNanos = nowNanos;
    if (isMeasured(intendedNanos)) {
      latencies
          .computeIfAbsent(
              measure, any -> new Histogram(Recorder.LOWEST_NANOS, Recorder.HIGHEST_NANOS, 3))
          .recordValue(Math.min(Math.max(0, nowNanos - intendedNanos), Recorder.HIGHEST_NANOS));
    }
    boolean inWindow = isMeasured(nowNanos);
    if (measure == FileMeasure.READ) {
      count(READS, 1);
      count(READ_BYTES, bytes);
      readBytes += inWindow ? bytes : 0;
    } else if (measure == FileMeasure.WRITE) {
      count(WRITES, 1);
      count(WRITTEN_BYTES, bytes);
      writtenBytes += inWindow ? bytes : 0;
    } else if (measure == FileMeasure.COMPLETE) {
      files++;
    }
  }

  void error(FileMeasure measure, RuntimeException failure) {
    errors.merge(measure, 1L, Long::sum);
    count(ERRORS, 1);
    corrupt += failure instanceof WrongBytesException ? 1 : 0;
    if (firstError.isEmpty()) {
      firstError = measure.label() + ": " + failure.getMessage();
    }
  }

  private void count(int what, long amount) {
    totals[what] += amount;
  }

  FileProgress progress() {
    return new FileProgress(
        totals[READS], totals[READ_BYTES], totals[WRITES], totals[WRITTEN_BYTES], totals[ERRORS]);
  }

  FileLoadResult result(
      EndReason reason, String message, long endNanos, long unanswered, Backlog backlog) {
    return new FileLoadResult(
        reason,
        message,
        fromNanos,
        Math.max(fromNanos, Math.min(endNanos, toNanos)),
        latencies,
        errors,
        corrupt,
        unanswered,
        readBytes,
        writtenBytes,
        files,
        backlog,
        firstError);
  }
}
