package org.calando.agent.server;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.calando.agent.AgentWire;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;

/** What this machine draws, as its management controller shows it. Thread safe. */
final class PowerOfMachine implements AutoCloseable {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(4);

  private final ReentrantLock busy = new ReentrantLock();

  private final Optional<? extends PowerSource> source;
  private final Ticker ticker = Ticker.system();
  private volatile @Nullable PowerProbe probe;

  PowerOfMachine(Optional<? extends PowerSource> source) {
    this.source = source;
  }

  /**
   * Reads it; blocks for some seconds. One question at a time: the threads that answer renew leases
   * too.
   *
   * @throws BadRequestException if the agent's file names no controller
   * @throws FailedWorkException if it cannot be read
   */
  AgentWire.Power read() {
    PowerSource its =
        source.orElseThrow(
            () ->
                new BadRequestException(
                    "the agent reads no management controller",
                    "agent",
                    "name it in the agent's file: ipmi: local"));
    if (!busy.tryLock()) {
      throw new FailedWorkException("is asked by another", its.describe(), "ask again");
    }
    try {
      PowerProbe now = probe;
      if (now == null) {
        now = its.open(ticker);
        probe = now;
      }
      if (!(now.sample(ticker.nanos() + DEADLINE_NANOS) instanceof PowerSample.Power power)) {
        throw new FailedWorkException("shows no power", its.describe(), "read it otherwise");
      }
      return new AgentWire.Power(power.watts(), now.info().resolution(), now.info().renewalNanos());
    } catch (MeterException e) {
      throw new FailedWorkException(e.what(), its.describe(), e.remedy(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", its.describe(), "ask again", e);
    } finally {
      busy.unlock();
    }
  }

  @Override
  public void close() {
    PowerProbe open = probe;
    if (open != null) {
      open.close();
    }
  }
}
