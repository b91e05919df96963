package org.calando.governor;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Setting;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.Point;
import org.calando.study.KnobHolder;

/** What was decided of a cluster's knobs. Thread safe. */
final class KnobStates implements Consumer<Decision<?>> {
  private static final int MOST_DECISIONS = 1000;

  private final InstantSource clock;
  private final Map<String, ClusterState.Knob> knobs = new LinkedHashMap<>();
  private final Deque<Decided> decisions = new ArrayDeque<>();

  KnobStates(InstantSource clock) {
    this.clock = clock;
  }

  /** The knobs are set from now on: values that are held are in force. */
  synchronized void begin(Point control) {
    knobs.clear();
    KnobHolder.of(control).forEach(axis -> begin(axis, control));
  }

  private <V> void begin(KnobAxis<V> axis, Point control) {
    KnobChoice<V> choice = control.get(axis.axis());
    String name = axis.axis().name();
    knobs.put(
        name,
        new ClusterState.Knob(
            name,
            "",
            choice.label(),
            choice.held().map(axis::text),
            choice.held().map(held -> List.of("held by the file")).orElse(List.of()),
            clock.instant(),
            0));
  }

  /** The knobs are as before. */
  synchronized void end() {
    knobs.clear();
  }

  /** Takes a decision. */
  @Override
  public synchronized void accept(Decision<?> decision) {
    Instant now = clock.instant();
    for (Setting<?> setting : decision.step().settings()) {
      knobs.computeIfPresent(
          setting.knob().name(), (name, before) -> next(before, setting, decision, now));
    }
    if (decision.changed()) {
      decisions.addLast(
          new Decided(
              now,
              decision.controller().name(),
              decision.changes().stream().map(KnobStates::words).toList(),
              decision.step().reasons()));
      if (decisions.size() > MOST_DECISIONS) {
        decisions.removeFirst();
      }
    }
  }

  private static ClusterState.Knob next(
      ClusterState.Knob before, Setting<?> setting, Decision<?> decision, Instant now) {
    String value = String.valueOf(setting.value());
    boolean same = before.value().equals(Optional.of(value));
    return new ClusterState.Knob(
        before.knob(),
        setting.target(),
        before.choice(),
        Optional.of(value),
        decision.step().reasons(),
        same ? before.since() : now,
        before.decisions() + 1);
  }

  private static String words(Setting<?> setting) {
    return setting.knob().name() + " of " + setting.target() + ": " + setting.value();
  }

  /** What is known of each knob. */
  synchronized List<ClusterState.Knob> knobs() {
    return List.copyOf(knobs.values());
  }

  /** The last decisions that changed something, at most a thousand, the newest last. */
  synchronized List<Decided> decisions() {
    return new ArrayList<>(decisions);
  }
}
