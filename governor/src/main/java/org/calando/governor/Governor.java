package org.calando.governor;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.calando.agent.LeasedNodes;
import org.calando.clock.LeaseFolders;
import org.calando.clock.NodeClocks;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.ManagerListener;
import org.calando.concerto.PowerManager;
import org.calando.control.DecisionJournal;
import org.calando.control.LoopListener;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.Closing;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.WorkSource;
import org.calando.engine.InventorySpec;
import org.calando.engine.RoledServers;
import org.calando.engine.Target;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksSchema;
import org.calando.study.ClockBounds;
import org.calando.study.ManagedNodes;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/**
 * Sets the clocks of a user's own servers by their roles, for as long as it is open; then all are
 * as they were. Thread safe.
 */
final class Governor implements AutoCloseable {
  private final ManagedClocks spec;
  private final LeasedNodes leased;
  private final WorkSource work;
  private final PowerManager manager;
  private @Nullable DecisionJournal journal;
  private @Nullable Noting noting;

  private Governor(ManagedClocks spec, LeasedNodes leased, WorkSource work, PowerManager manager) {
    this.spec = spec;
    this.leased = leased;
    this.work = work;
    this.manager = manager;
  }

  /**
   * What is managed.
   *
   * @param name what governors of the same servers call them alike
   * @param servers the servers
   * @param inventory where they are
   * @param policy name of the policy that decides about their clocks
   * @param clocks how it does
   */
  record Managed(
      String name,
      RoledServers servers,
      InventorySpec inventory,
      String policy,
      ManagedClocks clocks) {
    /**
     * That of a cluster whose clocks are controlled.
     *
     * @param nameless whether its user chose no name for it: it goes by its addresses
     * @throws BadRequestException if it has no roles
     */
    static Managed of(ServiceSpec.Cluster spec, Target cluster, boolean nameless) {
      RoledServers servers =
          cluster
              .find(RoledServers.class)
              .orElseThrow(
                  () ->
                      new BadRequestException(
                          "the cluster has no master and replicas, by which clocks are set",
                          "clusters." + spec.name() + ".control",
                          "leave clock out"));
      InventorySpec inventory = spec.store().inventory().orElseThrow();
      return new Managed(
          nameless ? ClockBounds.nameOf(inventory) : spec.name(),
          servers,
          inventory,
          spec.control().get(ManagedClocksSchema.AXIS),
          spec.clocks().orElseThrow());
    }

    /**
     * Whether the clocks can be set and the servers answer, in words; changes nothing.
     *
     * @throws BadRequestException if they cannot
     * @throws org.calando.core.FailedWorkException if a server does not answer
     */
    String examine() {
      String bounds = ClockBounds.require(clocks, Optional.of(inventory)).words();
      servers.requireKnown();
      boolean offload = ManagedNodes.of(clocks, servers).offload().isPresent();
      return bounds
          + "; "
          + servers.builds().entrySet().stream()
              .map(each -> each.getKey() + " runs " + each.getValue())
              .collect(Collectors.joining(", "))
          + (offload ? ", reads can be off-loaded" : "");
    }
  }

  /**
   * Takes the clocks and begins to set them.
   *
   * @param folders where it is noted how clocks were
   * @param owner who has them, for others who are refused
   * @param decisions folder where decisions are noted; the policy begins anew, as clocks do: what
   *     it remembers is of seconds
   * @param listener hears what is done, and is not to block
   * @param orders what operators order of clocks
   * @param told takes lines on what is done at the start, and on the guard
   * @throws BadRequestException if clocks cannot be set, another has them, or Sentinels know other
   *     nodes
   * @throws org.calando.core.FailedWorkException if one cannot be set after all, or nobody can
   *     watch over them
   */
  static Governor begin(
      Managed spec,
      LeaseFolders folders,
      String owner,
      Path decisions,
      ManagerListener listener,
      KnobOrders orders,
      Consumer<String> told) {
    ClockBounds bounds = ClockBounds.require(spec.clocks(), Optional.of(spec.inventory()));
    spec.servers().requireKnown();
    ManagedNodes managed = ManagedNodes.of(spec.clocks(), spec.servers());
    told.accept("clocks: " + bounds.words());
    LeasedNodes leased = bounds.lease(spec.name(), managed, folders, owner, told);
    @Nullable DecisionJournal journal = null;
    boolean begun = false;
    try {
      conflicts(leased.clocks()).forEach(told);
      DecisionJournal opened = DecisionJournal.open(decisions, owner, Instant::now);
      journal = opened;
      Noting noting = new Noting();
      Governor governor =
          start(
              spec,
              managed,
              leased,
              config -> config.withListener(listener).withJournal(noting).withOrders(orders));
      governor.journal = opened;
      governor.noting = noting;
      begun = true;
      return governor;
    } finally {
      if (!begun) {
        Closing.all(journal == null ? List.of(leased) : List.of(journal, leased));
      }
    }
  }

  static Governor start(
      Managed spec,
      ManagedNodes managed,
      LeasedNodes leased,
      UnaryOperator<ManagerConfig> listening) {
    ManagedClocks clocks = spec.clocks();
    WorkSource work =
        spec.policy().equals("slack")
            ? spec.servers().work(leased.clocks()::kiloHertz, System::nanoTime)
            : WorkSource.NONE;
    ManagerConfig config =
        managed
            .config(
                leased,
                clocks.policy(spec.policy()),
                clocks.states().orElseGet(() -> ofTheMachine(leased.clocks())))
            .withWork(work);
    try {
      PowerManager manager =
          PowerManager.start(
              listening.apply(config),
              leased.clocks(),
              leased.threads(),
              spec.servers()
                  .roles(
                      clocks.times().pollNanos(), clocks.times().silenceNanos(), System::nanoTime));
      return new Governor(clocks, leased, work, manager);
    } catch (RuntimeException | Error e) {
      work.close();
      throw e;
    }
  }

  /** Clocks of the machine with voltages that it does not tell. */
  private static PStates ofTheMachine(NodeClocks clocks) {
    List<Long> all = new ArrayList<>();
    clocks.nodes().forEach(node -> all.addAll(clocks.frequencies(node).all()));
    return PStates.ofClocks(all, PStates.USUAL_VOLTAGE_RATIO);
  }

  static List<String> conflicts(NodeClocks clocks) {
    return clocks.conflicts().stream()
        .map(nodes -> String.join(", ", nodes) + " have one clock, that of the fastest of them")
        .toList();
  }

  private void note() {
    if (journal != null && noting != null) {
      noting.drainTo(journal);
    }
  }

  /** What is known of each node. */
  public List<NodeView> roles() {
    return manager.view();
  }

  /**
   * What is wrong with nodes, one sentence each; empty if all answer. Writes the decisions taken
   * since the last call: it is to be called every second or so, by one thread.
   */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(manager.problems());
    note();
    Optional.ofNullable(journal).flatMap(DecisionJournal::failure).ifPresent(problems::add);
    Optional.ofNullable(noting).flatMap(Noting::problem).ifPresent(problems::add);
    problems.addAll(work.problems());
    problems.addAll(leased.problems().get());
    return problems;
  }

  /** Why clocks are not decided any more; empty if they are. */
  Optional<String> failure() {
    return manager.failure();
  }

  /** The account of energy up to now. */
  public GovernedEnergy energy() {
    return GovernedEnergy.of(manager.account(), manager.cpuNanos(), spec);
  }

  /**
   * {@inheritDoc} Clocks and threads are as they were before.
   *
   * @throws org.calando.core.FailedWorkException naming what is not
   */
  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>(List.of(manager, work, this::note));
    Optional.ofNullable(journal).ifPresent(parts::add);
    parts.add(leased);
    Closing.all(parts);
  }

  /** Keeps decisions until they are noted: a disk must not hold up a master's clock. */
  static final class Noting implements LoopListener {
    private static final int MOST_WAITING = 4096;

    private final BlockingQueue<Decision<?>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private long told;

    void drainTo(DecisionJournal journal) {
      for (Decision<?> one = waiting.poll(); one != null; one = waiting.poll()) {
        journal.decided(one, "");
      }
    }

    /** What was lost since the last call; empty if all is noted again. */
    Optional<String> problem() {
      long all = dropped.get();
      long now = all - told;
      told = all;
      return now == 0
          ? Optional.empty()
          : Optional.of(
              "%d decisions were not recorded, %d in all: the disk is slow".formatted(now, all));
    }

    @Override
    public void decided(Decision<?> decided, String inForce) {
      if (!waiting.offer(decided)) {
        dropped.incrementAndGet();
      }
    }
  }
}
