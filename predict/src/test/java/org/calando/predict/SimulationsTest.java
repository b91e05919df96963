package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class SimulationsTest {
  private static final long GIB = 1L << 30;

  @Test
  void tenMillionRecordsInThreeReplicasHaveRoomInAGibibyteOneSimulationAtATime() {
    Scenario scenario = records(10_000_000);
    assertThatCode(() -> Simulations.requireRoom(scenario, GIB)).doesNotThrowAnyException();
    assertThat(Simulations.atOnce(Simulations.bytes(scenario), GIB)).isEqualTo(1);
    assertThat(Simulations.atOnce(Simulations.bytes(records(50)), GIB)).isGreaterThan(16);
  }

  @Test
  void whatHasNoRoomIsRefusedWithHowMuchHas() {
    assertThatThrownBy(() -> Simulations.requireRoom(records(10_000_000), GIB / 2))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("10000000 records in 3 replicas take 397 MiB")
        .hasMessageContaining("simulate at most ");
  }

  @Test
  void figuresAreInTheOrderOfTheirNumbersHoweverFewRunAtOnce() {
    for (long bytes : new long[] {1, Runtime.getRuntime().maxMemory()}) {
      Figures[] figures =
          Simulations.run(
              7, bytes, i -> new Figures(i, 1, 1, 1, 1, 1, 0, List.of(), Figures.Tails.UNKNOWN));
      assertThat(figures)
          .extracting(Figures::throughput)
          .containsExactly(0., 1., 2., 3., 4., 5., 6.);
    }
  }

  private static Scenario records(long records) {
    return new Scenario(
        Samples.cluster(),
        Samples.workload(0.5).toBuilder().records(records).build(),
        ConsistencyLevel.ONE,
        ConsistencyLevel.ONE,
        OptionalInt.of(4),
        Double.NaN);
  }
}
