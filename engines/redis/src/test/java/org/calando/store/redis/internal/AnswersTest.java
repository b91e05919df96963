package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.replication.Role;
import org.calando.core.store.Outcome;
import org.junit.jupiter.api.Test;

class AnswersTest {
  @Test
  void aMasterTellsItsOffsetAndReplicas() {
    assertThat(RoleReply.of(List.of("master", 99L, List.of(List.of("h", "1", "98")))))
        .contains(new RoleReply(Role.MASTER, "", true, 99, 1));
  }

  @Test
  void aReplicaIsLinkedOnceItIsConnected() {
    assertThat(RoleReply.of(List.of("slave", "10.0.0.1", 6379L, "connected", 5L)))
        .contains(new RoleReply(Role.REPLICA, "10.0.0.1:6379", true, 5, 0));
    assertThat(RoleReply.of(List.of("slave", "10.0.0.1", 6379L, "sync", -1L)))
        .contains(new RoleReply(Role.REPLICA, "10.0.0.1:6379", false, -1, 0));
  }

  @Test
  void aSentinelHasNoRoleHere() {
    assertThat(RoleReply.of(List.of("sentinel", List.of("mymaster")))).isEmpty();
    assertThat(RoleReply.of("OK")).isEmpty();
    assertThat(RoleReply.of(List.of())).isEmpty();
  }

  @Test
  void theUpstreamIsCalledByItsName() {
    var reply = new RoleReply(Role.REPLICA, "h:1", true, 5, 0);
    assertThat(reply.of("n2", 7, "run", Map.of("h:1", "n1"), 3).upstream()).isEqualTo("n1");
    assertThat(reply.of("n2", 7, "run", Map.of(), 3).upstream()).isEqualTo("h:1");
  }

  @Test
  void theMainThreadIsToldFromOthersWhereTheServerDoes() {
    String old = "# CPU\nused_cpu_sys:0.25\nused_cpu_user:1.5\n";
    assertThat(RoleReply.mainThreadNanos(old)).isEqualTo(1_750_000_000L);
    String now = old + "used_cpu_sys_main_thread:0.000001\nused_cpu_user_main_thread:1.0\n";
    assertThat(RoleReply.mainThreadNanos(now)).isEqualTo(1_000_001_000L);
    assertThat(RoleReply.mainThreadNanos("used_cpu_user:x\nused_cpu_sys:1")).isEqualTo(-1);
    assertThat(RoleReply.mainThreadNanos("")).isEqualTo(-1);
  }

  @Test
  void readsOfUsersAreCountedAndPollsAreNot() {
    String stats =
        """
        # Commandstats\r
        cmdstat_get:calls=12,usec=30,usec_per_call=2.50,rejected_calls=0,failed_calls=0\r
        cmdstat_hgetall:calls=5,usec=30\r
        cmdstat_set:calls=100,usec=30\r
        cmdstat_role:calls=9000,usec=30\r
        cmdstat_info:calls=70,usec=30\r
        """;
    assertThat(ReadCounts.of(stats)).isEqualTo(17);
  }

  @Test
  void aSentinelNamesTheNodeItHasChosen() {
    assertThat(notice("+selected-slave", "slave 10.0.0.2:6379 10.0.0.2 6379 @ mine 10.0.0.1 6379"))
        .contains(new SentinelNotice(Optional.of("10.0.0.2:6379")));
    assertThat(notice("+switch-master", "mine 10.0.0.1 6379 10.0.0.2 6379"))
        .contains(new SentinelNotice(Optional.of("10.0.0.2:6379")));
  }

  @Test
  void otherNewsOfTheMasterIsReasonToLook() {
    assertThat(notice("+sdown", "master mine 10.0.0.1 6379"))
        .contains(new SentinelNotice(Optional.empty()));
    assertThat(notice("+slave-reconf-done", "slave 10.0.0.3:1 10.0.0.3 1 @ mine 10.0.0.1 6379"))
        .contains(new SentinelNotice(Optional.empty()));
  }

  @Test
  void otherMastersAreNotOurBusiness() {
    assertThat(notice("+switch-master", "theirs 10.0.0.1 6379 10.0.0.2 6379")).isEmpty();
    assertThat(notice("+sdown", "master theirs 10.0.0.1 6379")).isEmpty();
    assertThat(notice("+selected-slave", "slave 10.0.0.2:1 10.0.0.2 1 @ theirs 10.0.0.1 6379"))
        .isEmpty();
    assertThat(SentinelNotice.of(List.of("psubscribe", "*", 1L), "mine")).isEmpty();
  }

  @Test
  void anErrorOfTheServerHasNoEffect() {
    assertThat(Outcomes.ofError("READONLY You can't write")).isEqualTo(Outcome.REFUSED);
    assertThat(Outcomes.ofError("LOADING Redis is loading")).isEqualTo(Outcome.REFUSED);
    assertThat(Outcomes.ofError("WRONGTYPE Operation")).isEqualTo(Outcome.FAILED);
    assertThat(Outcomes.ofError("OOM")).isEqualTo(Outcome.FAILED);
  }

  private static Optional<SentinelNotice> notice(String channel, String payload) {
    return SentinelNotice.of(List.of("pmessage", "*", channel, payload), "mine");
  }
}
