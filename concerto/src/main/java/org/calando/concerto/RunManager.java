package org.calando.concerto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.clock.ClockOutcome;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.NodeThreads;
import org.calando.control.ClockedNodes;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.FixedClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.core.replication.WorkSource;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Has a power manager set the clocks in a run, and keeps account of it. Beside the manager a thread
 * looks at replicas' lag as often as roles are asked for. Thread safe; its listener is called
 * without a lock.
 */
public final class RunManager implements ClockedNodes.Managing {
  /** A master that is slow for longer is told: the goal for a raise. */
  private static final long SLOW_MASTER_NANOS = 250_000_000L;

  private static final long LOOK_NANOS = 20_000_000L;

  /** How long raising all clocks is tried. */
  private static final long RAISE_NANOS = 3_000_000_000L;

  private final Parts parts;
  private final Scheduler looks;
  private final ClockedNodes.Listener listener;
  private final ManagerNews news;
  private final PowerManager manager;
  private volatile boolean closed;

  // Guarded by this.
  private final RoleCpu cpu;
  private final Map<String, Long> slowSince = new HashMap<>();
  private final Map<String, Long> slowest = new TreeMap<>();
  private @Nullable Edge began;

  /**
   * What a run's manager is made of.
   *
   * @param config of the manager, without who listens
   * @param clocks of the nodes, on lease
   * @param threads places their threads; empty to leave them
   * @param roles begins to watch them
   * @param work what nodes do, if the policy needs to know; closed at the end
   * @param limits that replicas have to keep to for clocks to count as settled
   * @param lookNanos from one look at roles to the next
   */
  public record Parts(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<NodeThreads> threads,
      Function<Consumer<RoleEvent>, RoleSource> roles,
      Optional<WorkSource> work,
      ClockLimits limits,
      long lookNanos) {}

  /** All that counts up, at an edge of the measured window. */
  private record Edge(
      long atNanos, EnergyReport energy, RoleCpu.Used cpu, long managerNanos, long changed) {}

  private RunManager(
      Parts parts, Scheduler looks, ClockedNodes.Listener listener, ManagerNews news) {
    this.parts = parts;
    this.looks = looks;
    this.listener = listener;
    this.news = news;
    ManagerConfig config =
        parts
            .config()
            .withListener(news)
            .withJournal((decision, inForce) -> listener.decided(decision));
    // Threads by the scheduler's count: processes are counted in ticks of 10 ms.
    this.cpu = new RoleCpu((node, pid) -> config.cpu().nanos(node, pid, ""), looks.clock().nanos());
    this.manager =
        PowerManager.start(
            parts.work().map(config::withWork).orElse(config),
            parts.clocks(),
            parts.threads(),
            parts.roles());
  }

  /**
   * Begins to manage, and returns when the first clocks are set.
   *
   * @param looks for looks at the nodes, on the machine's clock; stays open
   * @throws FailedWorkException if that does not happen
   */
  public static RunManager start(Parts parts, Scheduler looks, ClockedNodes.Listener listener) {
    ManagerNews news = new ManagerNews(parts.limits(), parts.work().isPresent());
    try {
      RunManager manager = new RunManager(parts, looks, listener, news);
      manager.lookAt(looks.clock().nanos() + parts.lookNanos());
      return manager;
    } catch (RuntimeException | Error e) {
      parts.work().ifPresent(WorkSource::close);
      throw e;
    }
  }

  private void lookAt(long nanos) {
    looks.at(
        nanos,
        () -> {
          if (!closed) {
            List<NodeView> views = manager.view();
            listener.looked(views);
            look(views, looks.clock().nanos());
            lookAt(Math.max(looks.clock().nanos(), nanos + parts.lookNanos()));
          }
        });
  }

  /** A look at masters that are not fast. */
  private synchronized void look(List<NodeView> views, long now) {
    if (parts.config().policy() == FixedClockPolicy.ALL_LOW) {
      return;
    }
    for (NodeView view : views) {
      String node = view.node();
      if (view.role() == Role.MASTER && isSlow(node)) {
        long since = slowSince.computeIfAbsent(node, name -> now);
        slowest.merge(node, now - since, Math::max);
      } else {
        slowSince.remove(node);
      }
    }
  }

  private boolean isSlow(String node) {
    long kiloHertz = parts.clocks().kiloHertz(node);
    return kiloHertz > 0 && kiloHertz < parts.clocks().frequencies(node).highest();
  }

  @Override
  public List<String> unsettled() {
    Optional<String> first = news.unsettled().or(news::refused);
    if (first.isEmpty()) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>(List.of(first.get()));
    reasons.addAll(manager.problems());
    return reasons;
  }

  @Override
  public synchronized List<ClockedNodes.Node> nodes() {
    List<NodeView> views = manager.view();
    cpu.read(views, looks.clock().nanos());
    return views.stream()
        .map(
            view ->
                new ClockedNodes.Node(
                    view,
                    parts.clocks().kiloHertz(view.node()),
                    cpu.knows(view.node()) ? cpu.totalNanos(view.node()) / 1e9 : Double.NaN))
        .toList();
  }

  @Override
  public synchronized void beginAccount() {
    began = edge();
    news.measurementBegan();
  }

  @Override
  public synchronized ClockedNodes.Totals endAccount(long nanos) {
    news.measurementEnded();
    Edge to = edge();
    Edge from = began == null ? to : began;
    EnergyReport energy = to.energy().since(from.energy());
    RoleCpu.Used used = to.cpu().since(from.cpu());
    return new ClockedNodes.Totals(
        energy.time(),
        energy.atFastest(),
        used.master(),
        used.replicaMean((to.atNanos() - from.atNanos()) / 1e9),
        (to.managerNanos() - from.managerNanos()) / 1e9,
        to.changed() - from.changed());
  }

  private Edge edge() {
    long now = looks.clock().nanos();
    cpu.read(manager.view(), now);
    return new Edge(now, manager.account(), cpu.used(), manager.cpuNanos(), news.changed());
  }

  @Override
  public synchronized List<String> notes() {
    List<String> notes = new ArrayList<>(news.notes());
    manager.problems().forEach(problem -> notes.add("clocks: " + problem));
    for (Set<String> nodes : parts.clocks().conflicts()) {
      notes.add(
          "clocks: "
              + String.join(", ", new TreeSet<>(nodes))
              + " have one clock, that of the fastest of them");
    }
    slowest.forEach(
        (node, nanos) -> {
          if (nanos > SLOW_MASTER_NANOS) {
            notes.add(
                String.format(
                    Locale.ROOT,
                    "clocks: %s said that it is the master and was below its highest clock for"
                        + " %.1f s",
                    node,
                    nanos / 1e9));
          }
        });
    return notes;
  }

  /**
   * Ends the manager; then all clocks are at their highest.
   *
   * @throws FailedWorkException if one cannot be set
   */
  @Override
  public void close() {
    closed = true;
    try {
      manager.close();
      raiseAll(parts.clocks());
    } finally {
      parts.work().ifPresent(WorkSource::close);
    }
  }

  /** Sets all to the highest that can be set; whatever runs next must not begin on others. */
  private static void raiseAll(NodeClocks clocks) {
    Map<String, Long> highest = new TreeMap<>();
    clocks.nodes().forEach(node -> highest.put(node, clocks.frequencies(node).highest()));
    long deadline = System.nanoTime() + RAISE_NANOS;
    List<String> faults = faults(clocks.set(highest));
    // Agents answer when they have set them.
    while (!faults.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
      faults = faults(clocks.set(highest));
    }
    if (!faults.isEmpty()) {
      throw new FailedWorkException(
          "clocks cannot be set to the highest: " + String.join("; ", faults),
          "end of the run",
          "see ./calando clocks for what can be set");
    }
  }

  private static List<String> faults(List<ClockOutcome> outcomes) {
    return outcomes.stream()
        .filter(outcome -> !ManagerNews.refused(outcome.policies()).isEmpty())
        .map(outcome -> outcome.node() + ": " + ManagerNews.refused(outcome.policies()))
        .toList();
  }
}
