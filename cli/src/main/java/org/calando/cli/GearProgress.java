package org.calando.cli;

import java.util.Locale;
import java.util.Optional;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.ShiftNews;
import org.calando.study.Progress;
import org.jspecify.annotations.Nullable;

/** Shows how a shift goes on. Thread safe. */
final class GearProgress implements ShiftNews {
  private static final double MEGA = 1e6;

  private final Progress progress;
  private long begunNanos;
  private @Nullable CatchUpTotals totals;

  GearProgress(Progress progress) {
    this.progress = progress;
  }

  @Override
  public synchronized void tell(String line) {
    progress.line(line);
  }

  @Override
  public synchronized void caughtUp(long doneBytes, long allBytes) {
    if (begunNanos == 0) {
      begunNanos = System.nanoTime();
    }
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    String left =
        doneBytes > 0 && seconds > 1
            ? String.format(
                Locale.ROOT, ", %.0f s left", seconds * (allBytes - doneBytes) / doneBytes)
            : "";
    progress.status(
        String.format(
            Locale.ROOT,
            "brought home %.1f of %.1f MB%s",
            doneBytes / MEGA,
            allBytes / MEGA,
            left));
  }

  @Override
  public synchronized void ended(CatchUpTotals ended) {
    totals = ended;
    ShiftNews.super.ended(ended);
  }

  /** Of the last catch-up; empty if there was none. */
  synchronized Optional<CatchUpTotals> totals() {
    return Optional.ofNullable(totals);
  }
}
