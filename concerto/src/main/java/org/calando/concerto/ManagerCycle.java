package org.calando.concerto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.NodeThreads;
import org.calando.clock.thread.ThreadRule;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.Sensor;
import org.calando.control.order.KnobOrders;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.core.replication.WorkSource;
import org.calando.core.time.Clock;
import org.jspecify.annotations.Nullable;

/*
 * Every event, and the passing of time, ends in one and the same decision about all nodes. So a raise
 * is not a path of its own that a policy could contradict: what the policy makes of the newest view is
 * set, higher clocks first. Threads are placed after clocks are set, as a master waits for its clock.
 */
/**
 * Observes, acts and keeps account. Used by the loop's tasks, but for {@link #account}, which any
 * thread may call: it reads what is thread safe and leaves the rest alone.
 */
final class ManagerCycle implements Sensor, Actor {
  /** Beyond so many changes that wait, one decision covers them all the same. */
  private static final int MOST_EVENTS = 1024;

  private final Map<String, ManagedNode> nodes = new LinkedHashMap<>();
  private final PolicyLoop<ClockState> policy;
  private final NodeClocks clocks;
  private final Optional<NodeThreads> pinning;
  private final RoleSource roles;
  private final WorkSource work;
  private final EnergyLedger ledger;
  private final ManagerListener listener;
  private final KnobOrders orders;
  private boolean paused;

  /** Changes of roles that wait for the next decision. */
  private final BlockingQueue<RoleEvent> events = new ArrayBlockingQueue<>(MOST_EVENTS);

  private volatile @Nullable ControlLoop<?> loop;
  private final Clock clock;
  private final RaiseTimes raises = new RaiseTimes();
  private List<RoleEvent> toRaise = List.of();
  private List<NodeView> views = List.of();
  private final Map<String, List<Long>> fastestFirst = new HashMap<>();
  private final Map<String, Placed> placed = new HashMap<>();

  /** Why the threads of a node could not be placed; tried again at each look. */
  private final Map<String, String> notPlaced = new HashMap<>();

  private record Placed(long pid, List<ThreadRule> rules) {
    Placed {
      rules = List.copyOf(rules);
    }
  }

  ManagerCycle(
      ManagerConfig config,
      PolicyLoop<ClockState> policy,
      NodeClocks clocks,
      Optional<NodeThreads> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch,
      EnergyLedger ledger,
      Clock clock) {
    for (ManagedNode node : config.nodes()) {
      this.nodes.put(node.name(), node);
      fastestFirst.put(
          node.name(),
          clocks.frequencies(node.name()).all().stream()
              .sorted(Comparator.<Long>naturalOrder().reversed())
              .toList());
    }
    this.policy = policy;
    this.clocks = clocks;
    this.pinning = pinning;
    this.work = config.work();
    this.ledger = ledger;
    this.listener = config.listener();
    this.orders = config.orders();
    this.clock = clock;
    this.roles = watch.apply(this::changed);
  }

  /** Who tells the roles. */
  RoleSource roles() {
    return roles;
  }

  /** A change of roles, which is decided on at once; does not block. */
  private void changed(RoleEvent event) {
    boolean unused = events.offer(event);
    @Nullable ControlLoop<?> by = loop;
    if (by != null) {
      by.wake();
    }
  }

  @Override
  public void begin(ControlLoop<?> by, long nowNanos) {
    loop = by;
  }

  /** What is known of all nodes now. */
  @Override
  public Optional<ClockObservation> look(long nowNanos) {
    List<RoleEvent> taken = new ArrayList<>();
    events.drainTo(taken);
    toRaise = taken;
    views = roles.view().stream().filter(view -> nodes.containsKey(view.node())).toList();
    boolean wasPaused = paused;
    paused = orders.of(KnobId.CLOCK.name()).paused().isPresent();
    if (wasPaused && !paused) {
      // What was not set meanwhile is a change again.
      policy.forget();
    }
    return Optional.of(observation(nowNanos));
  }

  /** While clocks are paused none is lowered: a node that becomes the master is raised. */
  private boolean isSet(Setting<?> setting) {
    return !paused || kiloHertz(setting) > clocks.kiloHertz(setting.target());
  }

  @Override
  public String inForce(Decision<?> decided) {
    String order = orders.of(KnobId.CLOCK.name()).words();
    Set<String> raised =
        decided.changes().stream()
            .filter(setting -> paused && isSet(setting))
            .map(Setting::target)
            .collect(Collectors.toCollection(TreeSet::new));
    if (raised.isEmpty()) {
      return order;
    }
    orders.overruled(KnobId.CLOCK.name(), raised);
    return order + ", in spite of which these are raised: " + String.join(" ", raised);
  }

  /** Sets what differs, for all nodes. */
  @Override
  public void act(Decision<?> decided, long nowNanos) {
    Map<String, Long> wanted = new LinkedHashMap<>();
    decided.changes().stream()
        .filter(this::isSet)
        .sorted(Comparator.comparing(ManagerCycle::kiloHertz).reversed())
        .forEach(setting -> wanted.put(setting.target(), kiloHertz(setting)));
    views.stream()
        .filter(view -> wanted.containsKey(view.node()))
        .forEach(view -> enter(view, nowNanos));
    List<ClockOutcome> outcomes = clocks.set(wanted);
    outcomes.forEach(this::set);
    listener.decided(decided, List.copyOf(outcomes));
    views.forEach(this::place);
    raised();
  }

  /** Notes how long raises took, once they are decided. */
  private void raised() {
    List<RoleEvent> decided = toRaise;
    toRaise = List.of();
    for (RoleEvent event : decided) {
      if (event.isUrgent()) {
        long nanos = clock.nanos() - event.atNanos();
        raises.add(nanos);
        listener.raised(event, nanos);
      }
    }
  }

  /** How long raises took. */
  RaiseTimes raises() {
    return raises;
  }

  /** What fails must not end the managing, and leaves the store safe: at its highest clocks. */
  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    if (cause instanceof Error error) {
      throw error;
    }
    listener.trouble("all clocks are raised: " + cause);
    String left = raiseAll();
    if (!left.isEmpty()) {
      listener.trouble("clocks cannot be raised: " + left);
    }
    raised();
  }

  /**
   * Sets every clock to the highest, for when it cannot be decided.
   *
   * @return what could not be set, in words; empty if all was
   */
  String raiseAll() {
    Map<String, Long> highest = new LinkedHashMap<>();
    fastestFirst.forEach((node, all) -> highest.put(node, all.get(0)));
    String faults =
        clocks.set(highest).stream()
            .filter(outcome -> !outcome.ok())
            .map(outcome -> outcome.node() + ": " + outcome.faults())
            .collect(Collectors.joining("; "));
    policy.forget();
    return faults;
  }

  /** Sets again what others changed, and tries again what could not be placed. */
  void verify() {
    List<Drift> drifts = new ArrayList<>(paused ? List.of() : clocks.verify());
    placed.keySet().removeAll(notPlaced.keySet());
    try {
      pinning.ifPresent(threads -> drifts.addAll(threads.refresh()));
    } catch (CalandoException e) {
      listener.trouble("threads were not placed: " + e.getMessage());
    }
    if (!drifts.isEmpty()) {
      listener.drifted(drifts);
    }
  }

  /** Brings the account up to date. */
  void account(long nowNanos) {
    for (NodeView view : roles.view()) {
      if (nodes.containsKey(view.node())) {
        enter(view, nowNanos);
      }
    }
  }

  /** What a node says while this is put together is not from the future: it moves the moment. */
  private ClockObservation observation(long nowNanos) {
    List<ClockObservation.Node> observed =
        views.stream()
            .map(
                view ->
                    new ClockObservation.Node(view, clocksOf(view.node()), work.work(view.node())))
            .toList();
    long atNanos = nowNanos;
    for (ClockObservation.Node node : observed) {
      atNanos = later(atNanos, node.view().word().atNanos());
      if (node.work().isPresent()) {
        atNanos = later(atNanos, node.work().get().atNanos());
      }
    }
    return new ClockObservation(atNanos, observed);
  }

  private static long later(long nanos, long other) {
    return other - nanos > 0 ? other : nanos;
  }

  private List<Long> clocksOf(String node) {
    return fastestFirst.getOrDefault(node, List.of());
  }

  private void set(ClockOutcome outcome) {
    if (!outcome.ok()) {
      listener.trouble("the clock of " + outcome.node() + " was not set: " + outcome.faults());
    }
  }

  private static Long kiloHertz(Setting<?> setting) {
    return (Long) setting.value();
  }

  private void enter(NodeView view, long nowNanos) {
    ledger.enter(view.node(), view.word().pid(), clocks.kiloHertz(view.node()), nowNanos);
  }

  /** Places the threads of a node whose process or role is another than before. */
  private void place(NodeView view) {
    ManagedNode node = nodes.get(view.node());
    long pid = view.word().pid();
    if (node == null || !node.isPlaced() || pid <= 0 || pinning.isEmpty()) {
      return;
    }
    Placed wanted = new Placed(pid, view.mayBeMaster() ? node.asMaster() : node.asReplica());
    if (wanted.equals(placed.get(view.node()))) {
      return;
    }
    placed.put(view.node(), wanted);
    try {
      pinning.get().pin(view.node(), Math.toIntExact(pid), wanted.rules());
      notPlaced.remove(view.node());
    } catch (CalandoException | ArithmeticException e) {
      String why = "threads of " + view.node() + " were not placed: " + e.getMessage();
      if (!why.equals(notPlaced.put(view.node(), why))) {
        listener.trouble(why);
      }
    }
  }
}
