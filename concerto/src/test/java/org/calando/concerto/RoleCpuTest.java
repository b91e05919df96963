package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class RoleCpuTest {
  private static final long SECOND = 1_000_000_000L;

  private final Map<Long, Long> nanos = new HashMap<>();
  private final RoleCpu cpu =
      new RoleCpu((node, pid) -> OptionalLong.of(nanos.getOrDefault(pid, 0L)), 0);

  @Test
  void timeBeforeTheFirstReadingIsNotCounted() {
    use(1, 30);
    cpu.read(List.of(view("n1", 1, Role.MASTER)), SECOND);
    assertThat(cpu.used().master()).isZero();
    use(1, 2);
    cpu.read(List.of(view("n1", 1, Role.MASTER)), 2 * SECOND);
    assertThat(cpu.used().master()).isEqualTo(2);
    assertThat(cpu.totalNanos("n1")).isEqualTo(2 * SECOND);
  }

  @Test
  void aReplicaStandsForTheMeanOfAllThatThereWere() {
    List<NodeView> both =
        List.of(
            view("n1", 1, Role.MASTER), view("n2", 2, Role.REPLICA), view("n3", 3, Role.REPLICA));
    cpu.read(both, 0);
    RoleCpu.Used began = cpu.used();
    use(1, 9);
    use(2, 3);
    use(3, 5);
    cpu.read(both, 10 * SECOND);
    // For the other half of the time one of them says nothing.
    List<NodeView> one = List.of(both.get(0), both.get(1), view("n3", 3, Role.UNKNOWN));
    use(2, 4);
    cpu.read(one, 20 * SECOND);
    RoleCpu.Used used = cpu.used().since(began);
    assertThat(used.master()).isEqualTo(9);
    assertThat(used.replica()).isEqualTo(12);
    assertThat(used.replicaMean(20)).isCloseTo(12 / 1.5, within(1e-9));
  }

  @Test
  void whoBecomesTheMasterIsCountedAsOneFromThen() {
    cpu.read(List.of(view("n1", 1, Role.MASTER), view("n2", 2, Role.REPLICA)), 0);
    use(2, 1);
    cpu.read(List.of(view("n2", 2, Role.REPLICA)), SECOND);
    use(2, 4);
    cpu.read(List.of(view("n2", 2, Role.MASTER)), 2 * SECOND);
    assertThat(cpu.used().replica()).isEqualTo(1);
    assertThat(cpu.used().master()).isEqualTo(4);
  }

  @Test
  void allThatANewProcessUsedIsNewAndOneThatEndedTakesNothingBack() {
    use(1, 50);
    cpu.read(List.of(view("n1", 1, Role.MASTER)), 0);
    use(1, 2);
    cpu.read(List.of(view("n1", 1, Role.MASTER)), SECOND);
    use(7, 3);
    cpu.read(List.of(view("n1", 7, Role.REPLICA)), 2 * SECOND);
    nanos.remove(7L);
    cpu.read(List.of(view("n1", 7, Role.REPLICA)), 3 * SECOND);
    cpu.read(List.of(view("n1", 0, Role.UNKNOWN)), 4 * SECOND);
    assertThat(cpu.used().master()).isEqualTo(2);
    assertThat(cpu.used().replica()).isEqualTo(3);
    assertThat(cpu.totalNanos("n1")).isEqualTo(5 * SECOND);
  }

  @Test
  void withoutReplicasThereIsNoMean() {
    cpu.read(List.of(view("n1", 1, Role.MASTER)), SECOND);
    assertThat(cpu.used().replicaMean(1)).isNaN();
  }

  private void use(long pid, long seconds) {
    nanos.merge(pid, seconds * SECOND, Long::sum);
  }

  static NodeView view(String node, long pid, Role role) {
    return view(node, pid, role, OptionalLong.empty());
  }

  static NodeView view(String node, long pid, Role role, OptionalLong lag) {
    NodeRole word = new NodeRole(node, pid, "a", role, "", true, 0, 0, 0);
    return new NodeView(word, role != Role.REPLICA, false, false, lag, lag);
  }
}
