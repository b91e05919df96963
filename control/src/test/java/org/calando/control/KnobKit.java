package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.control.JournalEntry.Event;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/*
 * A kill is an error that no executor knows, before or after a step is done or taken back; what the process had in memory
 * is gone with it: the next one has the journal's file, and a knob of its own.
 */
/**
 * What each knob keeps to: wherever its plan is cut off, the next process resumes it or takes it
 * back, and both end right; its plan is the same each time that it is made; a dry run changes
 * nothing.
 *
 * @param <V> what the knob is set to
 */
public final class KnobKit<V> {
  /** What a knob acts on, as new. */
  public interface World<V> {
    /** A knob as a new process makes it, which remembers nothing. */
    Knob<V> knob();

    /** All that the knob sets, to be compared. */
    Object state();
  }

  /** Ends a process, as far as an executor can see. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Lets steps be done and taken back, half by half, until none are left. */
  private static final class Halves {
    private final AtomicInteger left;

    Halves(int halves) {
      left = new AtomicInteger(halves);
    }

    void use() {
      if (left.getAndDecrement() <= 0) {
        throw new Killed();
      }
    }
  }

  private record Mortal(Plan.Action step, Halves life) implements Plan.Action {
    @Override
    public String name() {
      return step.name();
    }

    @Override
    public String describe() {
      return step.describe();
    }

    @Override
    public void perform() throws InterruptedException {
      life.use();
      step.perform();
      life.use();
    }

    @Override
    public boolean isDone() {
      return step.isDone();
    }

    @Override
    public void undo() throws InterruptedException {
      life.use();
      step.undo();
      life.use();
    }
  }

  private static final int FOR_EVER = Integer.MAX_VALUE;

  private final Path folder;
  private final Supplier<World<V>> worlds;
  private final Function<Knob<V>, V> target;
  private final String name = "kit-" + UUID.randomUUID();
  private int journals;

  /**
   * A kit.
   *
   * @param folder for journals
   * @param worlds makes what the knob acts on anew, each time alike
   * @param target what to set it to, as it is at first
   */
  public KnobKit(Path folder, Supplier<World<V>> worlds, Function<Knob<V>, V> target) {
    this.folder = folder;
    this.worlds = worlds;
    this.target = target;
  }

  /** One life of a knob: its world, where it was and is to be, and its journal. */
  private final class Life {
    private final World<V> world = worlds.get();
    private final Path journal = folder.resolve(name + "-" + journals++ + ".journal");
    private final Object before = world.state();
    private final Knob<V> first = world.knob();
    private final V from = first.current();
    private final V to = target.apply(first);

    Plan plan(Knob<V> knob, int halves) {
      Plan plan = knob.plan(from, to);
      Halves life = new Halves(halves);
      List<Plan.Action> steps =
          plan.steps().stream().<Plan.Action>map(step -> new Mortal(step, life)).toList();
      return new Plan(plan.knob(), plan.target(), plan.value(), steps);
    }

    /** Whether it is done before the process is killed. */
    boolean begin(int halves) throws InterruptedException {
      try (Journal opened = Journal.open(journal)) {
        JournalEntry last =
            executor(opened).execute(plan(first, halves), "before", first.lifetime());
        return last.event() == Event.IN_FORCE;
      } catch (Killed killed) {
        return false;
      }
    }

    /** Whether the next process ends the plan before it is killed too. */
    boolean end(boolean forward, int halves) throws InterruptedException {
      Knob<V> next = world.knob();
      try (Journal opened = Journal.open(journal)) {
        JournalEntry last = opened.open().get(0);
        if (forward) {
          executor(opened).finish(plan(next, halves), last);
        } else {
          executor(opened).takeBack(plan(next, halves), last);
          assertThat(opened.open()).isEmpty();
        }
        return true;
      } catch (Killed killed) {
        return false;
      }
    }

    private PlanExecutor executor(Journal opened) {
      return new PlanExecutor(
          opened,
          () -> Instant.EPOCH,
          first.lifetime() == Knob.Lifetime.DURABLE
              ? PlanExecutor.OnFailure.LEAVE
              : PlanExecutor.OnFailure.TAKE_BACK);
    }
  }

  /**
   * Checks all.
   *
   * @return in how many places the plan was cut off
   */
  public int check() throws InterruptedException {
    Object after = checkWhole();
    int places = 0;
    for (boolean whole = false; !whole; places++) {
      Life resumed = new Life();
      whole = resumed.begin(places);
      if (whole) {
        break;
      }
      assertThat(resumed.end(true, FOR_EVER)).isTrue();
      assertThat(resumed.world.state()).as("resumed, cut off at %s", places).isEqualTo(after);

      Life undone = new Life();
      assertThat(undone.begin(places)).isFalse();
      assertThat(undone.end(false, FOR_EVER)).isTrue();
      assertThat(undone.world.state()).as("undone, cut off at %s", places).isEqualTo(undone.before);
      checkCutOffAgain(places, after);
    }
    return places;
  }

  /** The way back is cut off too, and then goes either way. */
  private void checkCutOffAgain(int places, Object after) throws InterruptedException {
    boolean whole = false;
    for (int again = 0; !whole; again++) {
      for (boolean forward : List.of(true, false)) {
        Life life = new Life();
        assertThat(life.begin(places)).isFalse();
        whole = life.end(false, again);
        if (!whole) {
          assertThat(life.end(forward, FOR_EVER)).isTrue();
          assertThat(life.world.state())
              .as("cut off at %s, and back at %s, then forward: %s", places, again, forward)
              .isEqualTo(forward ? after : life.before);
        }
      }
    }
  }

  /** The state once the plan is carried out. */
  private Object checkWhole() throws InterruptedException {
    Life life = new Life();
    Plan plan = life.first.plan(life.from, life.to);
    assertThat(plan.steps()).isNotEmpty();
    List<String> lines = PlanExecutor.dryRun(plan);
    assertThat(PlanExecutor.dryRun(life.world.knob().plan(life.from, life.to))).isEqualTo(lines);
    assertThat(life.world.state()).as("a dry run changes nothing").isEqualTo(life.before);
    assertThat(life.begin(FOR_EVER)).isTrue();
    assertThat(names(life.world.knob().plan(life.from, life.to))).isEqualTo(names(plan));
    Object after = life.world.state();
    assertThat(after).isNotEqualTo(life.before);
    if (life.first.lifetime() != Knob.Lifetime.DURABLE) {
      assertThat(life.end(false, FOR_EVER)).isTrue();
      assertThat(life.world.state()).isEqualTo(life.before);
    }
    return after;
  }

  private static List<String> names(Plan plan) {
    return plan.steps().stream().map(Plan.Action::name).toList();
  }
}
