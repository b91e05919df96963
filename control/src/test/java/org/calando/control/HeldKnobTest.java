package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.calando.control.JournalEntry.Event;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldKnobTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path folder;
  private final MemoryKnob knob = new MemoryKnob();

  /** A number in memory, which journals are read before it is written. */
  private final class MemoryKnob implements Knob<Integer> {
    private final List<List<Event>> journalled = new ArrayList<>();
    private Lifetime lifetime = Lifetime.LEASED;
    private int value = 1;
    private int refused = -1;

    @Override
    public KnobId<Integer> id() {
      return new KnobId<>("number", Integer.class);
    }

    @Override
    public String target() {
      return "memory";
    }

    @Override
    public Lifetime lifetime() {
      return lifetime;
    }

    @Override
    public Integer current() {
      return value;
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      List<Plan.Action> steps = from.equals(to) ? List.of() : List.of(new Change(from, to));
      return new Plan(id().name(), target(), to.toString(), steps);
    }

    private final class Change implements Plan.Action {
      private final int from;
      private final int to;

      private Change(int from, int to) {
        this.from = from;
        this.to = to;
      }

      @Override
      public String name() {
        return "change";
      }

      @Override
      public String describe() {
        return "set " + to;
      }

      @Override
      public void perform() {
        journalled.add(Journal.openPlans(journal()).stream().map(JournalEntry::event).toList());
        value = to == refused ? value : to;
      }

      @Override
      public boolean isDone() {
        return value == to;
      }

      @Override
      public void undo() {
        value = from;
      }
    }
  }

  private Path journal() {
    return folder.resolve("number.journal");
  }

  private HeldKnob<Integer> take() {
    return HeldKnob.take(knob, String::valueOf, folder, "a test", () -> NOW);
  }

  @Test
  void eachSettingIsInTheJournalBeforeItIsSetAndTheFirstIsBackAtTheEnd() throws Exception {
    try (HeldKnob<Integer> held = take()) {
      held.set(5);
      held.set(5);
      held.set(7);
      assertThat(held.current()).isEqualTo(7);
      // Begun before it was done, beside the one that it replaces.
      assertThat(knob.journalled)
          .containsExactly(List.of(Event.BEGUN), List.of(Event.IN_FORCE, Event.BEGUN));
      List<JournalEntry> open = Journal.openPlans(journal());
      assertThat(open).hasSize(1);
      assertThat(open.get(0).value()).isEqualTo("7");
      assertThat(open.get(0).before()).isEqualTo("1");
      assertThat(open.get(0).lifetime()).isEqualTo(Knob.Lifetime.LEASED);
    }
    assertThat(knob.value).isEqualTo(1);
    assertThat(journal()).doesNotExist();
  }

  @Test
  void goingBackByOrderTakesThePlanBack() throws Exception {
    try (HeldKnob<Integer> held = take()) {
      held.set(5);
      held.set(1);
      assertThat(knob.value).isEqualTo(1);
      assertThat(Journal.openPlans(journal())).isEmpty();
      held.set(6);
      assertThat(knob.value).isEqualTo(6);
    }
    assertThat(knob.value).isEqualTo(1);
  }

  @Test
  void adryRunChangesNothing() throws Exception {
    try (HeldKnob<Integer> held = take()) {
      assertThat(held.dryRun(5)).containsExactly("set 5");
      assertThat(held.dryRun(1)).isEmpty();
      assertThat(knob.value).isEqualTo(1);
      assertThat(Journal.openPlans(journal())).isEmpty();
    }
  }

  @Test
  void whatDoesNotReadBackIsTakenBackToTheFirst() throws Exception {
    try (HeldKnob<Integer> held = take()) {
      held.set(5);
      knob.refused = 9;
      assertThatThrownBy(() -> held.set(9))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not read back");
      assertThat(knob.value).isEqualTo(1);
      held.set(6);
      assertThat(knob.value).isEqualTo(6);
    }
    assertThat(knob.value).isEqualTo(1);
    assertThat(journal()).doesNotExist();
  }

  @Test
  void asecondOwnerIsRefusedUntilTheFirstHasClosed() {
    try (HeldKnob<Integer> held = take()) {
      assertThatThrownBy(this::take)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("a test");
      assertThat(held.current()).isEqualTo(1);
    }
    take().close();
  }

  @Test
  void aninterruptDoesNotKeepItFromGoingBack() throws Exception {
    HeldKnob<Integer> held = take();
    held.set(5);
    Thread.currentThread().interrupt();
    held.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(knob.value).isEqualTo(1);
    assertThat(journal()).doesNotExist();
  }

  @Test
  void whatAnEndedProcessLeftIsGivenUp() throws Exception {
    try (Journal left = Journal.open(journal())) {
      var unused =
          new PlanExecutor(left, () -> NOW).execute(knob.plan(1, 5), "1", Knob.Lifetime.LEASED);
    }
    knob.value = 1;
    try (HeldKnob<Integer> held = take()) {
      assertThat(Journal.openPlans(journal())).isEmpty();
      assertThat(held.current()).isEqualTo(1);
    }
    assertThat(Files.exists(journal())).isFalse();
  }

  @Test
  void adurableKnobIsNotHeld() {
    knob.lifetime = Knob.Lifetime.DURABLE;
    assertThatThrownBy(this::take).isInstanceOf(IllegalArgumentException.class);
  }
}
