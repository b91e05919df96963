package org.calando.agent.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseAnswer;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.AgentWire.NodeState;
import org.calando.agent.AgentWire.NodeWish;
import org.calando.clock.ClockOutcome;
import org.calando.clock.CpufreqTree;
import org.calando.clock.Drift;
import org.calando.clock.LeasedClocks;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.thread.ProcessCpu;
import org.calando.clock.thread.ThreadPinning;
import org.calando.clock.thread.ThreadRule;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Processors of this machine on lease, and what is wanted of them. Used by one thread at a time.
 */
final class LeasedProcessors implements AutoCloseable {
  private static final long VERIFY_NANOS = 900_000_000;
  private static final String IO_THREADS = "io_thd_";

  /** Of one request: more than a machine has, and each is a list of processors in memory. */
  private static final int MOST_NODES = 256;

  private static final int MOST_RULES = 1024;

  private final Map<String, CpuSet> cpus;
  private final Machine machine;
  private final ProcessCpu processes;
  private final LongSupplier nanos;
  private final MachineLease lease;
  private final LeasedClocks clocks;
  private final ThreadPinning threads;
  private final Map<String, Integer> pinned = new HashMap<>();
  private long verifiedNanos;

  /**
   * Takes them.
   *
   * @param cpus those of each node
   * @param lease begun, and of nothing yet; closed with this, also if this cannot be made
   * @param left is called if it cannot be made, and what it had set stays
   * @throws BadRequestException if processors have no clock, or another owner
   * @throws org.calando.core.FailedWorkException if a clock cannot be taken
   */
  LeasedProcessors(
      AgentLeases.Means means,
      LongSupplier nanos,
      Map<String, CpuSet> cpus,
      MachineLease lease,
      Runnable left) {
    this.cpus = cpus;
    this.machine = means.machine();
    this.processes = means.processes();
    this.nanos = nanos;
    this.lease = lease;
    boolean taken = false;
    try {
      this.clocks = lease.clocks(cpus);
      this.threads = lease.threads();
      taken = true;
    } finally {
      if (!taken) {
        close(lease, left);
      }
    }
    this.verifiedNanos = nanos.getAsLong();
  }

  private static void close(MachineLease lease, Runnable left) {
    try {
      lease.close();
    } catch (FailedWorkException e) {
      left.run();
      throw e;
    }
  }

  /**
   * The processors of a request's nodes.
   *
   * @throws BadRequestException if it names none or too many, or what it says of threads is no rule
   */
  static Map<String, CpuSet> of(LeaseRequest request) {
    if (request.nodes().size() > MOST_NODES
        || request.nodes().values().stream().mapToInt(wish -> wish.threads().size()).sum()
            > MOST_RULES) {
      throw new BadRequestException(
          "has more than %d nodes or %d rules of threads".formatted(MOST_NODES, MOST_RULES),
          "a request",
          "name those of this machine alone");
    }
    Map<String, CpuSet> cpus = new TreeMap<>();
    request.nodes().forEach((node, wish) -> cpus.put(node, cpus(node, wish.cpus())));
    request.nodes().forEach((node, wish) -> rules(node, wish));
    return cpus;
  }

  private static List<ThreadRule> rules(String node, NodeWish wish) {
    return wish.threads().stream().map(rule -> rule(node, rule)).toList();
  }

  private static ThreadRule rule(String node, AgentWire.@Nullable Rule rule) {
    if (rule == null || rule.name() == null) {
      throw new BadRequestException(
          "has a rule of threads without a name", node, "use a governor of this version");
    }
    return new ThreadRule(rule.name(), cpus(node, rule.cpus()));
  }

  private static CpuSet cpus(String where, @Nullable String text) {
    try {
      return CpuSet.parse(text == null ? "" : text);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "is no list of processors: " + text, where, "use a governor of this version");
    }
  }

  /** Whether these are they. */
  boolean are(Map<String, CpuSet> others) {
    return cpus.equals(others);
  }

  /** For people. */
  String words() {
    return CpuSet.union(cpus.values()).toString();
  }

  /** Sets what is wanted, and reports how they stand. */
  LeaseAnswer set(LeaseRequest request) {
    List<String> troubles = new ArrayList<>();
    Map<String, ClockOutcome> outcomes = clocks(request);
    place(request, troubles);
    return answer(request, outcomes, drifts(troubles), troubles);
  }

  /** Higher clocks first. */
  private Map<String, ClockOutcome> clocks(LeaseRequest request) {
    Map<String, Long> wanted = new LinkedHashMap<>();
    request.nodes().entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, NodeWish> each) -> kiloHertz(each.getKey(), each.getValue()))
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .forEach(each -> wanted.put(each.getKey(), kiloHertz(each.getKey(), each.getValue())));
    Map<String, ClockOutcome> outcomes = new HashMap<>();
    clocks.set(wanted).forEach(outcome -> outcomes.put(outcome.node(), outcome));
    return outcomes;
  }

  private long kiloHertz(String node, NodeWish wish) {
    return wish.kiloHertz() > 0 ? wish.kiloHertz() : clocks.frequencies(node).highest();
  }

  private void place(LeaseRequest request, List<String> troubles) {
    request
        .nodes()
        .forEach(
            (node, wish) -> {
              try {
                place(node, wish);
              } catch (CalandoException | ArithmeticException e) {
                troubles.add("threads of " + node + " were not placed: " + e.getMessage());
              }
            });
  }

  private void place(String node, NodeWish wish) {
    @Nullable Integer before = pinned.get(node);
    if (before != null && (wish.threads().isEmpty() || before != wish.pid())) {
      pinned.remove(node);
      threads.release(before);
    }
    if (wish.pid() > 0 && !wish.threads().isEmpty()) {
      int pid = Math.toIntExact(wish.pid());
      threads.pin(node, pid, rules(node, wish));
      pinned.put(node, pid);
    }
  }

  /** Sets again what others changed; not with each request, as each is many looks. */
  private List<Drift> drifts(List<String> troubles) {
    if (nanos.getAsLong() - verifiedNanos < VERIFY_NANOS) {
      return List.of();
    }
    verifiedNanos = nanos.getAsLong();
    List<Drift> drifts = new ArrayList<>(clocks.verify());
    try {
      drifts.addAll(threads.refresh());
    } catch (CalandoException e) {
      troubles.add("threads were not placed: " + e.getMessage());
    }
    return drifts;
  }

  private LeaseAnswer answer(
      LeaseRequest request,
      Map<String, ClockOutcome> outcomes,
      List<Drift> drifts,
      List<String> troubles) {
    Map<String, NodeState> nodes = new TreeMap<>();
    outcomes.forEach(
        (node, outcome) -> {
          NodeWish wish = request.nodes().get(node);
          nodes.put(node, state(outcome, wish == null ? 0 : wish.pid()));
        });
    return new LeaseAnswer(
        nodes,
        movesThreads(),
        clocks.conflicts().stream().map(List::copyOf).toList(),
        drifts.stream()
            .map(
                one ->
                    new AgentWire.Drift(
                        one.what(), one.from(), one.to(), one.then(), one.outcome().orElse(null)))
            .toList(),
        troubles);
  }

  private boolean movesThreads() {
    return machine.cpus().equals(CpufreqTree.MACHINE) && machine.affinity().lack().isEmpty();
  }

  private NodeState state(ClockOutcome outcome, long pid) {
    return new NodeState(
        clocks.frequencies(outcome.node()).all(),
        clocks.kiloHertz(outcome.node()),
        outcome.policies(),
        List.copyOf(outcome.heldBy()),
        pid,
        orUnknown(processes.nanos(pid)),
        orUnknown(processes.nanos(pid, IO_THREADS)));
  }

  private static long orUnknown(OptionalLong nanos) {
    return nanos.orElse(-1);
  }

  /**
   * {@inheritDoc} All is as before.
   *
   * @throws org.calando.core.FailedWorkException naming what is not
   */
  @Override
  public void close() {
    lease.close();
  }
}
