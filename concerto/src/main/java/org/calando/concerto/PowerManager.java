package org.calando.concerto;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.ThreadPinning;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.jspecify.annotations.Nullable;

/*
 * The thread is never interrupted: it writes to files that others write to after it, and a file
 * channel closes itself when a thread that uses it is interrupted. What it waits for is its queue, so
 * an event that means nothing ends the wait.
 */
/**
 * Sets the clocks of nodes by their roles, for as long as it is open: Concerto. Whoever opens it
 * holds the lease of the clocks, and ends that after this, which restores them. Thread safe.
 */
public final class PowerManager implements AutoCloseable {
  /** Beyond this many changes that wait, one decision covers them all the same. */
  private static final int MAX_EVENTS = 1024;

  private static final long CLOSE_SECONDS = 10;

  /** Ends a wait; is never decided on. */
  private static final RoleEvent WAKE =
      new RoleEvent(
          RoleEvent.Kind.LOWER, NodeRole.unknown("none", 0), NodeRole.unknown("none", 0), 0);

  private final LongSupplier clock;
  private final ManagerTimes times;
  private final ManagerListener listener;
  private final RoleSource roles;
  private final WorkSource work;
  private final ManagerCycle cycle;
  private final EnergyLedger ledger;
  private final RaiseTimes raises = new RaiseTimes();
  private final BlockingQueue<RoleEvent> events;
  private final AtomicBoolean missed;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable String failure;

  private PowerManager(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<ThreadPinning> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch,
      LongSupplier clock) {
    this.clock = clock;
    this.times = config.times();
    this.listener = config.listener();
    this.work = config.work();
    ArrayBlockingQueue<RoleEvent> queue = new ArrayBlockingQueue<>(MAX_EVENTS);
    AtomicBoolean full = new AtomicBoolean();
    events = queue;
    missed = full;
    roles =
        watch.apply(
            event -> {
              if (!queue.offer(event)) {
                full.set(true);
              }
            });
    ledger = new EnergyLedger(config.nodes(), config.states(), config.cpu(), clock.getAsLong());
    cycle =
        new ManagerCycle(
            config.nodes(), config.policy(), clocks, pinning, roles, work, ledger, listener);
    thread = new Thread(this::run, "calando-concerto");
    thread.setDaemon(true);
  }

  /**
   * Begins to manage; returns when the first decision is carried out.
   *
   * @param clocks of the nodes' processors, from a lease that outlives this
   * @param pinning places their threads; empty to leave them where they are
   * @param watch begins to watch the roles, and tells changes to what it is given, which does not
   *     block
   * @param clock nanoseconds; the same that the watch uses
   * @throws BadRequestException if threads are to be off-loaded and nothing places them
   * @throws FailedWorkException if the first decision is not taken within ten seconds, or fails for
   *     good
   */
  public static PowerManager start(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<ThreadPinning> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch,
      LongSupplier clock) {
    if (pinning.isEmpty()
        && config.nodes().stream().anyMatch(node -> node.fastCpus().isPresent())) {
      throw new BadRequestException(
          "reads cannot be off-loaded, as threads cannot be placed here",
          "power manager",
          "./calando clocks shows what is missing");
    }
    PowerManager manager = new PowerManager(config, clocks, pinning, watch, clock);
    manager.thread.start();
    boolean decided = false;
    try {
      decided = manager.begun.await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    @Nullable String failed = manager.failure;
    if (!decided || failed != null) {
      manager.close();
      throw new FailedWorkException(
          failed == null ? "no clock was decided within " + CLOSE_SECONDS + " s" : failed,
          "power manager",
          "try again");
    }
    return manager;
  }

  /** What was spent so far, and would have been at the fastest clock. */
  public EnergyReport energy() {
    return ledger.report();
  }

  /**
   * Brings the account up to now, for the edges of a measurement; reads a file a node.
   *
   * @return what {@link #energy} is then
   */
  public EnergyReport account() {
    cycle.account(clock.getAsLong());
    return ledger.report();
  }

  /** What is known of each node's role. */
  public List<NodeView> view() {
    return roles.view();
  }

  /** How often a node was raised because it may be the master. */
  public long raiseCount() {
    return raises.count();
  }

  /**
   * How long raises took, from when the change was seen to when the clock was set, in nanoseconds.
   *
   * @param percent 0 .. 100
   * @return 0 without any
   */
  public long raiseNanos(double percent) {
    return raises.percentile(percent);
  }

  /**
   * What is wrong with this itself, with the watch, with nodes or with the measurement; empty if
   * all goes on and all answer.
   */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    @Nullable String failed = failure;
    if (failed != null) {
      problems.add(failed);
    }
    problems.addAll(roles.problems());
    problems.addAll(work.problems());
    return problems;
  }

  /**
   * CPU time that managing took so far, in nanoseconds; the watch and the measurement of work are
   * included.
   */
  public long cpuNanos() {
    long own = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    return Math.max(0, own) + roles.cpuNanos() + work.cpuNanos();
  }

  /** Ends the watch and this thread; clocks stay until their lease ends. Idempotent. */
  @Override
  public void close() {
    closed = true;
    roles.close();
    // No wait begins while the queue is full, and every wait is followed by a look at closed.
    boolean unused = events.offer(WAKE);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      manage();
    } catch (RuntimeException | Error e) {
      ended(e);
    } finally {
      begun.countDown();
    }
  }

  /** Nobody decides any more: every node may be the master, or become it. */
  private void ended(Throwable why) {
    String what = "the power manager has failed, and sets no clock any more: " + why;
    failure = what;
    if (!closed) {
      String left;
      try {
        left = cycle.raiseAll();
      } catch (RuntimeException | Error e) {
        left = e.toString();
      }
      failure = what + (left.isEmpty() ? "" : "; clocks cannot be raised: " + left);
    }
  }

  private void manage() {
    long nextDecision = clock.getAsLong();
    long nextLook = nextDecision + times.verifyNanos();
    long nextEntry = nextDecision;
    List<RoleEvent> raised = new ArrayList<>();
    while (!closed) {
      long now = clock.getAsLong();
      if (!raised.isEmpty() || missed.getAndSet(false) || now - nextDecision >= 0) {
        guarded(() -> cycle.decide(now));
        List<RoleEvent> decided = raised;
        guarded(() -> decided.forEach(this::raised));
        nextDecision = now + times.decideNanos();
        begun.countDown();
      }
      if (now - nextLook >= 0) {
        guarded(cycle::verify);
        nextLook = now + times.verifyNanos();
      }
      if (now - nextEntry >= 0) {
        guarded(() -> cycle.account(now));
        nextEntry = now + times.energyNanos();
      }
      raised = await(Math.min(nextDecision, Math.min(nextLook, nextEntry)) - clock.getAsLong());
    }
    guarded(() -> cycle.account(clock.getAsLong()));
  }

  private void raised(RoleEvent event) {
    if (event.isUrgent()) {
      long now = clock.getAsLong();
      raises.add(now - event.atNanos());
      cycle.raised(event, now);
    }
  }

  /** Waits for changes for at most so long; takes all that are there. */
  private List<RoleEvent> await(long nanos) {
    List<RoleEvent> taken = new ArrayList<>();
    try {
      RoleEvent first = events.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      if (first != null) {
        taken.add(first);
        events.drainTo(taken);
      }
    } catch (InterruptedException e) {
      // Nobody does that; to look at all once more does no harm.
    }
    return taken;
  }

  /** What fails must not end the managing, and leaves the store safe: at its highest clocks. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      listener.trouble("all clocks are raised: " + e);
      try {
        String left = cycle.raiseAll();
        if (!left.isEmpty()) {
          listener.trouble("clocks cannot be raised: " + left);
        }
      } catch (RuntimeException again) {
        listener.trouble("clocks cannot be raised: " + again);
      }
    }
  }
}
