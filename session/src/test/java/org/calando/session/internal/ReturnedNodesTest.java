package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.calando.session.internal.ReturnedNodes.Return;
import org.junit.jupiter.api.Test;

class ReturnedNodesTest {
  private static final long SECOND = 1_000_000_000L;

  private final ReturnedNodes<String> nodes = new ReturnedNodes<>();

  private Map<String, Return> look(long second, boolean aDown, boolean bDown, boolean allAnswer) {
    nodes.look(Map.of("a", aDown, "b", bDown), allAnswer, second * SECOND, second * 1_000_000);
    return nodes.all();
  }

  @Test
  void aNodeThatWasDownIsBackForAWhile() {
    assertThat(look(0, false, false, true)).as("was never seen to be down").isEmpty();
    assertThat(look(1, true, false, false)).isEmpty();
    assertThat(look(9, false, false, false))
        .containsExactly(Map.entry("a", new Return(9 * SECOND, 9_000_000)));
    assertThat(look(70, false, false, true)).containsOnlyKeys("a");
    assertThat(look(85, false, false, true)).isEmpty();
  }

  @Test
  void noneIsBackWhileAnotherIsDown() {
    look(1, true, true, false);
    assertThat(look(2, false, true, false)).isEmpty();
    assertThat(look(3, false, false, false)).containsOnlyKeys("a", "b");
    assertThat(look(4, true, false, false)).isEmpty();
    assertThat(look(5, false, false, false).get("a"))
        .as("the second return counts")
        .isEqualTo(new Return(5 * SECOND, 5_000_000));
  }

  @Test
  void aSilentNodeThatWasNotKnownToBeDownEndsIt() {
    look(1, true, false, false);
    assertThat(look(2, false, false, false)).as("its canaries come late").containsOnlyKeys("a");
    assertThat(look(3, false, false, true)).containsOnlyKeys("a");
    assertThat(look(4, false, false, false)).isEmpty();
    assertThat(look(5, false, false, true)).as("for good").isEmpty();
  }

  @Test
  void aNodeThatLeftIsForgotten() {
    look(1, true, false, false);
    nodes.look(Map.of("b", false), true, 2 * SECOND, 2_000_000);
    assertThat(look(3, false, false, true)).isEmpty();
  }
}
