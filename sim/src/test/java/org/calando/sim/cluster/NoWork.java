package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;

/** Work that takes no time. */
public final class NoWork {
  private NoWork() {}

  public static ServiceTimes services() {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, none, none, none, none, none, none, 0, 1);
  }
}
