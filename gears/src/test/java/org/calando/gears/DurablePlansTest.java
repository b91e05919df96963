package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.control.JournalEntry;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurablePlansTest {
  @TempDir private Path folder;

  private final List<String> events = new ArrayList<>();
  private boolean broken;
  private boolean done;

  /** A plan of one step. */
  private final class Step implements Plan.Action {
    @Override
    public String name() {
      return "only";
    }

    @Override
    public String describe() {
      return "Do it";
    }

    @Override
    public void perform() {
      if (broken) {
        throw new FailedWorkException("it broke", "the step", "mend it");
      }
      events.add("done");
      done = true;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public void undo() {
      events.add("undone");
      done = false;
    }
  }

  private final class One implements Knob<Integer> {
    private final String target;

    One(String target) {
      this.target = target;
    }

    @Override
    public KnobId<Integer> id() {
      return KnobId.GEAR;
    }

    @Override
    public String target() {
      return target;
    }

    @Override
    public Lifetime lifetime() {
      return Lifetime.DURABLE;
    }

    @Override
    public Integer current() {
      return 1;
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      return new Plan("gear", target, String.valueOf(to), List.of(new Step()));
    }
  }

  private DurablePlans of(Knob<Integer> knob) {
    return new DurablePlans(
        knob,
        folder.resolve("file"),
        "test",
        new DurablePlans.Words("the file", value -> "gear " + value, "begin one", "go on"));
  }

  private Plan same(JournalEntry last) {
    return new One("here").plan(Integer.valueOf(last.before()), Integer.valueOf(last.value()));
  }

  /** Leaves a plan open whose only step failed. */
  private void leaveOpen() {
    broken = true;
    Knob<Integer> here = new One("here");
    DurablePlans plans = of(here);
    assertThatThrownBy(
            () ->
                plans.owned(
                    journal ->
                        plans.executor(journal).execute(here.plan(1, 2), "1", here.lifetime())))
        .isInstanceOf(FailedWorkException.class);
    broken = false;
    assertThat(DurablePlans.unfinished(folder.resolve("file"))).isPresent();
  }

  @Test
  void anUnfinishedPlanIsResumedOnce() throws InterruptedException {
    leaveOpen();
    DurablePlans plans = of(new One("here"));
    plans.resume(this::same);
    assertThat(events).containsExactly("done");
    assertThatThrownBy(() -> plans.resume(this::same))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("there is no unfinished plan");
  }

  @Test
  void anUnfinishedPlanIsTakenBackOnce() throws InterruptedException {
    leaveOpen();
    done = true;
    DurablePlans plans = of(new One("here"));
    plans.undo(this::same);
    assertThat(events).containsExactly("undone");
    assertThat(DurablePlans.unfinished(folder.resolve("file"))).isEmpty();
    assertThatThrownBy(() -> plans.undo(this::same))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("there is no unfinished plan");
  }

  @Test
  void aPlanOfAnotherClusterIsLeftAlone() {
    leaveOpen();
    DurablePlans plans = of(new One("there"));
    assertThatThrownBy(() -> plans.resume(this::same))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("the unfinished plan is of here, and this is there");
    assertThatThrownBy(() -> plans.undo(this::same))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("the unfinished plan is of here, and this is there");
    assertThat(events).isEmpty();
    assertThat(DurablePlans.unfinished(folder.resolve("file"))).isPresent();
  }
}
