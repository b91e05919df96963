package org.calando.clock;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.calando.clock.thread.ThreadCpus;
import org.calando.clock.thread.ThreadsKnob;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.knob.KnobTypes;

/**
 * The plans of knobs that are leased, made again of the words in a journal or a note. Immutable and
 * thread safe.
 *
 * @param machine whose knobs they are
 * @param force whether to restore also what somebody else has changed since
 */
record LeasedKnobs(Machine machine, boolean force) {
  /**
   * A plan as it was made.
   *
   * @param last the clock that was last written
   * @throws IllegalArgumentException if no knob has these words
   */
  Plan plan(String name, String target, String before, String value, LastClock last) {
    if (name.equals(PolicyKnob.ID.name())) {
      Knob<PolicySettings> knob = new PolicyKnob(machine.files(), Path.of(target), last, force);
      return knob.plan(PolicySettings.parse(before), PolicySettings.parse(value));
    }
    if (name.equals(ThreadsKnob.ID.name())) {
      Knob<ThreadCpus> knob = ThreadsKnob.of(machine, target, force);
      return knob.plan(ThreadCpus.parse(before), ThreadCpus.parse(value));
    }
    return KnobTypes.find(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no knob " + name))
        .plan(target, before, value);
  }

  /**
   * Restores a knob of which only its owner's note tells.
   *
   * @throws FailedWorkException if something is not restored
   */
  void undo(OwnerNote note) {
    Plan plan = plan(note.knob(), note.target(), note.before(), note.value(), LastClock.UNKNOWN);
    List<Plan.Action> backwards = new ArrayList<>(plan.steps());
    Collections.reverse(backwards);
    try {
      for (Plan.Action step : backwards) {
        step.undo();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", note.target(), "./calando restore", e);
    }
  }

  /**
   * Whether an upper limit is still the clock that was last written: what looks like a cap is ours.
   */
  boolean isAsLeft(OwnerNote note, Optional<LastWritten.Clock> last) {
    if (last.isEmpty() || !note.knob().equals(PolicyKnob.ID.name())) {
      return false;
    }
    long now = settings(note).maxKHz();
    return now != PolicySettings.parse(note.before()).maxKHz()
        && (now == last.get().intendedKHz() || now == last.get().readKHz());
  }

  /** Whether a clock is so; of threads, some of which may have ended, that cannot be told. */
  boolean isAsBefore(OwnerNote note) {
    return !note.knob().equals(PolicyKnob.ID.name())
        || settings(note).isUnderACap(PolicySettings.parse(note.before()));
  }

  private PolicySettings settings(OwnerNote note) {
    return new PolicyKnob(machine.files(), Path.of(note.target()), LastClock.UNKNOWN, false)
        .current();
  }
}
