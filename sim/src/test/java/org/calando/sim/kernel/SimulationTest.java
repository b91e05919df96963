package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private final Simulation simulation = new Simulation();
  private final List<String> happened = new ArrayList<>();

  @Test
  void eventsHappenInOrderAtTheirTimesToTheirComponents() {
    int first = simulation.register((kind, payload) -> note("first", kind, payload));
    int second = simulation.register((kind, payload) -> note("second", kind, payload));
    simulation.schedule(30, first, 1, -7);
    simulation.schedule(10, second, 65535, Integer.MAX_VALUE);
    simulation.schedule(10, first, 0, 3);

    simulation.runUntil(20);
    assertThat(happened).containsExactly("10 second 65535 2147483647", "10 first 0 3");
    assertThat(simulation.nowNanos()).isEqualTo(20);

    assertThat(simulation.step()).isTrue();
    assertThat(happened).hasSize(3).last().isEqualTo("30 first 1 -7");
    assertThat(simulation.step()).isFalse();
    assertThat(simulation.events()).isEqualTo(3);
  }

  @Test
  void thePastCannotBeChanged() {
    simulation.runUntil(100);
    assertThatThrownBy(() -> simulation.schedule(99, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void runningEndsWithTheConditionOrWithTheEvents() {
    int handler = simulation.register((kind, payload) -> note("it", kind, payload));
    simulation.schedule(1, handler, 0, 0);
    simulation.schedule(2, handler, 0, 0);
    assertThat(simulation.runWhile(() -> happened.isEmpty())).isTrue();
    assertThat(simulation.nowNanos()).isEqualTo(1);
    assertThat(simulation.runWhile(() -> true)).isFalse();
    assertThat(happened).hasSize(2);
  }

  @Test
  void tasksRunAtTheirTimeAndLateOnesNow() {
    SimScheduler scheduler = new SimScheduler(simulation);
    scheduler.at(
        50,
        () -> {
          happened.add("at " + scheduler.clock().nanos());
          scheduler.at(10, () -> happened.add("late at " + scheduler.clock().nanos()));
        });
    for (int i = 0; i < 200; i++) {
      int number = i;
      scheduler.at(60, () -> happened.add("task " + number));
    }
    simulation.runWhile(() -> true);
    assertThat(happened).hasSize(202).startsWith("at 50", "late at 50", "task 0", "task 1");
    assertThat(happened).last().isEqualTo("task 199");
  }

  private void note(String who, int kind, int payload) {
    happened.add(simulation.nowNanos() + " " + who + " " + kind + " " + payload);
  }
}
