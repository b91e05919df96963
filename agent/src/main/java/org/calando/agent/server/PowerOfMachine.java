package org.calando.agent.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.agent.AgentWire;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;
import org.calando.power.agent.AgentPower;
import org.jspecify.annotations.Nullable;

/**
 * What this machine draws, as its management controller shows it. To open that may take longer than
 * a connection waits: it goes on meanwhile. Thread safe.
 */
final class PowerOfMachine implements AutoCloseable {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** How long it is told why it could not be opened: who asked for it asks again at once. */
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Optional<? extends PowerSource> source;
  private final Ticker ticker = Ticker.system();
  private final OneAtATime<AgentWire.Power> calls;
  private final AtomicReference<@Nullable Failed> untold = new AtomicReference<>();

  /** Set under the lock of this. */
  private volatile @Nullable PowerProbe probe;

  /** Guarded by this. */
  private boolean closed;

  /** Why a question failed that nobody waited for any more. */
  private record Failed(CalandoException why, long atNanos) {}

  PowerOfMachine(Optional<? extends PowerSource> source, Duration patience) {
    this.source = source;
    this.calls =
        new OneAtATime<>(source.map(PowerSource::describe).orElse("no controller"), patience);
  }

  /**
   * Reads it. One question at a time.
   *
   * @throws BadRequestException if the agent's file names no controller
   * @throws FailedWorkException if it cannot be read, or is not open yet; from the stage too
   */
  CompletionStage<AgentWire.Power> read() {
    PowerSource its =
        source.orElseThrow(
            () ->
                new BadRequestException(
                    "the agent reads no management controller",
                    "agent",
                    "name it in the agent's file: ipmi: local"));
    Failed failed = untold.getAndSet(null);
    if (failed != null && ticker.nanos() - failed.atNanos() < TOLD_NANOS) {
      throw failed.why();
    }
    return calls
        .begin(
            () -> read(its),
            () -> {
              throw later(its, "has not answered yet");
            },
            why -> untold.set(new Failed(why, ticker.nanos())))
        .orElseThrow(() -> later(its, "is asked by another"));
  }

  private FailedWorkException later(PowerSource its, String what) {
    return new FailedWorkException(
        probe == null ? AgentPower.OPENING : what, its.describe(), "ask again");
  }

  private AgentWire.Power read(PowerSource its) throws InterruptedException {
    try {
      PowerProbe now = probe;
      if (now == null) {
        now = kept(its.open(ticker));
      }
      if (!(now.sample(ticker.nanos() + DEADLINE_NANOS) instanceof PowerSample.Power power)) {
        throw new FailedWorkException("shows no power", its.describe(), "read it otherwise");
      }
      return new AgentWire.Power(power.watts(), now.info().resolution(), now.info().renewalNanos());
    } catch (MeterException e) {
      throw new FailedWorkException(e.what(), its.describe(), e.remedy(), e);
    }
  }

  private synchronized PowerProbe kept(PowerProbe opened) {
    if (closed) {
      opened.close();
    }
    probe = opened;
    return opened;
  }

  @Override
  public synchronized void close() {
    closed = true;
    PowerProbe open = probe;
    if (open != null) {
      open.close();
    }
  }
}
