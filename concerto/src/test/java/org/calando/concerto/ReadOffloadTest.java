package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.junit.jupiter.api.Test;

class ReadOffloadTest {
  private static final CpuSet FAST = CpuSet.of(4);
  private static final Map<String, CpuSet> NODES = Map.of("n1", CpuSet.of(0), "n2", CpuSet.of(1));

  @Test
  void allReasonsAreToldAtOnce() {
    Map<String, List<String>> refusals =
        Map.of("n1", List.of("its threads spin", "it is elsewhere"));
    assertThatThrownBy(() -> ReadOffload.of(CpuSet.of(0), NODES, refusals))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("processors 0 are those of n1 too")
        .hasMessageContaining("n1: its threads spin")
        .hasMessageContaining("n1: it is elsewhere")
        .hasMessageContaining("n2: its server is not known");
    assertThatThrownBy(() -> ReadOffload.of(CpuSet.parse(""), NODES, refusals))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no processor is named");
  }

  @Test
  void ioThreadsGoToTheFastProcessorsInEitherRoleAndTheOthersStay() {
    ReadOffload offload = ReadOffload.of(FAST, NODES, Map.of("n1", List.of(), "n2", List.of()));
    List<ThreadRule> rules =
        List.of(new ThreadRule("io_thd_*", FAST), new ThreadRule("*", CpuSet.of(1)));
    for (ManagedNode node :
        List.of(ManagedNode.pinned("n2", CpuSet.of(1)), ManagedNode.of("n2", CpuSet.of(1)))) {
      ManagedNode offloading = offload.apply(node);
      assertThat(offloading.asReplica()).isEqualTo(rules);
      assertThat(offloading.asMaster()).isEqualTo(rules);
      assertThat(offloading.cpus()).isEqualTo(CpuSet.of(1));
      assertThat(offloading.fastCpus()).contains(FAST);
    }
    assertThat(offload.leased(NODES))
        .containsEntry(ReadOffload.CLOCK, FAST)
        .containsAllEntriesOf(NODES);
  }
}
