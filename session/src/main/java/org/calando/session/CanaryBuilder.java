package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.internal.CanaryRun;
import org.calando.session.internal.CanarySettings;
import org.jspecify.annotations.Nullable;

/** Collects a canary's settings; not thread safe. */
public final class CanaryBuilder {
  private final CqlSession session;
  private final String keyspace;
  private double perSecond = 5;
  private Duration deadline = CanarySettings.DEADLINE;
  private Duration requestTimeout = CanarySettings.REQUEST_TIMEOUT;
  private int windowSize = CanarySettings.WINDOW_SIZE;
  private Duration windowAge = CanarySettings.WINDOW_AGE;
  private int valueBytes = CanarySettings.VALUE_BYTES;
  private Supplier<ConsistencyLevel> writeLevel = () -> ConsistencyLevel.ONE;
  private Supplier<ReadChoice> readChoice = () -> ReadChoice.of(1);
  private @Nullable DoubleSupplier meanAgeSeconds;
  private Optional<String> dataCentre = Optional.empty();
  private LongSupplier clock = System::nanoTime;
  private @Nullable ScheduledExecutorService timer;

  CanaryBuilder(CqlSession session, String keyspace) {
    this.session = session;
    this.keyspace = keyspace;
  }

  /** Canaries a second, more than 0 and at most 100; default 5. */
  public CanaryBuilder perSecond(double newPerSecond) {
    perSecond = newPerSecond;
    return this;
  }

  /** How long a replica is looked at until its lag counts as infinite; default 2 s. */
  public CanaryBuilder deadline(Duration newDeadline) {
    deadline = newDeadline;
    return this;
  }

  /**
   * Time for each request; a replica that misses it is asked once more when it has had as long
   * again; default 500 ms.
   */
  public CanaryBuilder requestTimeout(Duration newRequestTimeout) {
    requestTimeout = newRequestTimeout;
    return this;
  }

  /** The samples kept, 1 to 65536, and how old they may be; default 256 and a minute. */
  public CanaryBuilder window(int newSize, Duration newAge) {
    windowSize = newSize;
    windowAge = newAge;
    return this;
  }

  /** Bytes that each write carries, 0 to a mebibyte; default 100. */
  public CanaryBuilder valueBytes(int newValueBytes) {
    valueBytes = newValueBytes;
    return this;
  }

  /** The level of the application's writes; default ONE. */
  public CanaryBuilder writeLevel(ConsistencyLevel newWriteLevel) {
    return writeLevel(() -> newWriteLevel);
  }

  /** The level of the application's writes as it is at each of the canary's; default ONE. */
  public CanaryBuilder writeLevel(Supplier<ConsistencyLevel> newWriteLevel) {
    writeLevel = newWriteLevel;
    return this;
  }

  /**
   * What reads ask now, for the reads that tell the truth; default one replica. Where that many
   * cannot miss a write, which proves nothing, they ask fewer: the weaker part of mixed levels, or
   * one.
   */
  public CanaryBuilder readChoice(Supplier<ReadChoice> newReadChoice) {
    readChoice = newReadChoice;
    return this;
  }

  /**
   * Mean age, in seconds, of the reads that tell the truth; they are exponential, as are those of
   * Poisson writes. Default the mean of the finite lags, 1 ms to 1 s: where most is to be learnt.
   */
  public CanaryBuilder meanAgeSeconds(DoubleSupplier newMeanAgeSeconds) {
    meanAgeSeconds = newMeanAgeSeconds;
    return this;
  }

  /** Counts only replicas of this data centre, and reads at LOCAL levels; default all replicas. */
  public CanaryBuilder dataCentre(String name) {
    dataCentre = Optional.of(name);
    return this;
  }

  /** The monotonic clock, in nanoseconds, of all times told; default {@link System#nanoTime}. */
  public CanaryBuilder clock(LongSupplier newClock) {
    clock = newClock;
    return this;
  }

  /** A timer to use, which stays open; default one daemon thread of its own. */
  public CanaryBuilder timer(ScheduledExecutorService newTimer) {
    timer = newTimer;
    return this;
  }

  /**
   * Makes the table if need be and begins to send; blocks until then.
   *
   * @throws BadRequestException if a setting is out of its range, there is no such keyspace, the
   *     table is somebody else's, the role may not create or use it, or the driver does not know
   *     the replicas
   * @throws FailedWorkException if the cluster does not answer
   */
  public Canary start() {
    List<String> problems = new ArrayList<>();
    require(problems, perSecond > 0 && perSecond <= 100, "canaries a second: " + perSecond);
    require(problems, deadline.toNanos() > 0, "deadline: " + deadline);
    require(problems, requestTimeout.toNanos() > 0, "request timeout: " + requestTimeout);
    require(problems, windowSize >= 1 && windowSize <= 65536, "samples kept: " + windowSize);
    require(problems, windowAge.toNanos() > 0, "age of samples: " + windowAge);
    require(problems, valueBytes >= 0 && valueBytes <= 1 << 20, "bytes of a write: " + valueBytes);
    if (!problems.isEmpty()) {
      throw new BadRequestException(
          "out of range: " + String.join("; ", problems), "canary", "change these settings");
    }
    return new Canary(
        CanaryRun.start(
            session,
            keyspace,
            new CanarySettings(
                perSecond,
                deadline,
                requestTimeout,
                windowSize,
                windowAge,
                valueBytes,
                writeLevel,
                readChoice,
                Optional.ofNullable(meanAgeSeconds),
                dataCentre,
                clock,
                Optional.ofNullable(timer))));
  }

  private static void require(List<String> problems, boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }
}
