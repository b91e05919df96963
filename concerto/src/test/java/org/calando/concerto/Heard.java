package org.calando.concerto;

import java.util.ArrayList;
import java.util.List;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.core.policy.Decision;
import org.calando.core.replication.RoleEvent;

/** What a manager told. Thread safe. */
final class Heard implements ManagerListener {
  private final List<Decision<?>> decisions = new ArrayList<>();
  private final List<ClockOutcome> outcomes = new ArrayList<>();
  private final List<Long> raises = new ArrayList<>();
  private final List<Drift> drifts = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();

  @Override
  public synchronized void decided(Decision<?> decided, List<ClockOutcome> set) {
    decisions.add(decided);
    outcomes.addAll(set);
  }

  @Override
  public synchronized void raised(RoleEvent event, long afterNanos) {
    raises.add(afterNanos);
  }

  @Override
  public synchronized void drifted(List<Drift> found) {
    drifts.addAll(found);
  }

  @Override
  public synchronized void trouble(String what) {
    troubles.add(what);
  }

  synchronized int decisions() {
    return decisions.size();
  }

  /** Nodes whose clock was set, in order. */
  synchronized List<String> set() {
    return outcomes.stream().map(one -> one.node() + " " + one.askedKHz() / 1000).toList();
  }

  synchronized List<Long> raises() {
    return List.copyOf(raises);
  }

  synchronized List<Drift> drifts() {
    return List.copyOf(drifts);
  }

  synchronized List<String> troubles() {
    return List.copyOf(troubles);
  }
}
