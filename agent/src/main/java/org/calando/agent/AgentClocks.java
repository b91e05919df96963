package org.calando.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.agent.AgentWire.NodeState;
import org.calando.agent.AgentWire.NodeWish;
import org.calando.agent.AgentWire.Rule;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.clock.Frequencies;
import org.calando.clock.NodeClocks;
import org.calando.clock.PolicyOutcome;
import org.calando.clock.thread.NodeCpu;
import org.calando.clock.thread.NodeThreads;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;

/*
 *   set --> a request to each agent, at once --> waits 100 ms at most, and not for one that was silent before
 *   each 2 s --> the same request: renews, looks, and reports
 *
 * So an agent that hangs delays no other node's clock.
 */
/**
 * Clocks and threads of nodes on machines that have agents, on lease as long as this is open and
 * each agent hears of it. Thread safe.
 */
public final class AgentClocks implements NodeClocks, NodeThreads, NodeCpu, AutoCloseable {
  private static final long MOST_WAIT_MILLIS = 100;

  private final Map<String, AgentLink> byNode = new LinkedHashMap<>();
  private final HeldAgents held;

  private AgentClocks(HeldAgents held, List<AgentNode> nodes) {
    this.held = held;
    for (AgentNode node : nodes) {
      AgentLink link = held.link(node.agent());
      link.add(node.name(), node.cpus());
      byNode.put(node.name(), link);
    }
  }

  /**
   * Takes the clocks of nodes' processors; all run at the highest then, until they are told
   * otherwise. A lease whose holder has just died is waited for, unless that was this governor: it
   * takes its own over.
   *
   * @param lease the cluster, by which its governors meet
   * @param holder who has it, for others who are refused
   * @param nodes not empty, of different names
   * @param folder where this governor keeps by what agents know it again
   * @throws BadRequestException if another has them, or processors have no clock
   * @throws FailedWorkException if an agent does not answer, or a clock cannot be taken
   */
  public static AgentClocks take(String lease, String holder, List<AgentNode> nodes, Path folder) {
    HeldAgents held = new HeldAgents(lease, "the clocks", GovernorName.of(folder.resolve(lease)));
    boolean taken = false;
    try {
      AgentClocks clocks = new AgentClocks(held, nodes);
      held.begin(holder);
      taken = true;
      return clocks;
    } finally {
      if (!taken) {
        held.abandon();
      }
    }
  }

  @Override
  public Set<String> nodes() {
    return Set.copyOf(byNode.keySet());
  }

  @Override
  public List<Set<String>> conflicts() {
    return held.links().stream()
        .flatMap(link -> link.conflicts().stream())
        .<Set<String>>map(Set::copyOf)
        .toList();
  }

  @Override
  public Frequencies frequencies(String node) {
    return link(node)
        .state(node)
        .map(state -> Frequencies.of(state.clocks()))
        .orElseThrow(() -> new IllegalStateException("nothing is known of " + node));
  }

  private AgentLink link(String node) {
    AgentLink link = byNode.get(node);
    if (link == null) {
      throw new BadRequestException(
          "has no processors of its own", "node " + node, "name those of: " + byNode.keySet());
    }
    return link;
  }

  @Override
  public ClockOutcome set(String node, long kiloHertz) {
    return set(Map.of(node, kiloHertz)).get(0);
  }

  @Override
  public List<ClockOutcome> set(Map<String, Long> kiloHertz) {
    Set<AgentLink> touched = new LinkedHashSet<>();
    kiloHertz.forEach(
        (node, clock) -> {
          if (clock <= 0) {
            throw new IllegalArgumentException("a clock of " + clock + " kHz");
          }
          AgentLink link = link(node);
          boolean changed =
              link.want(node, wish -> new NodeWish(wish.cpus(), clock, wish.pid(), wish.threads()));
          if (changed || !link.isUpToDate()) {
            touched.add(link);
          }
        });
    awaitShortly(touched);
    List<ClockOutcome> outcomes = new ArrayList<>();
    kiloHertz.forEach((node, clock) -> outcomes.add(outcome(node, clock)));
    return outcomes;
  }

  private static void awaitShortly(Set<AgentLink> touched) {
    List<CompletableFuture<Void>> awaited = new ArrayList<>();
    for (AgentLink link : touched) {
      boolean answered = link.answers();
      CompletableFuture<Void> answer = link.push();
      if (answered) {
        awaited.add(answer);
      }
    }
    try {
      CompletableFuture.allOf(awaited.toArray(CompletableFuture<?>[]::new))
          .get(MOST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // What was not answered is told by each outcome, and comes with the next renewal.
    }
  }

  private ClockOutcome outcome(String node, long kiloHertz) {
    AgentLink link = link(node);
    Optional<NodeState> state = link.state(node);
    if (!link.isUpToDate() || state.isEmpty()) {
      String why = link.trouble().orElse("agent " + link.address() + " has not answered in time");
      return new ClockOutcome(
          node,
          kiloHertz,
          List.of(
              new PolicyOutcome(
                  node, kiloHertz, kiloHertz(node), PolicyOutcome.Result.REFUSED, why)),
          Set.of());
    }
    return new ClockOutcome(
        node, kiloHertz, state.get().policies(), Set.copyOf(state.get().heldBy()));
  }

  /** {@inheritDoc} The agents look; this gives what they have found. */
  @Override
  public List<Drift> verify() {
    List<Drift> drifts = new ArrayList<>();
    for (AgentLink link : held.links()) {
      for (AgentWire.Drift one : link.drain()) {
        drifts.add(
            new Drift(
                one.what() + " at " + link.address(),
                one.from(),
                one.to(),
                one.then(),
                Optional.ofNullable(one.outcome())));
      }
    }
    return drifts;
  }

  @Override
  public long kiloHertz(String node) {
    return link(node).current(node).map(NodeState::kiloHertz).orElse(0L);
  }

  /**
   * {@inheritDoc} The agent is told with the next request, and what it cannot place is a problem.
   */
  @Override
  public void pin(String node, int pid, List<ThreadRule> rules) {
    List<Rule> wire =
        rules.stream().map(rule -> new Rule(rule.name(), rule.cpus().toString())).toList();
    AgentLink link = link(node);
    if (link.want(node, wish -> new NodeWish(wish.cpus(), wish.kiloHertz(), pid, wire))) {
      var unused = link.push();
    }
  }

  /** {@inheritDoc} Those come with the clocks' drifts: see {@link #verify}. */
  @Override
  public List<Drift> refresh() {
    return List.of();
  }

  @Override
  public OptionalLong nanos(String node, long pid) {
    return figure(node, pid).map(NodeState::cpuNanos).filter(nanos -> nanos >= 0).stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  /** {@inheritDoc} Of I/O threads only, or of all with an empty name. */
  @Override
  public OptionalLong nanos(String node, long pid, String namePrefix) {
    if (namePrefix.isEmpty()) {
      return nanos(node, pid);
    }
    return figure(node, pid).map(NodeState::ioNanos).filter(nanos -> nanos >= 0).stream()
        .mapToLong(Long::longValue)
        .findFirst();
  }

  /** What the agent reported last of a process; it is asked to with the next request. */
  private Optional<NodeState> figure(String node, long pid) {
    AgentLink link = link(node);
    if (pid <= 0) {
      return Optional.empty();
    }
    boolean unused =
        link.want(node, wish -> new NodeWish(wish.cpus(), wish.kiloHertz(), pid, wish.threads()));
    return link.current(node).filter(state -> state.pid() == pid);
  }

  /** Whether threads can be moved on all machines. */
  public boolean movesThreads() {
    return held.links().stream().allMatch(AgentLink::movesThreads);
  }

  /** Which agents do not answer, or refuse, one sentence each; empty if all answer. */
  public List<String> problems() {
    return held.links().stream().map(AgentLink::trouble).flatMap(Optional::stream).toList();
  }

  /**
   * {@inheritDoc} All is as before.
   *
   * @throws FailedWorkException naming the agents that do not say so
   */
  @Override
  public void close() {
    held.close();
  }
}
