package org.calando.power;

import java.util.List;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;

/**
 * Reads no energy, for clusters whose nodes' CPU and traffic can be seen but nothing of their
 * power: every reading says that nothing new is known. Immutable.
 */
public final class NoMeter implements Meter {
  /** What results call it. */
  public static final String ID = "none";

  private final String why;

  /** Whose notes say why. */
  public NoMeter(String why) {
    this.why = why;
  }

  @Override
  public MeterInfo info() {
    return new MeterInfo(ID, Provenance.MODELLED, Scope.NODE, "none", false);
  }

  @Override
  public EnergyReading read(int node) {
    return new EnergyReading(System.nanoTime(), 0, Double.NaN, Long.MAX_VALUE);
  }

  @Override
  public List<String> notes() {
    return List.of(why);
  }

  @Override
  public void close() {
    // Holds nothing.
  }
}
