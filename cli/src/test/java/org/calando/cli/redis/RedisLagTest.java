package org.calando.cli.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.policy.clock.LagSpread;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.ServerCounts;
import org.calando.core.replication.ServerUse;
import org.calando.store.redis.LagProbe.NodeLag;
import org.calando.store.redis.RedisNode;
import org.junit.jupiter.api.Test;

class RedisLagTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void thePapersFiguresComeToThePapersVerdict() {
    // A write each 77.69 us; 10.98 us of it on a replica, and three times that on the master.
    RedisLagAnswer answer =
        new RedisLagAnswer(
            request("--p-states", "xeon-silver-4114"),
            List.of(
                node("n1", Role.MASTER, 12_872, 32_940), node("n2", Role.REPLICA, 12_872, 10_980)));
    JsonNode json = answer.json();
    assertThat(json.get("slowest_ghz_that_keeps_up").asDouble()).isEqualTo(1.0);
    assertThat(json.get("unknown")).isEmpty();
    assertThat(json.get("master_cpu_per_write_over_replica").asDouble()).isBetween(2.99, 3.01);
    JsonNode replica = json.get("nodes").get(1);
    assertThat(replica.get("clocks").get(6).get("headroom").asDouble()).isBetween(0.688, 0.690);
    assertThat(replica.get("lag").get("bytes").get("p50").asDouble()).isEqualTo(21_000);
    // 21 KB are 20 writes of 1050 bytes.
    assertThat(replica.get("lag").get("operations").get("p50").asDouble()).isBetween(19.9, 20.1);
    assertThat(json.get("nodes").get(0).has("lag")).isFalse();
    assertThat(answer.lines())
        .contains("Every replica would keep up with ease at 1.0 GHz.")
        .anySatisfy(line -> assertThat(line).contains("1.00", "77.7", "24.2", "keeps up"))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }

  @Test
  void whatIsNotKnownIsNotClaimed() {
    NodeLag remote = node("n2", Role.REPLICA, 1_000, -1);
    NodeLag restarted = new NodeLag(remote.node(), remote.view(), Optional.empty(), none(), none());
    RedisLagAnswer answer = new RedisLagAnswer(request(), List.of(remote, restarted));
    JsonNode json = answer.json();
    assertThat(json.get("slowest_ghz_that_keeps_up").isNull()).isTrue();
    assertThat(json.get("nodes").get(0).get("write_us").isNull()).isTrue();
    assertThat(json.get("nodes").get(0).get("clocks").get(0).get("verdict").asText())
        .isEqualTo("unknown");
    assertThat(answer.lines())
        .contains("It is not known at which clocks every replica would keep up with ease:")
        .contains("  n2: its CPU time is not known, as of a server on another machine")
        .noneMatch(line -> line.startsWith("At no clock"))
        .contains("  was started again, or its counts were reset: look again");
  }

  @Test
  void anIdleGroupIsUnknownAndNotUnableToKeepUp() {
    RedisLagAnswer answer =
        new RedisLagAnswer(
            request(RedisLagArguments.FOR, "2s"),
            List.of(node("n1", Role.MASTER, 0, 1), node("n2", Role.REPLICA, 0, 1)));
    JsonNode json = answer.json();
    assertThat(answer.isKnown()).isFalse();
    assertThat(json.get("slowest_ghz_that_keeps_up").isNull()).isTrue();
    JsonNode unknown = json.get("unknown");
    assertThat(unknown).hasSize(1);
    assertThat(unknown.get(0).get("node").asText()).isEqualTo("n2");
    assertThat(unknown.get(0).get("why").asText()).isEqualTo("no write arrived in 2s");
    assertThat(unknown.get(0).get("remedy").asText()).contains("writes", "--for");
    assertThat(json.get("nodes").get(1).get("clocks").get(0).get("headroom").isNull()).isTrue();
    assertThat(answer.lines())
        .contains("  n2: no write arrived in 2s")
        .noneMatch(line -> line.startsWith("At no clock"));
  }

  @Test
  void atNoClockIsSaidWhereAReplicaIsKnownNotToKeepUp() {
    NodeLag busy = node("n2", Role.REPLICA, 12_872, 70_000);
    RedisLagAnswer answer =
        new RedisLagAnswer(request(), List.of(busy, node("n3", Role.REPLICA, 0, 1)));
    assertThat(answer.isKnown()).isTrue();
    assertThat(answer.json().get("unknown")).isEmpty();
    assertThat(answer.lines()).contains("At no clock would every replica keep up with ease.");
  }

  @Test
  void theClockMeasuredAtIsTakenIntoAccount() {
    NodeLag slow = node("n2", Role.REPLICA, 12_872, 22_280);
    JsonNode json =
        new RedisLagAnswer(
                request("--p-states", "2.2GHz@1.1V, 1.0GHz@0.86V", "--at", "1.0 GHz"),
                List.of(slow))
            .json();
    JsonNode clocks = json.get("nodes").get(0).get("clocks");
    assertThat(clocks).hasSize(2);
    assertThat(clocks.get(1).get("processing_us").asDouble()).isBetween(22.2, 22.3);
    assertThat(clocks.get(0).get("processing_us").asDouble()).isBetween(10.1, 10.2);
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    RedisLagArguments arguments = new RedisLagArguments();
    arguments.put(RedisLagArguments.FOR, "1");
    arguments.put(RedisLagArguments.USER, "me");
    arguments.put(RedisLagArguments.STATES, "fast");
    arguments.put(RedisLagArguments.AT, "3.0 GHz");
    arguments.put(RedisLagArguments.LIMIT, "100%");
    assertThatThrownBy(() -> arguments.request(List.of("here", "there:99999")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "'here'", "'there:99999'", "--for", "--user", "'fast'", "--at", "--busy-limit");
  }

  private static RedisLagRequest request(String... options) {
    RedisLagArguments arguments = new RedisLagArguments();
    arguments.put(RedisLagArguments.STATES, "xeon-silver-4114");
    for (int i = 0; i < options.length; i += 2) {
      arguments.put(options[i], options[i + 1]);
    }
    return arguments.request(List.of("127.0.0.1:6379"));
  }

  /** A node that was looked at for a second. */
  private static NodeLag node(String name, Role role, long writes, long writeNanos) {
    NodeRole word =
        new NodeRole(name, 1, "run", role, role == Role.REPLICA ? "n1" : "", true, 0, 0, 0);
    OptionalLong lag = role == Role.REPLICA ? OptionalLong.of(21_000) : OptionalLong.empty();
    long cpu = writeNanos < 0 ? -1 : 0;
    ServerUse use =
        ServerUse.between(
            new ServerCounts(0, 0, 0, 0, 0, 0, cpu, cpu),
            new ServerCounts(
                SECOND, 1_050 * writes, writes, 0, 0, 0, cpu < 0 ? -1 : writes * writeNanos, cpu));
    return new NodeLag(
        new RedisNode(name, "127.0.0.1", 6379),
        new NodeView(word, role != Role.REPLICA, false, false, lag, lag),
        Optional.of(use),
        role == Role.REPLICA ? LagSpread.of(List.of(lag)) : none(),
        role == Role.REPLICA ? LagSpread.of(List.of(lag)) : none());
  }

  private static LagSpread none() {
    return LagSpread.of(List.of());
  }
}
