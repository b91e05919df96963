package org.calando.concerto;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.clock.NodeClocks;
import org.calando.clock.thread.NodeThreads;
import org.calando.control.ControlLoop;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.core.replication.WorkSource;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/*
 *   roles, work --> ControlLoop, each period and at once when a role changes --> clocks, threads
 *
 * The scheduler's thread is never interrupted: it writes to files that others write to after it, and a file channel closes
 * itself when a thread that uses it is interrupted. What is under way when this is closed is carried out.
 */
/**
 * Sets the clocks of nodes by their roles, for as long as it is open: Concerto. Whoever opens it
 * holds the lease of the clocks, and ends that after this, which restores them. Thread safe.
 */
public final class PowerManager implements AutoCloseable {
  private static final long CLOSE_SECONDS = 10;

  private final Scheduler scheduler;
  private final RoleSource roles;
  private final WorkSource work;
  private final ManagerCycle cycle;
  private final EnergyLedger ledger;
  private final ControlLoop<ClockState> loop;
  private volatile long threadId;
  private volatile boolean closed;
  private volatile @Nullable String failure;

  private PowerManager(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<NodeThreads> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch,
      Scheduler scheduler) {
    this.scheduler = scheduler;
    this.work = config.work();
    PolicyLoop<ClockState> policy = new PolicyLoop<>(config.policy(), ClockObservation.TARGET);
    ledger =
        new EnergyLedger(config.nodes(), config.states(), config.cpu(), scheduler.clock().nanos());
    cycle = new ManagerCycle(config, policy, clocks, pinning, watch, ledger, scheduler.clock());
    roles = cycle.roles();
    loop =
        ControlLoop.looking(scheduler, policy, cycle, cycle)
            .periodNanos(config.times().decideNanos())
            .listener(config.journal())
            .start();
    var unused = loop.end().exceptionally(this::ended);
  }

  /**
   * Begins to manage; returns when the first decision is carried out.
   *
   * @param clocks of the nodes' processors, from a lease that outlives this
   * @param pinning places their threads; empty to leave them where they are
   * @param watch begins to watch the roles by the machine's monotonic clock, and tells changes to
   *     what it is given, which does not block
   * @throws BadRequestException if threads are to be off-loaded and nothing places them
   * @throws FailedWorkException if the first decision is not taken within ten seconds, or fails for
   *     good
   */
  public static PowerManager start(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<NodeThreads> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch) {
    return start(config, clocks, pinning, watch, new RealTimeScheduler("calando-concerto"));
  }

  /** The same on another scheduler, which is closed at the end if it can be. */
  static PowerManager start(
      ManagerConfig config,
      NodeClocks clocks,
      Optional<NodeThreads> pinning,
      Function<Consumer<RoleEvent>, RoleSource> watch,
      Scheduler scheduler) {
    if (pinning.isEmpty()
        && config.nodes().stream().anyMatch(node -> node.fastCpus().isPresent())) {
      throw new BadRequestException(
          "reads cannot be off-loaded, as threads cannot be placed here",
          "power manager",
          "./calando clocks shows what is missing");
    }
    PowerManager manager = new PowerManager(config, clocks, pinning, watch, scheduler);
    // Tasks of one time are carried out in turn: the first decision comes before this.
    boolean decided = manager.await(() -> manager.begin(config.times()));
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

  private void begin(ManagerTimes times) {
    threadId = Thread.currentThread().getId();
    guarded(this::enter);
    each(times.energyNanos(), this::enter);
    each(times.verifyNanos(), cycle::verify);
  }

  private void each(long nanos, Runnable task) {
    scheduler.at(
        now() + nanos,
        () -> {
          if (!closed && failure == null) {
            guarded(task);
            each(nanos, task);
          }
        });
  }

  private void enter() {
    cycle.account(now());
  }

  private long now() {
    return scheduler.clock().nanos();
  }

  /** Has the scheduler carry out a task, and waits; returns whether it was done in time. */
  private boolean await(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    try {
      scheduler.at(
          now(),
          () -> {
            try {
              task.run();
            } finally {
              done.countDown();
            }
          });
      return done.await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
    cycle.account(now());
    return ledger.report();
  }

  /** What is known of each node's role. */
  public List<NodeView> view() {
    return roles.view();
  }

  /** How often a node was raised because it may be the master. */
  public long raiseCount() {
    return cycle.raises().count();
  }

  /**
   * How long raises took, from when the change was seen to when the clock was set, in nanoseconds.
   *
   * @param percent 0 .. 100
   * @return 0 without any
   */
  public long raiseNanos(double percent) {
    return cycle.raises().percentile(percent);
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

  /** Why nothing is decided any more; empty if it is. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * CPU time that managing took so far, in nanoseconds; the watch and the measurement of work are
   * included.
   */
  public long cpuNanos() {
    long own = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId);
    return Math.max(0, own) + roles.cpuNanos() + work.cpuNanos();
  }

  /** Ends the watch and the loop; clocks stay until their lease ends. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    roles.close();
    loop.close();
    boolean unused = await(() -> guarded(this::enter));
    if (scheduler instanceof RealTimeScheduler own) {
      own.close();
    }
  }

  /** Nobody decides any more: every node may be the master, or become it. */
  private @Nullable Void ended(Throwable why) {
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
    return null;
  }

  /** What fails must not end the managing, and leaves the store safe: at its highest clocks. */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      try {
        cycle.failed("", e, now());
      } catch (RuntimeException | Error fatal) {
        loop.fail(fatal);
      }
    }
  }
}
