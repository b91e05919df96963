package org.calando.control;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.calando.control.JournalEntry.Event;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.policy.Plan.Action;

/**
 * Carries out plans: each step is in the journal before it is begun, and read back after it. A plan
 * that fails is taken back, the newest step first, or left as it is; one that a dead process left
 * is finished or taken back by the next. Not thread safe.
 *
 * <p>A failure names one remedy: that of the step, and how to go on after it. A step's remedy that
 * names {@code --resume} or {@code --undo} says so itself.
 */
final class PlanExecutor {
  /** What becomes of the steps before one that fails. */
  enum OnFailure {
    /** They are taken back, the newest first. */
    TAKE_BACK,
    /**
     * They stay, and the plan is open: for steps that take long, and that are safe to stay between.
     */
    LEAVE
  }

  private final Journal journal;
  private final Supplier<Instant> wallClock;
  private final OnFailure onFailure;

  /**
   * An executor.
   *
   * @param journal where steps are noted before they are begun
   * @param wallClock for the journal's times, which people read
   * @param onFailure what becomes of a plan that fails
   */
  PlanExecutor(Journal journal, Supplier<Instant> wallClock, OnFailure onFailure) {
    this.journal = journal;
    this.wallClock = wallClock;
    this.onFailure = onFailure;
  }

  /** What a plan would do, a line a step; a step that is done already says so. Changes nothing. */
  static List<String> dryRun(Plan plan) {
    return plan.steps().stream()
        .map(step -> step.describe() + (step.isDone() ? " (done already)" : ""))
        .toList();
  }

  /**
   * Carries out a plan.
   *
   * @param plan what to do
   * @param before how the knob is set now, in the words of {@link Plan#value}
   * @param lifetime the knob's
   * @return the plan's last entry, in force
   * @throws FailedWorkException if a step failed; what was done is taken back, or the message tells
   *     what could not be, or that it stays
   * @throws InterruptedException if the waiting thread is interrupted; the plan is left as it is,
   *     for {@link #finish} or {@link #takeBack}
   */
  JournalEntry execute(Plan plan, String before, Knob.Lifetime lifetime)
      throws InterruptedException {
    return replace(Set.of(), plan, before, lifetime);
  }

  /**
   * As {@link #execute}, in place of a plan that is in force.
   *
   * @param begun names of the steps that this has begun: they are performed also where they read
   *     back as done, as they have to be taken back
   */
  JournalEntry replace(Set<String> begun, Plan plan, String before, Knob.Lifetime lifetime)
      throws InterruptedException {
    JournalEntry planned =
        JournalEntry.planned(wallClock.get(), journal.nextPlan(), plan, before, lifetime);
    journal.append(planned);
    return perform(plan, planned, begun);
  }

  /**
   * Resumes a plan that a process left, from its journal: steps that read back as done are not done
   * again.
   *
   * @param plan the plan as its knob makes it from the entry's setting before to its value
   * @param last the plan's last entry, of {@link Journal#open()}
   * @return the plan's last entry now, in force
   * @throws FailedWorkException if a step failed, or was begun that the plan does not have
   */
  JournalEntry finish(Plan plan, JournalEntry last) throws InterruptedException {
    requireSame(plan, last);
    requireBegun(plan, last);
    return perform(plan, last, Set.of());
  }

  /**
   * Takes back what was begun of a plan, the newest step first.
   *
   * @param plan the plan as its knob makes it from the entry's setting before to its value
   * @param last the plan's last entry, of {@link Journal#open()}
   * @return the plan's last entry now, taken back
   * @throws FailedWorkException naming the steps that could not be taken back, or that the plan
   *     does not have; the others are, but for {@link OnFailure#LEAVE}, which stops at the first
   */
  JournalEntry takeBack(Plan plan, JournalEntry last) throws InterruptedException {
    requireSame(plan, last);
    if (onFailure == OnFailure.LEAVE) {
      requireBegun(plan, last);
    }
    List<String> begun = journal.begun(last.plan());
    List<String> failed = new ArrayList<>();
    String remedy = "";
    for (int i = plan.steps().size() - 1; i >= 0; i--) {
      Action step = plan.steps().get(i);
      if (begun.contains(step.name())) {
        try {
          step.undo();
          append(last, Event.UNDONE, step.name(), "");
        } catch (RuntimeException thrown) {
          CalandoException e = known(thrown);
          noteFailure(last, step, "taking it back: " + e.getMessage());
          failed.add(step.describe() + ": " + e.problem());
          remedy = remedy.isEmpty() ? e.remedy() : remedy;
          if (onFailure == OnFailure.LEAVE) {
            break;
          }
        }
      }
    }
    if (!failed.isEmpty()) {
      throw new FailedWorkException(
          "could not be reverted: " + String.join("; ", failed),
          "knob " + plan.knob() + " of " + plan.target(),
          onward(remedy, onFailure == OnFailure.LEAVE ? "--undo" : "take it back again"));
    }
    requireBegun(plan, last);
    return append(last, Event.TAKEN_BACK, "", "");
  }

  /**
   * Ends a plan where it is, for whoever has gone on by hand: nothing is done or taken back.
   *
   * @param last the plan's last entry, of {@link Journal#open()}
   * @return the plan's last entry now, given up
   */
  JournalEntry giveUp(JournalEntry last) {
    return append(last, Event.GIVEN_UP, "", "");
  }

  /**
   * Performs steps of a plan in force again that do not read back as done any more.
   *
   * @param last the plan's last entry
   * @return what was found and done, in words, a line a step
   */
  List<String> repeat(Plan plan, JournalEntry last) throws InterruptedException {
    List<String> begun = journal.begun(last.plan());
    List<String> found = new ArrayList<>();
    for (Action step : plan.steps()) {
      try {
        if (!step.isDone()) {
          if (!begun.contains(step.name())) {
            // It read back as done when the plan was carried out.
            append(last, Event.BEGUN, step.name(), "");
          }
          step.perform();
          requireDone(step);
          found.add(step.describe() + ": was changed by others, and is done again");
        }
      } catch (CalandoException e) {
        found.add(step.describe() + ": cannot be verified: " + e.problem());
      }
    }
    return found;
  }

  private JournalEntry perform(Plan plan, JournalEntry entry, Set<String> again)
      throws InterruptedException {
    for (Action step : plan.steps()) {
      try {
        if (again.contains(step.name()) || !step.isDone()) {
          append(entry, Event.BEGUN, step.name(), "");
          step.perform();
          requireDone(step);
          append(entry, Event.DONE, step.name(), "");
        }
      } catch (RuntimeException e) {
        throw failed(plan, entry, step, known(e));
      }
    }
    return append(entry, Event.IN_FORCE, "", "");
  }

  /** A step with a defect fails as any other does: what it began is taken back. */
  private static CalandoException known(RuntimeException thrown) {
    return thrown instanceof CalandoException known
        ? known
        : new FailedWorkException(thrown.toString(), "", "report it, as it is a defect", thrown);
  }

  private static void requireDone(Action step) {
    if (!step.isDone()) {
      throw new FailedWorkException(
          "does not read back as done", step.describe(), "see the log of what it acts on");
    }
  }

  private FailedWorkException failed(
      Plan plan, JournalEntry entry, Action step, CalandoException why)
      throws InterruptedException {
    noteFailure(entry, step, String.valueOf(why.getMessage()));
    String left = "the steps before it stay";
    String onward = onward(why.remedy(), "--resume");
    if (onFailure == OnFailure.TAKE_BACK) {
      left = "the steps before it are reverted";
      onward = onward(why.remedy(), "repeat the command");
      try {
        takeBack(plan, entry);
      } catch (FailedWorkException e) {
        left = e.problem();
        onward = e.remedy();
      }
    }
    return new FailedWorkException(
        step.describe() + ": " + why.problem() + "; " + left,
        "knob " + plan.knob() + " of " + plan.target(),
        onward,
        why);
  }

  /** That it cannot be noted, as on a full disk, is no reason to leave a step as it is. */
  private void noteFailure(JournalEntry entry, Action step, String why) {
    try {
      append(entry, Event.FAILED, step.name(), why);
    } catch (FailedWorkException e) {
      // The step is begun in the journal all the same: whoever comes takes it back.
    }
  }

  /** The remedy of a step, and how to go on then. */
  private static String onward(String remedy, String then) {
    if (remedy.contains("--resume") || remedy.contains("--undo")) {
      return remedy;
    }
    String words = then.startsWith("--") ? "continue with " + then : then;
    return (remedy.isEmpty() ? "fix the cause" : remedy) + "; then " + words;
  }

  private JournalEntry append(JournalEntry entry, Event event, String step, String detail) {
    JournalEntry next = entry.then(wallClock.get(), event, step, detail);
    journal.append(next);
    return next;
  }

  /** What was begun can only be ended by the step that began it. */
  private void requireBegun(Plan plan, JournalEntry entry) {
    Set<String> missing = new LinkedHashSet<>(journal.begun(entry.plan()));
    plan.steps().forEach(step -> missing.remove(step.name()));
    if (!missing.isEmpty()) {
      throw new FailedWorkException(
          "has begun steps that its plan no longer has, as its inputs were changed: "
              + String.join(", ", missing),
          "knob " + plan.knob() + " of " + plan.target(),
          "change that back, or put these in order by hand and forget the plan by --abandon");
    }
  }

  private static void requireSame(Plan plan, JournalEntry entry) {
    if (!plan.knob().equals(entry.knob())
        || !plan.target().equals(entry.target())
        || !plan.value().equals(entry.value())) {
      throw new IllegalArgumentException("plan " + plan + " is not that of " + entry);
    }
  }
}
