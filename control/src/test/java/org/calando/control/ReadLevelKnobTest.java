package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class ReadLevelKnobTest {
  private final Table table = new Table();
  private final ReadLevelKnob knob = new ReadLevelKnob(Table.NAME, table.picker);

  @Test
  void itsOneStepSetsTheLevelOfReadsAndIsTakenBack() throws InterruptedException {
    ReadChoice before = knob.current();
    Plan plan = knob.plan(before, ReadChoice.of(1));
    assertThat(plan.steps()).hasSize(1);
    Plan.Action step = plan.steps().get(0);
    assertThat(step.describe()).isEqualTo("read shop.carts at ONE");
    assertThat(step.isDone()).isFalse();
    step.perform();
    assertThat(step.isDone()).isTrue();
    assertThat(table.picker.next()).isEqualTo(ConsistencyLevel.ONE);
    step.undo();
    assertThat(knob.current()).isEqualTo(before);
    assertThat(table.picker.next()).isEqualTo(ConsistencyLevel.ALL);
  }

  @Test
  void thereIsNothingToDoBetweenEqualSettings() {
    assertThat(knob.plan(ReadChoice.of(2), ReadChoice.of(2)).steps()).isEmpty();
  }

  @Test
  void itIsLeasedAndActsOnItsTable() {
    assertThat(knob.lifetime()).isEqualTo(Knob.Lifetime.PROCESS);
    assertThat(knob.target()).isEqualTo(Table.NAME);
    assertThat(knob.id().name()).isEqualTo("read-level");
  }

  @Test
  void aMixedChoiceIsDescribedByBothLevels() {
    Plan plan = knob.plan(ReadChoice.of(3), new ReadChoice(1, 0.25));
    assertThat(plan.steps().get(0).describe())
        .isEqualTo("read shop.carts at ONE, a share of 0.25 at QUORUM");
  }
}
