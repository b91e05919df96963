package org.calando.cli.layout;

import java.math.BigInteger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.store.cassandra.MovePace;
import org.calando.study.Progress;
import org.calando.study.StopSignal;

/** Watches moves at the machine's pace, tells the user, and ends when he wants. Not thread safe. */
public final class ShownPace implements MovePace {
  private final StopSignal stop;
  private final Progress progress;
  private int moves;
  private int moved;
  private long streamedBytes;

  public ShownPace(StopSignal stop, Progress progress) {
    this.stop = stop;
    this.progress = progress;
  }

  /** How many moves there are to be. */
  void expect(int count) {
    moves = count;
  }

  /** Nodes that have moved. */
  int moved() {
    return moved;
  }

  /** What nodes received in streams that began with the moves. */
  long streamedBytes() {
    return streamedBytes;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void pause(long nanos) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    StopSignal.Registration registration = stop.onRequest(stopped::countDown);
    try {
      if (stopped.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new InterruptedException("stopped");
      }
    } finally {
      registration.close();
    }
  }

  @Override
  public void begun(String step) {
    progress.line(step);
  }

  @Override
  public void progress(String text) {
    progress.status(text);
  }

  @Override
  public void moved(String node, long bytes) {
    moved++;
    streamedBytes += bytes;
    progress.line(
        "%s has arrived (%d of %d), %s streamed"
            .formatted(node, moved, moves, MoveAnswer.size(BigInteger.valueOf(bytes))));
  }
}
