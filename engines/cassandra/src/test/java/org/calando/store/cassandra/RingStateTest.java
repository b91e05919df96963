package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.Placement;
import org.junit.jupiter.api.Test;

class RingStateTest {
  private static final Map<String, String> TWICE =
      Map.of("class", "SimpleStrategy", "replication_factor", "2");

  @Test
  void dataIsCountedOnceAKeyByTheReplicasOfItsKeyspace() {
    RingState state =
        state(
            List.of(node("n1", "dc1", 1), node("n2", "dc1", 2), node("n3", "dc1", 3)),
            Map.of("shop", TWICE));
    state.requireMovable();
    // 10 bytes a node, two replicas of each key.
    assertThat(state.parts()).hasSize(1);
    assertThat(state.parts().get(0).bytes()).isEqualTo(15);
    assertThat(state.parts().get(0).placement()).isEqualTo(Placement.simple(3, 2));
  }

  @Test
  void racksCountWhereTheStrategyLooksAtThem() {
    RingKeyspace keyspace =
        new RingKeyspace("shop", Map.of("class", "NetworkTopologyStrategy", "dc1", "2"));
    List<RingNode> nodes =
        IntStream.range(0, 4)
            .mapToObj(i -> node("n" + i, "dc1", "r" + i / 2, BigInteger.valueOf(i)))
            .toList();
    Placement placement = keyspace.placement(nodes).orElseThrow();
    assertThat(placement).isInstanceOf(Placement.Racks.class);
    assertThat(
            new RingKeyspace("far", Map.of("class", "NetworkTopologyStrategy", "dc2", "2"))
                .placement(nodes))
        .isEmpty();
  }

  @Test
  void cassandrasOwnKeyspacesMayHaveMoreReplicasThanThereAreNodesOthersNot() {
    List<RingNode> nodes = List.of(node("n1", "dc1", 1));
    assertThat(new RingKeyspace("system_traces", TWICE).placement(nodes))
        .contains(Placement.simple(1, 1));
    assertRefused(
        state(nodes, Map.of("shop", TWICE)), "keyspace shop: 2 replicas, and the cluster has 1");
  }

  @Test
  void whatCannotBeMovedIsRefusedWithTheReason() {
    assertRefused(
        state(List.of(node("n1", "dc1", 1, 2, 3)), Map.of()),
        "node n1: it has 3 tokens, and Cassandra moves only nodes with one (num_tokens: 1)");
    assertRefused(
        state(List.of(node("n1", "dc1", 1), node("n2", "dc2", 2)), Map.of()),
        "cluster test: it has the data centres dc1, dc2");
    List<RingNode> many =
        IntStream.rangeClosed(1, 201).mapToObj(i -> node("n" + i, "dc1", i)).toList();
    assertRefused(state(many, Map.of()), "201 nodes are too many");
    List<RingNode> one = List.of(node("n1", "dc1", 1));
    assertRefused(
        state(one, Map.of("shop", Map.of("class", "OfTheirOwn"))), "replicated by OfTheirOwn");
    assertRefused(
        state(one, Map.of("shop", Map.of("class", "NetworkTopologyStrategy", "dc1", "3/1"))),
        "its replicas cannot be computed: {class=NetworkTopologyStrategy, dc1=3/1}");
  }

  @Test
  void clustersOfOneNameAreToldApartByTheirNodes() {
    RingState one = state(List.of(node("n1", "dc1", 1)), Map.of());
    RingState same = state(List.of(node("n1", "dc1", 77)), Map.of());
    RingState other = state(List.of(node("n2", "dc1", 1)), Map.of());
    assertThat(one.target()).startsWith("test-").isEqualTo(same.target());
    assertThat(one.target()).isNotEqualTo(other.target());
  }

  private static void assertRefused(RingState state, String message) {
    assertThatThrownBy(state::requireMovable)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("remedy");
  }

  private static RingState state(List<RingNode> nodes, Map<String, Map<String, String>> keyspaces) {
    return new RingState(
        "test",
        Partitioner.MURMUR3,
        nodes,
        keyspaces.entrySet().stream()
            .map(entry -> new RingKeyspace(entry.getKey(), entry.getValue()))
            .toList(),
        true);
  }

  private static RingNode node(String name, String dataCentre, int... tokens) {
    return node(
        name,
        dataCentre,
        "r1",
        IntStream.of(tokens).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new));
  }

  private static RingNode node(String name, String dataCentre, String rack, BigInteger... tokens) {
    return new RingNode(
        name,
        "id-of-" + name,
        InetSocketAddress.createUnresolved("127.0.0.1", 9042),
        dataCentre,
        rack,
        List.of(tokens),
        Map.of("shop", 10L),
        Optional.empty());
  }
}
