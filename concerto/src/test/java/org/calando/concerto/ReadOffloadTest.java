package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.calando.clock.thread.CpuSet;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.BadRequestException;
import org.calando.store.redis.ServerBuild;
import org.junit.jupiter.api.Test;

class ReadOffloadTest {
  private static final ServerBuild REDIS_8 = new ServerBuild("redis", "8.0.2", 3, 17);
  private static final CpuSet FAST = CpuSet.of(4);
  private static final Map<String, CpuSet> NODES = Map.of("n1", CpuSet.of(0), "n2", CpuSet.of(1));

  @Test
  void redis8WithIoThreadsAndProcessorsToSpareIsNotRefused() {
    assertThat(ReadOffload.refusals(REDIS_8, 5)).isEmpty();
    assertThat(ReadOffload.refusals(new ServerBuild("redis", "10.1.0", 2, 17), 4)).isEmpty();
  }

  @Test
  void serversWhoseIoThreadsSpinAreRefused() {
    for (ServerBuild server :
        List.of(
            new ServerBuild("redis", "7.0.15", 3, 17),
            new ServerBuild("redis", "", 3, 17),
            new ServerBuild("valkey", "8.0.1", 3, 17))) {
      assertThat(ReadOffload.refusals(server, 64))
          .singleElement()
          .asString()
          .contains(server.describe(), "spin");
    }
  }

  @Test
  void aServerWithoutIoThreadsIsRefused() {
    assertThat(ReadOffload.refusals(new ServerBuild("redis", "8.0.2", 1, 17), 64))
        .singleElement()
        .asString()
        .contains("io-threads is 1");
    assertThat(ReadOffload.refusals(new ServerBuild("redis", "8.0.2", 0, 17), 64))
        .singleElement()
        .asString()
        .contains("does not tell");
  }

  @Test
  void tooFewProcessorsAreRefused() {
    assertThat(ReadOffload.refusals(REDIS_8, 4))
        .singleElement()
        .asString()
        .contains("4 processors", "needs 5");
  }

  @Test
  void aServerElsewhereIsRefused() {
    assertThat(ReadOffload.refusals(new ServerBuild("redis", "8.0.2", 3, 0), 64))
        .singleElement()
        .asString()
        .contains("this machine");
  }

  @Test
  void allReasonsAreToldAtOnce() {
    Map<String, ServerBuild> servers = Map.of("n1", new ServerBuild("redis", "7.0.15", 1, 0));
    assertThatThrownBy(() -> ReadOffload.of(CpuSet.of(0), NODES, servers, 2))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("processors 0 are those of n1 too")
        .hasMessageContaining("n1: I/O threads of Redis 7.0.15 spin")
        .hasMessageContaining("n1: io-threads is 1")
        .hasMessageContaining("n1: it does not run on this machine")
        .hasMessageContaining("n2: what it runs is not known");
    assertThatThrownBy(() -> ReadOffload.of(CpuSet.parse(""), NODES, servers, 2))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no processor is named");
  }

  @Test
  void ioThreadsGoToTheFastProcessorsInEitherRoleAndTheOthersStay() {
    ReadOffload offload = ReadOffload.of(FAST, NODES, Map.of("n1", REDIS_8, "n2", REDIS_8), 8);
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
