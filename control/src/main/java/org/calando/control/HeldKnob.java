package org.calando.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/*
 * Each setting is a plan from how the knob was at first, so that whatever plan is open takes it back
 * to that. A new one is in force before the old one is given up: a journal that a killed process
 * left tells what was set at last, and at no moment nothing.
 *
 * The journal's channel is closed by an interrupt of whoever writes to it. Going back must not fail
 * for that, so a pending interrupt is kept until it is done.
 */
/**
 * A leased knob of this process, set again and again by one owner, and as it was at first when this
 * is closed: each setting goes through the executor, with the journal before the step. What the
 * knob acts on must end with the process, so that nobody has to restore it after a kill. Thread
 * safe.
 *
 * @param <V> what the knob can be set to
 */
public final class HeldKnob<V> implements AutoCloseable {
  private final Knob<V> knob;
  private final V first;
  private final Function<V, String> words;
  private final Path file;
  private final KnobOwner owner;
  private final Journal journal;
  private final PlanExecutor executor;
  private @Nullable Plan plan;
  private @Nullable JournalEntry last;
  private boolean closed;

  private HeldKnob(
      Knob<V> knob,
      Function<V, String> words,
      Path file,
      KnobOwner owner,
      Journal journal,
      Supplier<Instant> wallClock) {
    this.knob = knob;
    this.first = knob.current();
    this.words = words;
    this.file = file;
    this.owner = owner;
    this.journal = journal;
    this.executor = new PlanExecutor(journal, wallClock);
    // What an ended process left open ended with it.
    journal.open().forEach(executor::giveUp);
  }

  /**
   * Takes a knob, and leaves it as it is.
   *
   * @param words a setting in the words of the knob's plans
   * @param folder where owner and journal are noted; made if it is not there. The journal is
   *     removed when this is closed and nothing in it is open
   * @param name who takes it, for whom it is refused
   * @param wallClock for the journal's times, which people read
   * @throws org.calando.core.BadRequestException naming the owner, if it has one
   * @throws FailedWorkException if that cannot be noted
   */
  public static <V> HeldKnob<V> take(
      Knob<V> knob,
      Function<V, String> words,
      Path folder,
      String name,
      Supplier<Instant> wallClock) {
    if (knob.lifetime() != Knob.Lifetime.LEASED) {
      throw new IllegalArgumentException("knob " + knob.id().name() + " is not leased");
    }
    KnobOwner owner = KnobOwner.take(folder, knob, name);
    @Nullable Journal journal = null;
    boolean taken = false;
    try {
      Path file = folder.resolve(knob.id().name() + ".journal");
      journal = Journal.open(file);
      HeldKnob<V> held = new HeldKnob<>(knob, words, file, owner, journal, wallClock);
      taken = true;
      return held;
    } finally {
      if (!taken) {
        if (journal != null) {
          journal.close();
        }
        owner.close();
      }
    }
  }

  /** How it is set now. */
  public V current() {
    return knob.current();
  }

  /** What setting it would do, a line a step; changes nothing. */
  public List<String> dryRun(V to) {
    return PlanExecutor.dryRun(knob.plan(knob.current(), to));
  }

  /**
   * Sets it and reads it back; does nothing once closed.
   *
   * @throws org.calando.core.BadRequestException if it cannot be set so
   * @throws FailedWorkException if it could not be set; it is as it was at first then
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public synchronized void set(V to) throws InterruptedException {
    if (closed || knob.current().equals(to)) {
      return;
    }
    if (to.equals(first)) {
      goBack();
      return;
    }
    Plan next = knob.plan(first, to);
    @Nullable JournalEntry old = last;
    JournalEntry set = executor.execute(next, words.apply(first), knob.lifetime());
    plan = next;
    last = set;
    if (old != null) {
      executor.giveUp(old);
    }
  }

  private void goBack() throws InterruptedException {
    Plan open = plan;
    JournalEntry entry = last;
    if (open != null && entry != null) {
      executor.takeBack(open, entry);
      plan = null;
      last = null;
    }
  }

  /**
   * Sets it as it was at first, and gives it back. Idempotent.
   *
   * @throws FailedWorkException if that could not be noted, or done
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = Thread.interrupted();
    try {
      goBackWhatever();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      release();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A journal that cannot be written keeps nothing from going back. */
  private void goBackWhatever() throws InterruptedException {
    Plan open = plan;
    try {
      goBack();
    } catch (FailedWorkException e) {
      if (open != null) {
        for (Plan.Action step : open.steps()) {
          step.undo();
        }
      }
      throw e;
    }
  }

  private void release() {
    boolean clean = journal.open().isEmpty();
    journal.close();
    owner.close();
    if (clean) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new FailedWorkException(
            "cannot be removed: " + e.getMessage(), file.toString(), "remove it by hand", e);
      }
    }
  }
}
