package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class ClockDryRunTest {
  private static NodeView view(String name, Role role) {
    return new NodeView(
        new NodeRole(name, 1, "", role, "", true, 0, 0, 0),
        false,
        false,
        false,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  @Test
  void aDryRunFailsAsTheGovernorWould() {
    NodeView down = view("n1", Role.UNKNOWN);
    NodeView up = view("n2", Role.MASTER);
    assertThatCode(() -> dryRun(List.of(down, up), Optional.empty())).doesNotThrowAnyException();
    assertThatThrownBy(() -> dryRun(List.of(down), Optional.empty()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("no node answers")
        .hasMessageContaining("n1");
    BadRequestException refusal = new BadRequestException("clocks cannot be set", "x", "y");
    assertThatThrownBy(() -> dryRun(List.of(down, up), Optional.of(refusal))).isSameAs(refusal);
  }

  private static void dryRun(List<NodeView> nodes, Optional<BadRequestException> refused) {
    new ClockDryRun(nodes, refused).report(line -> {});
  }
}
