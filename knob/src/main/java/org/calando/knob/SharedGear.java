package org.calando.knob;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.NodeGears;
import org.calando.report.column.RunRecord;

/*
 *   look()  returns what the last look has found, and hands the next one to a thread, as asking nodes takes seconds;
 *           between shifts what shifts has nodes be as shifts left them, and what is amiss counts as a node that failed
 *
 * The gear is the one that a shift goes to from its order on, as in the simulator. A plan that is open while nobody
 * carries it out counts as a node that failed: what decides is then safe, and wants all nodes on.
 */
/**
 * The gear of a run's cluster while something else decides on it among other knobs. Shifts that
 * fail are noted, and do not end the run: their plan is taken up again. Thread safe.
 */
public final class SharedGear extends GearPilot implements RunShifts {
  private final AtomicBoolean asking = new AtomicBoolean();
  private final Set<String> notes = Collections.synchronizedSet(new LinkedHashSet<>());
  private volatile Optional<GearObservation> seen = Optional.empty();
  private volatile int goal; // 0 while no shift is under way
  private volatile boolean over;
  private final AtomicBoolean tending = new AtomicBoolean();
  private volatile boolean isAmiss;

  /** Begins to look. */
  public SharedGear(Flight flight) {
    super(flight);
    var unused = look();
  }

  @Override
  public Optional<GearObservation> look() {
    if (!over && !asking.getAndSet(true)) {
      asker().execute(this::ask);
      if (goal == 0 && !tending.getAndSet(true)) {
        shifter().execute(this::tend);
      }
    }
    return seen.map(
        last ->
            new GearObservation(
                last.atNanos(),
                last.localSeconds(),
                last.target(),
                goalOrGear(),
                last.failedNodes(),
                last.load()));
  }

  private void ask() {
    try {
      boolean isUnderWay = goal > 0;
      NodeGears.Sight sight = look(false, isUnderWay);
      boolean isUnsure = !isUnderWay && goal == 0 && (isAmiss || unfinished().isPresent());
      seen =
          Optional.of(
              new GearObservation(
                  scheduler().clock().nanos(),
                  flight().localSeconds().getAsLong(),
                  flight().gears().target(),
                  goalOrGear(),
                  isUnsure ? Math.max(1, sight.failed()) : sight.failed(),
                  sight.load()));
    } catch (RuntimeException e) {
      // What was seen before grows old, and the gear is then not known.
      notes.add("the gear could not be looked at: " + first(e));
    } finally {
      asking.set(false);
    }
  }

  private void tend() {
    try {
      List<String> amiss = over ? List.of() : tended();
      notes.addAll(amiss);
      isAmiss = !amiss.isEmpty();
    } catch (RuntimeException e) {
      notes.add("nodes could not be kept as shifts left them: " + first(e));
      isAmiss = true;
    } finally {
      tending.set(false);
    }
  }

  private int goalOrGear() {
    int shiftingTo = goal;
    return Math.max(1, shiftingTo > 0 ? shiftingTo : gear());
  }

  @Override
  public boolean isShifting() {
    return goal > 0 || unfinished().isPresent();
  }

  @Override
  protected void move(int to) throws InterruptedException {
    if (over) {
      throw new FailedWorkException(
          "the run's window has ended", flight().gears().target(), "nothing to do");
    }
    goal = to;
    try {
      super.move(to);
    } finally {
      goal = 0;
    }
  }

  /** {@inheritDoc} Towards all nodes on: what was to go comes back. */
  @Override
  protected void settle() throws InterruptedException {
    goal = highest();
    try {
      super.settle();
    } finally {
      goal = 0;
    }
  }

  @Override
  protected void failed(String why) {
    notes.add(why + "; its plan was taken up again");
  }

  /** {@inheritDoc} What is under way goes to its end, and nothing is begun any more. */
  @Override
  public void end() throws InterruptedException {
    over = true;
    try {
      var unused = shifter().submit(() -> {}).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void record(RunRecord found) {
    super.record(found);
    List<String> told;
    synchronized (notes) {
      told = new ArrayList<>(notes);
    }
    found.note(told);
  }

  @Override
  public void close() {
    over = true;
    super.close();
  }
}
