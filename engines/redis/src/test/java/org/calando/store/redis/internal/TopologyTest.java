package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleWatch;
import org.calando.store.redis.RedisNode;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private static final List<RedisNode> NODES =
      List.of(
          new RedisNode("n1", "h", 1), new RedisNode("n2", "h", 2), new RedisNode("n3", "h", 3));

  private final RoleWatch watch = new RoleWatch(List.of("n1", "n2", "n3"), 0, 1);

  @Test
  void beforeTheFirstAnswerThereIsNobody() {
    assertThat(topology(Optional.empty())).isEqualTo(new Topology(-1, List.of(), 0, 3));
  }

  @Test
  void replicasWithoutALinkAreLeftOut() {
    say("n1", Role.REPLICA, false);
    say("n2", Role.MASTER, true);
    say("n3", Role.REPLICA, true);
    assertThat(topology(Optional.of("n2"))).isEqualTo(new Topology(1, List.of(2), 1, 3));
    assertThat(topology(Optional.of("n2")).all()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void ofTwoMastersTheNewerOneIsMeant() {
    say("n1", Role.MASTER, true);
    say("n2", Role.MASTER, true);
    assertThat(topology(Optional.of("n1")).master()).isZero();
    assertThat(topology(Optional.of("n2")).master()).isEqualTo(1);
  }

  @Test
  void onlyTheMastersOwnReplicasCanBeWaitedFor() {
    say("n1", Role.MASTER, true);
    watch.said(new NodeRole("n2", 0, "", Role.REPLICA, "n1", true, 0, 0, 1));
    watch.said(new NodeRole("n3", 0, "", Role.REPLICA, "n2", true, 0, 0, 1));
    assertThat(topology(Optional.of("n1"))).isEqualTo(new Topology(0, List.of(1, 2), 1, 3));
  }

  @Test
  void aGroupCountsWhoFollowsItThoughItIsNotLinkedYet() {
    say("n1", Role.REPLICA, false);
    say("n2", Role.MASTER, true);
    say("n3", Role.REPLICA, true);
    assertThat(Topology.of(NODES, watch.view(), 1)).isEqualTo(new Topology(1, List.of(2), 1, 3));
  }

  @Test
  void groupsThatAreNotEqualAreRefusedByName() {
    Topology alone = new Topology(0, List.of(), 0, 1);
    Topology two = new Topology(1, List.of(2), 1, 2);
    assertThat(LiveNodes.equalSize(List.of(two, two), NODES)).isEqualTo(2);
    assertThatThrownBy(() -> LiveNodes.equalSize(List.of(alone, two), NODES))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("n1 has [], n2 has [n3]");
  }

  private Topology topology(Optional<String> newest) {
    return Topology.of(NODES, watch.view(), newest);
  }

  private void say(String node, Role role, boolean linked) {
    watch.said(new NodeRole(node, 0, "", role, "n2", linked, 0, 0, 1));
  }
}
