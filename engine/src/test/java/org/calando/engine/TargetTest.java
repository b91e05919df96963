package org.calando.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.Profiles;
import org.calando.engine.Target.Node;
import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void aNodeKeepsItsCompanionsWhereOnlyItsOwnProcessIsKnown() {
    Node listed =
        new Node(
            "n1",
            "10.0.0.1",
            "",
            Profiles.byName(Profiles.DEFAULT).orElseThrow(),
            List.of(),
            Optional.empty(),
            OptionalLong.of(1),
            Optional.empty(),
            List.of(2L));
    assertThat(node(listed, Map.of("n1", List.of(11L))).pid()).hasValue(11);
    assertThat(node(listed, Map.of("n1", List.of(11L))).companions()).containsExactly(2L);
    assertThat(node(listed, Map.of("n1", List.of(11L, 12L))).companions()).containsExactly(12L);
    assertThat(node(listed, Map.of())).isEqualTo(listed);
  }

  private static Node node(Node listed, Map<String, List<Long>> processes) {
    return Node.with(List.of(listed), processes).get(0);
  }
}
