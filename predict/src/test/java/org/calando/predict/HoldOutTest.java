package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class HoldOutTest {
  private static final Figures FIGURES =
      new Figures(100, 1, 1, 1, 1, 10, 0, List.of(0.1), Figures.Tails.UNKNOWN);
  private static final List<Configuration> ALL =
      Configuration.of(Samples.corners().stream().map(s -> Samples.run(s, 1, FIGURES)).toList());

  @Test
  void aPatternHoldsOutWhatItMatches() {
    List<Configuration> out = HoldOut.parse("workload=reads-8*").of(ALL, 1);
    assertThat(out).hasSize(ALL.size() / 2).allMatch(c -> c.scenario().readShare() == 0.8);
    assertThat(HoldOut.parse("consistency=ALL,QUORUM").of(ALL, 1))
        .isNotEmpty()
        .allMatch(c -> c.scenario().read() == ConsistencyLevel.ALL);
    assertThat(HoldOut.parse("load=100/s").of(ALL, 1)).hasSize(2);
  }

  @Test
  void aShareHoldsOutSoManyAndTheSeedSaysWhich() {
    HoldOut quarter = HoldOut.parse("25%");
    assertThat(quarter.of(ALL, 1)).hasSize(3).isEqualTo(quarter.of(ALL, 1));
    assertThat(List.of(1L, 2L, 3L, 4L))
        .extracting(seed -> quarter.of(ALL, seed))
        .doesNotHaveDuplicates();
  }

  @Test
  void noneAndEachTakeNothingFromTheFit() {
    assertThat(HoldOut.parse("none").of(ALL, 1)).isEmpty();
    assertThat(HoldOut.parse("each").of(ALL, 1)).isEmpty();
    assertThat(HoldOut.parse("each").isEach()).isTrue();
  }

  @Test
  void whatSaysNothingIsRefused() {
    for (String text : List.of("", "half", "0%", "level=ONE", "=x")) {
      assertThatThrownBy(() -> HoldOut.parse(text))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("--hold-out");
    }
    assertThatThrownBy(() -> HoldOut.parse("workload=nobody").of(ALL, 1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no run matches")
        .hasMessageContaining("workload=reads-80");
  }
}
