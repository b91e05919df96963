package org.calando.core.policy.clock;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;

/** Nodes as policies see them. */
final class ClockViews {
  static final long MS = 1_000_000;
  static final long SECOND = 1_000 * MS;

  /** The paper's processor. */
  static final List<Long> CLOCKS =
      List.of(2_200_000L, 2_000_000L, 1_800_000L, 1_600_000L, 1_400_000L, 1_200_000L, 1_000_000L);

  static final long HIGH = 2_200_000;
  static final long LOW = 1_000_000;

  private ClockViews() {}

  static Node master(String name, long atNanos) {
    return node(view(name, Role.MASTER, true, OptionalLong.empty(), atNanos), Optional.empty());
  }

  static Node unknown(String name, long atNanos) {
    NodeView view = view(name, Role.UNKNOWN, false, OptionalLong.empty(), atNanos);
    return node(view, Optional.empty());
  }

  static Node replica(String name, long lagBytes, long atNanos) {
    return replica(name, lagBytes, atNanos, Optional.empty());
  }

  static Node replica(String name, long lagBytes, long atNanos, Optional<Work> work) {
    return node(view(name, Role.REPLICA, true, OptionalLong.of(lagBytes), atNanos), work);
  }

  static Node cutOff(String name, long atNanos) {
    NodeView view = view(name, Role.REPLICA, false, OptionalLong.of(0), atNanos);
    return node(view, Optional.empty());
  }

  static Node promised(String name, long atNanos) {
    NodeView view = replica(name, 0, atNanos).view();
    return node(
        new NodeView(view.word(), true, true, false, view.lagBytes(), view.lagNanos()),
        Optional.empty());
  }

  static Node serving(Node replica) {
    NodeView view = replica.view();
    return node(
        new NodeView(
            view.word(),
            view.mayBeMaster(),
            view.promised(),
            true,
            view.lagBytes(),
            view.lagNanos()),
        replica.work());
  }

  static Node node(NodeView view, Optional<Work> work) {
    return new Node(view, CLOCKS, work);
  }

  /** With a lag of a nanosecond a byte. */
  static NodeView view(String name, Role role, boolean linkUp, OptionalLong lag, long atNanos) {
    NodeRole word =
        new NodeRole(name, 1, "run", role, role == Role.REPLICA ? "n1" : "", linkUp, 0, 0, atNanos);
    return new NodeView(word, role != Role.REPLICA, false, false, lag, lag);
  }

  static ClockObservation at(long atNanos, Node... nodes) {
    return new ClockObservation(atNanos, List.of(nodes));
  }

  /** The clock that a step sets for a node. */
  static long set(Step<ClockState> step, String node) {
    return (Long)
        step.settings().stream()
            .filter(setting -> setting.target().equals(node))
            .findFirst()
            .orElseThrow()
            .value();
  }
}
