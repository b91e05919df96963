package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;
import org.calando.schema.Types;
import org.junit.jupiter.api.Test;

class DrivenKnobsTest {
  private record Named(String name, int rank) implements DrivenKnob {
    @Override
    public Axis<?> axis() {
      return Axis.of(name, Types.integer(0, 9), String::valueOf, "A knob.", "[1]");
    }

    @Override
    public Column column() {
      return RunColumns.GEAR;
    }

    @Override
    public Optional<RunPart> begin(KnobRun run) {
      return Optional.empty();
    }
  }

  @Test
  void theirRanksAreTheirOrder() {
    Named late = new Named("a", 50);
    Named early = new Named("b", 5);
    assertThat(DrivenKnobs.checked(List.of(late, early))).containsExactly(early, late);
  }

  @Test
  void twoOfOneRankOrNameAreRefused() {
    Named one = new Named("a", 1);
    for (Named other : List.of(new Named("b", 1), new Named("a", 2))) {
      assertThatThrownBy(() -> DrivenKnobs.checked(List.of(one, other)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has the rank " + other.rank() + " or the name of another");
    }
  }
}
