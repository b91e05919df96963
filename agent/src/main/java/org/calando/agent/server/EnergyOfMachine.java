package org.calando.agent.server;

import java.nio.file.Path;
import org.calando.agent.AgentWire;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Ticker;
import org.calando.power.powercap.PowercapSource;
import org.jspecify.annotations.Nullable;

/**
 * What this machine's processors and their memory used, by their counters, since they were first
 * asked for. Thread safe.
 */
final class EnergyOfMachine implements AutoCloseable {
  private final PowercapSource source;
  private final Ticker ticker = Ticker.system();
  private @Nullable PowerProbe probe;
  private long opened;
  private long resets;

  /** Counters of a folder, which need not be there. */
  EnergyOfMachine(Path powercap) {
    this.source = new PowercapSource(powercap);
  }

  /**
   * Reads them.
   *
   * @throws FailedWorkException if they cannot be read
   */
  synchronized AgentWire.Energy read() {
    try {
      PowerProbe now = probe;
      if (now == null) {
        now = source.open(ticker);
        probe = now;
        opened = System.currentTimeMillis();
      }
      PowerSample sample = now.sample(ticker.nanos());
      if (!(sample instanceof PowerSample.Energy energy)) {
        throw new FailedWorkException("is no counter", source.describe(), "read it otherwise");
      }
      resets += energy.reset() ? 1 : 0;
      return new AgentWire.Energy(opened, energy.joules(), resets, now.info().resolution());
    } catch (MeterException e) {
      throw new FailedWorkException(
          String.valueOf(e.getMessage()), source.describe(), "run the agent as root", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", source.describe(), "ask again", e);
    }
  }

  @Override
  public synchronized void close() {
    if (probe != null) {
      probe.close();
    }
  }
}
