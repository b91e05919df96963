package org.calando.knob.joint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.store.ReadRoute;
import org.calando.knob.NodeWork;

/**
 * The nodes of a real cluster as a joint controller sees them. Thread safe.
 *
 * @param work how busy they are
 * @param serves whether a node, by its name, does what clients ask
 * @param route where reads go, where there is a master
 * @param isOwed whether nodes lack writes that others keep for them
 * @param clocksKHz that can be set, the fastest first
 * @param inForce clocks by node, where these are set
 */
record JointNodes(
    NodeWork work,
    Predicate<String> serves,
    Optional<ReadRoute> route,
    BooleanSupplier isOwed,
    List<Long> clocksKHz,
    Optional<JointClocks> inForce) {
  ClockObservation look(long nowNanos) {
    Map<String, NodeView> roles =
        route.map(ReadRoute::roles).orElse(List.of()).stream()
            .collect(Collectors.toMap(NodeView::node, Function.identity()));
    Map<String, Long> clocks = inForce.map(JointClocks::inForce).orElse(Map.of());
    // Nobody counts the bytes that hints are of: until a shift is proved, they are some.
    OptionalLong owed = isOwed.getAsBoolean() ? OptionalLong.of(1) : OptionalLong.empty();
    return new ClockObservation(
        nowNanos,
        work.nodes().stream()
            .filter(node -> serves.test(node.name()))
            .map(
                node ->
                    new ClockObservation.Node(
                        view(node, Optional.ofNullable(roles.get(node.name())), owed, nowNanos),
                        clocksKHz,
                        does(node, clocks)))
            .toList());
  }

  /** By its role where there is one; until it is known which node is the master, any may be. */
  private NodeView view(
      NodeWork.Node node, Optional<NodeView> role, OptionalLong owed, long nowNanos) {
    return new NodeView(
        role.map(NodeView::word).orElseGet(() -> NodeRole.unknown(node.name(), nowNanos)),
        role.map(NodeView::mayBeMaster).orElse(route.isPresent()),
        role.map(NodeView::promised).orElse(false),
        node.isOn(),
        owed,
        role.map(NodeView::lagNanos).orElse(OptionalLong.empty()));
  }

  private Optional<ClockObservation.Work> does(NodeWork.Node node, Map<String, Long> clocks) {
    long kHz = clocks.getOrDefault(node.name(), clocksKHz.get(0));
    return node.busyShare().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ClockObservation.Work(
                node.atNanos(), kHz, node.busyShare().getAsDouble(), 0, 0, 0, 0));
  }
}
