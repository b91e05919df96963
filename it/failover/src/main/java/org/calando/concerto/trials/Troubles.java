package org.calando.concerto.trials;

import java.util.List;
import org.calando.clock.Drift;
import org.calando.concerto.ManagerListener;

/** Collects what a manager could not do. */
final class Troubles implements ManagerListener {
  private final List<String> troubles;

  Troubles(List<String> troubles) {
    this.troubles = troubles;
  }

  @Override
  public void trouble(String what) {
    troubles.add(what);
  }

  @Override
  public void drifted(List<Drift> drifts) {
    troubles.add("not as set: " + drifts);
  }
}
