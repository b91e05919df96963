package org.calando.sim.cluster;

import java.util.Optional;
import org.calando.sim.away.Absences;
import org.calando.sim.kernel.Distribution;

/** Work that takes no time, and hints that nobody keeps. */
public final class NoWork {
  static final Absences HINTS = new Absences(0, 1, Optional.empty());

  private NoWork() {}

  public static ServiceTimes services() {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, none, none, none, none, none, none, 0, 1);
  }
}
