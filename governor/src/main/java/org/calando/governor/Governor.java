package org.calando.governor;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.calando.clock.ClockOutcome;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.ThreadPinning;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.ManagerListener;
import org.calando.concerto.ManagerTimes;
import org.calando.concerto.PowerManager;
import org.calando.control.DecisionJournal;
import org.calando.control.LoopListener;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.WorkSource;
import org.calando.engine.RoledServers;
import org.calando.study.ClockBounds;
import org.calando.study.ManagedNodes;
import org.calando.study.RunControllers;
import org.calando.studyfile.GovernSpec;
import org.calando.studyfile.ManagedClocks;
import org.jspecify.annotations.Nullable;

/**
 * Sets the clocks of a user's own servers by their roles, for as long as it is open; then all are
 * as they were. Thread safe.
 */
public final class Governor implements AutoCloseable {
  /**
   * Beyond what a policy waits for, until a dry run says what it found: a busy machine is slow to
   * connect to every node. It ends as soon as all is known.
   */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

  private static final String OFFLOAD_NOT_SHOWN =
      "I/O threads would be moved to the processors of clocks.read-offload";

  private final ManagedClocks spec;
  private final @Nullable MachineLease lease;
  private final WorkSource work;
  private final PowerManager manager;
  private @Nullable DecisionJournal journal;
  private @Nullable Noting noting;

  private Governor(
      ManagedClocks spec, @Nullable MachineLease lease, WorkSource work, PowerManager manager) {
    this.spec = spec;
    this.lease = lease;
    this.work = work;
    this.manager = manager;
  }

  /**
   * Takes the clocks and begins to set them.
   *
   * @param base what the paths of the file are relative to
   * @param folders where it is noted how clocks were
   * @param owner who has them, for others who are refused
   * @param decisions folder where decisions are noted; the policy begins anew, as clocks do: what
   *     it remembers is of seconds
   * @param listener hears what is done, and is not to block
   * @param told takes lines on what is done at the start, and on the guard
   * @throws BadRequestException if clocks cannot be set, another has them, or Sentinels know other
   *     nodes
   * @throws org.calando.core.FailedWorkException if one cannot be set after all, or nobody can
   *     watch over them
   */
  public static Governor begin(
      GovernSpec spec,
      Path base,
      LeaseFolders folders,
      String owner,
      Path decisions,
      ManagerListener listener,
      Consumer<String> told) {
    ManagedClocks clocks = spec.clocks();
    ClockBounds bounds = ClockBounds.require(clocks, Optional.of(spec.servers().servers()));
    RoledServers servers = spec.servers().open(base);
    servers.requireKnown();
    ManagedNodes managed = ManagedNodes.of(clocks, servers);
    told.accept("clocks: " + bounds.words());
    MachineLease lease = MachineLease.begin(Machine.at(clocks.tree()), folders, owner, told);
    @Nullable DecisionJournal journal = null;
    boolean begun = false;
    try {
      NodeClocks nodes = lease.clocks(managed.leased());
      conflicts(nodes).forEach(told);
      Optional<ThreadPinning> pinning =
          bounds.pins() ? Optional.of(lease.threads()) : Optional.empty();
      DecisionJournal opened = DecisionJournal.open(decisions, owner, Instant::now);
      journal = opened;
      Noting noting = new Noting();
      Governor governor =
          start(
              spec,
              servers,
              managed,
              nodes,
              pinning,
              lease,
              config -> config.withListener(listener).withJournal(noting));
      governor.journal = opened;
      governor.noting = noting;
      begun = true;
      return governor;
    } finally {
      if (!begun) {
        if (journal != null) {
          journal.close();
        }
        lease.close();
      }
    }
  }

  /**
   * What a dry run found.
   *
   * @param nodes what is known of the nodes at its end
   * @param refused why clocks cannot be set; empty if they can
   */
  public record DryRun(List<NodeView> nodes, Optional<BadRequestException> refused) {
    public DryRun {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Tells what would be done, and does nothing of it: watches roles until the policy has come to
   * what it wants of them, or for as long as it may wait.
   *
   * @param listener hears what would be done
   * @param told takes lines: what stands in the way, and each write that would be done, in order
   * @throws BadRequestException if Sentinels know other nodes, or no clock can be read
   */
  public static DryRun dryRun(
      GovernSpec spec, Path base, ManagerListener listener, Consumer<String> told) {
    ManagedClocks clocks = spec.clocks();
    Optional<BadRequestException> refused = Optional.empty();
    try {
      told.accept(
          "clocks: " + ClockBounds.require(clocks, Optional.of(spec.servers().servers())).words());
    } catch (BadRequestException e) {
      refused = Optional.of(e);
    }
    RoledServers servers = spec.servers().open(base);
    servers.requireKnown();
    ManagedNodes managed = ManagedNodes.of(clocks, servers);
    NodeClocks nodes;
    try {
      nodes = NodeClocks.dryRun(Machine.at(clocks.tree()), managed.leased(), told);
    } catch (BadRequestException e) {
      throw refused.orElse(e);
    }
    refused.ifPresent(why -> told.accept("it would be refused: " + why.getMessage()));
    managed.offload().ifPresent(each -> told.accept(OFFLOAD_NOT_SHOWN));
    // Nothing is moved in a dry run, and where I/O threads are is of no matter to clocks.
    ManagedNodes unplaced = new ManagedNodes(clocks, Optional.empty());
    conflicts(nodes).forEach(told);
    Settling settling = new Settling(listener);
    try (Governor governor =
        start(
            spec,
            servers,
            unplaced,
            nodes,
            Optional.empty(),
            null,
            config -> config.withListener(settling))) {
      settling.await(
          clocks.limits().lowerAfterNanos()
              + 2 * clocks.times().decideNanos()
              + clocks.times().silenceNanos()
              + PATIENCE_NANOS);
      return new DryRun(governor.roles(), refused);
    }
  }

  private static Governor start(
      GovernSpec spec,
      RoledServers servers,
      ManagedNodes managed,
      NodeClocks nodes,
      Optional<ThreadPinning> pinning,
      @Nullable MachineLease lease,
      UnaryOperator<ManagerConfig> listening) {
    ManagedClocks clocks = spec.clocks();
    WorkSource work =
        spec.policy().equals("slack")
            ? servers.work(nodes::kiloHertz, System::nanoTime)
            : WorkSource.NONE;
    ManagerConfig config =
        ManagerConfig.of(
                managed.nodes(pinning.isPresent()),
                RunControllers.clocks(clocks, spec.policy()),
                clocks.states().orElseGet(() -> ofTheMachine(nodes)))
            .withTimes(
                new ManagerTimes(
                    clocks.times().decideNanos(),
                    ManagerTimes.defaults().verifyNanos(),
                    ManagerTimes.defaults().energyNanos()))
            .withWork(work);
    try {
      PowerManager manager =
          PowerManager.start(
              listening.apply(config),
              nodes,
              pinning,
              servers.roles(
                  clocks.times().pollNanos(), clocks.times().silenceNanos(), System::nanoTime));
      return new Governor(clocks, lease, work, manager);
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

  private static List<String> conflicts(NodeClocks clocks) {
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
    long dropped = noting == null ? 0 : noting.dropped.get();
    if (dropped > 0) {
      problems.add(dropped + " decisions were not noted: the disk is too slow");
    }
    problems.addAll(work.problems());
    return problems;
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
    manager.close();
    work.close();
    note();
    if (journal != null) {
      journal.close();
    }
    if (lease != null) {
      lease.close();
    }
  }

  /** Keeps decisions until they are noted: a disk must not hold up a master's clock. */
  private static final class Noting implements LoopListener {
    private static final int MOST_WAITING = 4096;

    private final BlockingQueue<Decision<?>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();

    void drainTo(DecisionJournal journal) {
      for (Decision<?> one = waiting.poll(); one != null; one = waiting.poll()) {
        journal.decided(one, "");
      }
    }

    @Override
    public void decided(Decision<?> decided, String inForce) {
      if (!waiting.offer(decided)) {
        dropped.incrementAndGet();
      }
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
          next.trouble("not every node has said what it is, or the policy waits on");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
