package org.calando.concerto;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.clock.PolicyOutcome;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.jspecify.annotations.Nullable;

/** What a power manager did in a run, as far as its figures and notes need it. Thread safe. */
final class ManagerNews implements ManagerListener {
  /** Notes of a kind beyond which they are counted only. */
  private static final int MOST_NOTES = 5;

  private final ClockLimits limits;
  private final boolean predicts;
  private final List<String> troubles = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private final Map<String, PolicyOutcome> newest = new TreeMap<>();
  private @Nullable Decision<?> last;
  private int moreTroubles;
  private long changed;
  private boolean measuring;

  /**
   * Nothing done yet.
   *
   * @param limits that replicas have to keep to for clocks to count as settled
   * @param predicts whether their work has to be known, too
   */
  ManagerNews(ClockLimits limits, boolean predicts) {
    this.limits = limits;
    this.predicts = predicts;
  }

  @Override
  public synchronized void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
    last = decided;
    changed += decided.changes().size();
    outcomes.forEach(outcome -> remember(outcome.policies()));
    if (measuring) {
      for (Setting<?> setting : decided.changes()) {
        if (changes.size() < MOST_NOTES) {
          changes.add(reason(decided, setting.target()));
        }
      }
    }
  }

  private static String reason(Decision<?> decided, String node) {
    return decided.step().reasons().stream()
        .filter(reason -> reason.startsWith(node + ' '))
        .findFirst()
        .orElse(node);
  }

  @Override
  public synchronized void drifted(List<Drift> drifts) {
    remember(drifts.stream().flatMap(drift -> drift.outcome().stream()).toList());
    drifts.forEach(drift -> trouble(drift.words()));
  }

  private void remember(List<PolicyOutcome> policies) {
    policies.forEach(one -> newest.put(one.policy(), one));
  }

  /** Clocks that could not be set when that was last tried; empty if there are none. */
  synchronized Optional<String> refused() {
    String faults = refused(newest.values());
    return faults.isEmpty() ? Optional.empty() : Optional.of("clocks were not set: " + faults);
  }

  /**
   * What could not be set, in words; empty if all was. A clock that was taken and reads back
   * otherwise counts as set, as it does where a lease begins: hardware has limits of its own, and
   * notes tell of them.
   */
  static String refused(Collection<PolicyOutcome> policies) {
    return words(
        policies.stream()
            .filter(one -> one.result() == PolicyOutcome.Result.REFUSED || one.readKHz() == 0)
            .toList());
  }

  private static String words(List<PolicyOutcome> policies) {
    return String.join(
        "; ",
        policies.stream()
            .map(one -> one.policy() + (one.detail().isEmpty() ? "" : " (" + one.detail() + ")"))
            .toList());
  }

  @Override
  public synchronized void trouble(String what) {
    if (troubles.contains(what) || troubles.size() >= MOST_NOTES) {
      moreTroubles++;
    } else {
      troubles.add(what);
    }
  }

  /** From now on changes are told, too. */
  synchronized void measurementBegan() {
    measuring = true;
  }

  /** From now on they are counted only. */
  synchronized void measurementEnded() {
    measuring = false;
  }

  /** Clocks that were set to another than before, so far. */
  synchronized long changed() {
    return changed;
  }

  /** What a reader should know; empty if all went well. */
  synchronized List<String> notes() {
    List<String> notes = new ArrayList<>();
    troubles.forEach(trouble -> notes.add("clocks: " + trouble));
    if (moreTroubles > 0) {
      notes.add("clocks: and " + moreTroubles + " times more such trouble");
    }
    if (!changes.isEmpty()) {
      notes.add("clocks were changed in the measured window: " + String.join("; ", changes));
    }
    return notes;
  }

  /**
   * What clocks wait for before they are as the policy wants them; empty if they are.
   *
   * <p>A policy that lowers waits for a while first, and before that for every node's own word.
   */
  synchronized Optional<String> unsettled() {
    if (last == null) {
      return Optional.of("nothing is decided yet");
    }
    List<ClockObservation.Node> nodes = last.signals().get(ClockObservation.CLOCKS).nodes();
    if (nodes.stream().noneMatch(node -> node.view().role() == Role.MASTER)) {
      return Optional.of("no node says that it is the master");
    }
    return nodes.stream()
        .map(this::trouble)
        .flatMap(Optional::stream)
        .findFirst()
        .or(this::waiting);
  }

  private Optional<String> waiting() {
    @Nullable Decision<?> decided = last;
    return decided == null
        ? Optional.empty()
        : ((ClockState) decided.step().state())
            .nodes().entrySet().stream()
                .filter(entry -> isWaiting(entry.getValue()))
                .findFirst()
                .map(entry -> reason(decided, entry.getKey()));
  }

  private static boolean isWaiting(ClockState.NodeState node) {
    return node.easeKHz() > 0;
  }

  private Optional<String> trouble(ClockObservation.Node node) {
    NodeView view = node.view();
    if (view.role() == Role.MASTER) {
      return Optional.empty();
    }
    if (predicts && node.work().isEmpty()) {
      return Optional.of("the work of " + view.node() + " was not measured");
    }
    if (view.role() != Role.REPLICA || view.mayBeMaster()) {
      return Optional.of(view.node() + " has not said what it is");
    }
    if (!view.word().linkUp()) {
      return Optional.of("the link of " + view.node() + " to its master is down");
    }
    return isWithin(view.lagBytes(), limits.lagBytes())
            && isWithin(view.lagNanos(), limits.lagNanos())
        ? Optional.empty()
        : Optional.of(view.node() + " lags");
  }

  private static boolean isWithin(OptionalLong lag, long limit) {
    return lag.isPresent() && lag.getAsLong() <= limit;
  }
}
