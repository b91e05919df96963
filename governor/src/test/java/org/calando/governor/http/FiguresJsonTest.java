package org.calando.governor.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.core.energy.EnergyPricing;
import org.calando.governor.ClusterFigures;
import org.calando.governor.NodePlace;
import org.junit.jupiter.api.Test;

class FiguresJsonTest {
  private static ObjectNode figures(double accounted, OptionalDouble joules) {
    return FiguresJson.node(
        new ClusterFigures(
            Optional.empty(),
            "not observed yet",
            accounted,
            60,
            0,
            0,
            OptionalDouble.empty(),
            List.of(
                new ClusterFigures.Node(
                    "n1",
                    OptionalDouble.empty(),
                    joules,
                    60,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    new NodePlace(
                        Optional.empty(),
                        Optional.empty(),
                        NodePlace.Presence.UNKNOWN,
                        Optional.empty()))),
            Optional.empty()),
        EnergyPricing.NONE);
  }

  @Test
  void sumsOfNoTimeAreNullAndThoseOfSomeMayBeZero() {
    ObjectNode unknown = figures(0, OptionalDouble.empty());
    assertThat(unknown.path("joules").isNull()).isTrue();
    assertThat(unknown.path("requests").isNull()).isTrue();
    assertThat(unknown.at("/nodes/0/joules").isNull()).isTrue();
    ObjectNode idle = figures(10, OptionalDouble.of(7));
    assertThat(idle.path("requests").asLong(-1)).isZero();
    assertThat(idle.at("/nodes/0/joules").asDouble()).isEqualTo(7);
  }
}
