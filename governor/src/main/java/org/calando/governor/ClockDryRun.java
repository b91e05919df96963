package org.calando.governor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.calando.agent.LeasedNodes;
import org.calando.clock.ClockOutcome;
import org.calando.clock.LeasedClocks;
import org.calando.clock.Machine;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.ProcessCpu;
import org.calando.concerto.ManagerListener;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.knob.ManagedClocks;
import org.calando.study.ClockBounds;
import org.calando.study.ManagedNodes;

/**
 * What a dry run of a governor of clocks found. Immutable and thread safe.
 *
 * @param nodes what is known of the nodes at its end
 * @param refused why clocks cannot be set; empty if they can
 */
record ClockDryRun(List<NodeView> nodes, Optional<BadRequestException> refused) {
  /**
   * Beyond what a policy waits for, until a dry run reports what it found: a busy machine is slow
   * to connect to every node. It ends as soon as all is known.
   */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

  private static final String OFFLOAD_NOT_SHOWN =
      "I/O threads would be moved to the processors of clocks.read-offload";

  /** Copies the list. */
  public ClockDryRun {
    nodes = List.copyOf(nodes);
  }

  /**
   * Reports what would be done, and does nothing of it: watches roles until the policy has come to
   * what it wants of them, or for as long as it may wait. Agents are asked what they could set.
   *
   * @param listener hears what would be done
   * @param told takes lines: what stands in the way, and each write that would be done, in order
   * @throws BadRequestException if Sentinels know other nodes, or no clock can be read
   */
  static ClockDryRun of(Governor.Managed spec, ManagerListener listener, Consumer<String> told) {
    Optional<BadRequestException> refused = Optional.empty();
    Optional<NodeClocks> ofAgents = Optional.empty();
    try {
      ClockBounds bounds = ClockBounds.require(spec.clocks(), Optional.of(spec.inventory()));
      told.accept("clocks: " + bounds.words());
      ofAgents = bounds.ofAgents(told);
    } catch (BadRequestException e) {
      refused = Optional.of(e);
    }
    return of(spec, ofAgents, refused, listener, told);
  }

  private static ClockDryRun of(
      Governor.Managed spec,
      Optional<NodeClocks> ofAgents,
      Optional<BadRequestException> refused,
      ManagerListener listener,
      Consumer<String> told) {
    ManagedClocks clocks = spec.clocks();
    spec.servers().requireKnown();
    ManagedNodes managed = ManagedNodes.of(clocks, spec.servers());
    NodeClocks nodes;
    try {
      nodes =
          ofAgents.orElseGet(
              () -> LeasedClocks.dryRun(Machine.at(clocks.tree()), managed.leased(), told));
    } catch (BadRequestException e) {
      throw refused.orElse(e);
    }
    refused.ifPresent(why -> told.accept("it would be refused: " + why.getMessage()));
    managed.offload().ifPresent(each -> told.accept(OFFLOAD_NOT_SHOWN));
    // Nothing is moved in a dry run, and where I/O threads are is of no matter to clocks.
    ManagedNodes unplaced = new ManagedNodes(clocks, Optional.empty());
    Governor.conflicts(nodes).forEach(told);
    Settling settling = new Settling(listener);
    LeasedNodes none =
        new LeasedNodes(
            nodes, Optional.empty(), new ProcessCpu(Path.of("/proc")), List::of, () -> {});
    try (Governor governor =
        Governor.start(spec, unplaced, none, config -> config.withListener(settling))) {
      settling.await(
          clocks.limits().lowerAfterNanos()
              + 2 * clocks.times().decideNanos()
              + clocks.times().silenceNanos()
              + PATIENCE_NANOS);
      return new ClockDryRun(governor.roles(), refused);
    }
  }

  /**
   * Reports each node's role, and fails as the governor itself would.
   *
   * @param told takes lines
   * @throws BadRequestException if clocks cannot be set
   * @throws FailedWorkException if no node answers
   */
  void report(Consumer<String> told) {
    nodes.forEach(
        view ->
            told.accept("now: " + view.node() + " " + view.role().name().toLowerCase(Locale.ROOT)));
    if (refused.isPresent()) {
      throw refused.get();
    }
    if (nodes.stream().allMatch(view -> view.role() == Role.UNKNOWN)) {
      throw new FailedWorkException(
          "no node answers",
          nodes.stream().map(NodeView::node).collect(Collectors.joining(", ")),
          "start them, or correct their addresses and password");
    }
  }

  /** Hears when every node has said what it is, and the policy waits for nothing more. */
  private static final class Settling implements ManagerListener {
    private final ManagerListener next;
    private final CountDownLatch settled = new CountDownLatch(1);

    Settling(ManagerListener next) {
      this.next = next;
    }

    @Override
    public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
      next.decided(decided, outcomes);
      boolean known =
          decided.signals().get(ClockObservation.CLOCKS).nodes().stream()
              .noneMatch(node -> node.view().role() == Role.UNKNOWN);
      ClockState state = (ClockState) decided.step().state();
      boolean waiting = state.nodes().values().stream().anyMatch(node -> node.easeKHz() > 0);
      if (known && !waiting) {
        settled.countDown();
      }
    }

    @Override
    public void trouble(String what) {
      next.trouble(what);
    }

    void await(long nanos) {
      try {
        boolean inTime = settled.await(nanos, TimeUnit.NANOSECONDS);
        if (!inTime) {
          next.trouble("not every node has reported its role, or the policy still waits");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
