package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryKeeperTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  @TempDir Path folder;

  private static ClusterFigures.Node node(String name, double joules, double unknownSeconds) {
    return new ClusterFigures.Node(
        name,
        OptionalDouble.of(10),
        OptionalDouble.of(joules),
        unknownSeconds,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        NodePlace.NOWHERE);
  }

  /** Without it the joules of the others would pass for those of all. */
  @Test
  void aSampleSaysForHowLongNodesWereWithoutJoules() {
    ClusterState state =
        new ClusterState(
            "shop",
            "cassandra",
            new ClusterState.Part(true, NOON, Optional.empty(), 0),
            Optional.empty(),
            List.of(),
            new ClusterFigures(
                Optional.empty(),
                "",
                60,
                0,
                1500,
                0,
                OptionalDouble.empty(),
                List.of(node("n1", 600, 2.5), node("n2", 900, 30)),
                Optional.empty()),
            Optional.empty(),
            Optional.empty(),
            new ClusterState.Orders(Optional.empty(), 0, Map.of(), List.of()));
    try (HistoryKeeper keeper =
        new HistoryKeeper(() -> List.of(state), folder::resolve, () -> NOON, line -> {})) {
      keeper.take();
      assertThat(keeper.of("shop").recent())
          .singleElement()
          .matches(sample -> sample.joules().orElseThrow() == 1500)
          .matches(sample -> sample.unknownSeconds() == 32.5);
    }
  }
}
