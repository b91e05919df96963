package org.calando.cli.predict;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadLevels;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Spoken;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.LiveTable;
import org.calando.study.Progress;
import org.calando.study.StopSignal;

/** Looks at a table of a live cluster for some seconds. */
final class LiveLook {
  private static final double CANARIES_PER_SECOND = 10;
  private static final long SECOND = 1_000_000_000L;

  private final StopSignal stop;
  private final Progress progress;

  LiveLook(StopSignal stop, Progress progress) {
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * Connects, looks, and takes its leave.
   *
   * @throws BadRequestException if there is no such table, or a canary would be needed in a
   *     keyspace that is not Calando's
   * @throws FailedWorkException if the cluster does not answer
   */
  LiveFigures look(CassandraStoreConfig config, LiveRequest request) throws InterruptedException {
    try (LiveTable table = LiveTable.connect(config, request.table())) {
      stop.check();
      ConsistencyLevel write = level(request.write(), table.replicas());
      requireRead(request.read(), table.replicas());
      if (request.lags()) {
        requireCanary(request, table);
        table.startCanary(write, CANARIES_PER_SECOND, Duration.ofNanos(request.nanos()));
      }
      progress.line(
          "Looking at %s for %s ..."
              .formatted(request.table(), Spoken.of(Duration.ofNanos(request.nanos()))));
      table.count();
      pause(request.nanos());
      table.count();
      return figures(request, table);
    }
  }

  /** The level whose writes wait for exactly so many replicas. */
  static ConsistencyLevel level(int write, int replicas) {
    ReadLevels levels = ReadLevels.plain(replicas);
    if (write > replicas || levels.asked(write) != write) {
      throw new BadRequestException(
          "no level's writes wait for %d of %d replicas".formatted(write, replicas),
          StaleArguments.W,
          "give what the table's writes wait for: 1 to %d, a quorum being %d"
              .formatted(replicas, ConsistencyLevel.QUORUM.replicas(replicas)));
    }
    return levels.level(write);
  }

  private static void requireRead(int read, int replicas) {
    if (read > replicas) {
      throw new BadRequestException(
          "'%d' is more than all replicas of the table".formatted(read),
          StaleArguments.X,
          "write 1 to " + replicas);
    }
  }

  private static void requireCanary(LiveRequest request, LiveTable table) {
    if (!request.canary() && !table.isOurs()) {
      throw new BadRequestException(
          "how late replicas are is measured by writes to a table of Calando's own, and Calando did"
              + " not create this keyspace; nothing was changed",
          "keyspace " + request.table().keyspace(),
          "allow the table calando_canary in it by --canary, or tell the lag by --propagation");
    }
  }

  /** Waits; ends early, by an exception, if the command is to stop. */
  private void pause(long nanos) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    StopSignal.Registration registration = stop.onRequest(stopped::countDown);
    try {
      long end = System.nanoTime() + nanos;
      for (long left = nanos; left > 0; left = end - System.nanoTime()) {
        progress.status(Spoken.of(Duration.ofNanos(left)) + " left");
        if (stopped.await(Math.min(left, SECOND), TimeUnit.NANOSECONDS)) {
          break;
        }
      }
    } finally {
      registration.close();
    }
    stop.check();
  }

  private static LiveFigures figures(LiveRequest request, LiveTable table) {
    Observation.Rates rates = table.rates();
    Optional<PropagationLags> lags = table.lags();
    if (request.lags() && lags.isEmpty()) {
      throw new FailedWorkException(
          "no canary came back" + table.canaryFailure().map(why -> ": " + why).orElse(""),
          "table " + request.table(),
          "look longer by --for, or tell the lag by --propagation");
    }
    return new LiveFigures(
        request.table().toString(),
        (double) request.nanos() / SECOND,
        table.replicas(),
        rates.readsPerSecond(),
        rates.writesPerSecond(),
        rates.meanWriteBytes(),
        lags);
  }
}
