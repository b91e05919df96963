package org.calando.power.powercap;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.calando.core.energy.Scope;
import org.calando.power.CounterTrack;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;

/** Sums the counters of this machine's processors. Not thread safe. */
final class PowercapProbe implements PowerProbe {
  private static final double JOULES_PER_UNIT = 1e-6;

  /**
   * No socket or its memory draws as much; what looks like more is a counter that started again.
   */
  private static final double MAX_WATTS = 2000;

  private final List<Zone> zones;
  private final List<CounterTrack> tracks = new ArrayList<>();
  private final Ticker ticker;
  private double lastSum;
  private double joules;

  PowercapProbe(List<Zone> zones, Ticker ticker) {
    this.zones = List.copyOf(zones);
    this.ticker = ticker;
    zones.forEach(
        zone -> tracks.add(new CounterTrack(JOULES_PER_UNIT, zone.maxMicrojoules(), MAX_WATTS)));
  }

  @Override
  public ProbeInfo info() {
    String parts = zones.stream().map(Zone::name).collect(Collectors.joining(" + "));
    return new ProbeInfo(
        Scope.PACKAGE,
        "energy counters of " + parts + ", renewed about every 1 ms",
        0,
        true,
        true,
        false);
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException {
    long[] values = new long[zones.size()];
    // All before any is taken: a zone that fails must not leave the others ahead of it.
    for (int i = 0; i < values.length; i++) {
      values[i] = zones.get(i).read();
    }
    long now = ticker.nanos();
    double sum = 0;
    boolean reset = false;
    for (int i = 0; i < values.length; i++) {
      long value = Math.min(values[i], zones.get(i).maxMicrojoules());
      PowerSample.Energy energy = tracks.get(i).advance(now, value);
      sum += energy.joules();
      reset |= energy.reset();
    }
    // Where one zone started again the others' energy of that time is no sum of all.
    joules += reset ? 0 : sum - lastSum;
    lastSum = sum;
    return new PowerSample.Energy(now, joules, reset);
  }

  @Override
  public void close() {
    // Holds nothing.
  }
}
