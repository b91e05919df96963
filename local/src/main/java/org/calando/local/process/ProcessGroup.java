package org.calando.local.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one cluster and its folder: starts them, ends them, and knows which run. Thread
 * safe; once closed, nothing is started or written any more.
 */
public final class ProcessGroup {
  private final RunFolder folder;
  private final Object lock = new Object();
  private final Map<String, SupervisedProcess> processes = new ConcurrentHashMap<>();
  private final List<Consumer<Exit>> exitListeners = new CopyOnWriteArrayList<>();
  private @Nullable Guard guard;
  private @Nullable Thread exitHook;
  private volatile boolean closed;

  /**
   * A process that ended unasked.
   *
   * @param name the name under which it was started
   * @param exitCode its exit code; 128 + the signal's number if a signal ended it
   */
  public record Exit(String name, int exitCode) {}

  /**
   * A process that listens where one of this cluster's does, and that was not started here. Calando
   * does not end it: whose it is, is not known.
   *
   * @param server whose port it has
   * @param says who it is, where it listens, and that it is none of ours
   */
  public record Stranger(String server, String says) {}

  /** The processes that are recorded in a folder, and those to be started in it. */
  public ProcessGroup(RunFolder folder) {
    this.folder = folder;
  }

  /** Where the folder is; absolute. */
  public Path folder() {
    return folder.path();
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<Exit> listener) {
    exitListeners.add(listener);
  }

  /**
   * Starts a process and records it; returns at once.
   *
   * @param files writes what the process needs and says what to start; nothing removes the folder
   *     meanwhile
   * @throws FailedWorkException if all has been closed, also by another process, or the process
   *     cannot be started
   */
  public SupervisedProcess launch(Supplier<SupervisedProcess.Spec> files) {
    synchronized (lock) {
      requireOpen();
      SupervisedProcess.Spec spec = files.get();
      SupervisedProcess process =
          SupervisedProcess.start(spec, exitCode -> tell(new Exit(spec.name(), exitCode)));
      try {
        folder.record(spec.name(), process.identity());
      } catch (RuntimeException e) {
        // Nobody would ever end it.
        process.kill();
        throw e;
      }
      processes.put(spec.name(), process);
      return process;
    }
  }

  private void tell(Exit exit) {
    if (!closed) {
      exitListeners.forEach(listener -> listener.accept(exit));
    }
  }

  /** Fails if one of the named processes does not run, or all has been closed. */
  public void requireAlive(List<String> names) {
    requireOpen();
    for (String name : names) {
      SupervisedProcess process = processes.get(name);
      // Asked once: one that ends between two questions would be told without its log.
      if (process != null) {
        if (!process.isAlive()) {
          throw process.failure("ended");
        }
      } else if (!isRunning(name)) {
        throw new FailedWorkException(name + " is not running", "", "restart it");
      }
    }
  }

  /**
   * Refuses if a process runs.
   *
   * @throws BadRequestException if it does
   */
  public void requireStopped(String name) {
    if (isRunning(name)) {
      throw new BadRequestException(name + " is running", "", "stop it first");
    }
  }

  /**
   * Waits until the named processes are up.
   *
   * @param log the name of their logs
   * @throws FailedWorkException if one of them ends, or they are not up in time
   */
  public void await(List<String> names, BooleanSupplier up, Duration timeout, String log) {
    poll(
        names,
        () -> {
          requireAlive(names);
          return up.getAsBoolean();
        },
        timeout,
        log);
  }

  /**
   * The same, but that {@code up} sees to processes that end.
   *
   * @throws FailedWorkException if they are not up in time, or as {@code up} throws
   */
  public void poll(List<String> names, BooleanSupplier up, Duration timeout, String log) {
    if (!SupervisedProcess.poll(up, timeout)) {
      throw new FailedWorkException(
          "not up after " + timeout.toSeconds() + " s: " + String.join(", ", names),
          folder().toString(),
          "look into the servers' " + log + "; on a slow machine allow more time");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new FailedWorkException("the cluster has been closed", folder().toString(), "");
    }
  }

  /** Ends a process: SIGTERM and after the grace SIGKILL; with no grace SIGKILL at once. */
  public void end(String name, Duration grace) {
    SupervisedProcess process = processes.get(name);
    boolean isOwn = process != null && process.isAlive(); // else others may have started it anew
    if (process != null && isOwn && grace.isZero()) {
      process.kill();
    } else if (process != null && isOwn) {
      process.stop(grace);
    } else {
      recorded(name).ifPresent(identity -> ProcessIdentity.end(List.of(identity), grace.toNanos()));
    }
  }

  /** The process last started under a name. */
  public Optional<ProcessIdentity> recorded(String name) {
    return folder.state().children().stream()
        .filter(child -> child.name().equals(name))
        .map(RunState.Child::process)
        .findFirst();
  }

  /** Whether the process last started under a name runs. */
  public boolean isRunning(String name) {
    return recorded(name).filter(ProcessIdentity::isAlive).isPresent();
  }

  /**
   * Processes that listen in place of those that do not run; also once all have been ended.
   *
   * @param ports one of each process, whose name is the port's purpose
   */
  public List<Stranger> strangers(List<Ports.Endpoint> ports) {
    List<Stranger> strangers = new ArrayList<>();
    for (Ports.Endpoint port : ports) {
      // Asked before and after: one of ours may be starting, or ending.
      Optional<String> listener =
          isRunning(port.purpose()) ? Optional.empty() : Ports.listener(port);
      if (listener.isPresent() && !isRunning(port.purpose())) {
        String says =
            "%s listens at %s:%d as %s of %s, and Calando did not start it"
                .formatted(
                    listener.get(),
                    port.address(),
                    port.port(),
                    port.purpose(),
                    folder.state().engine());
        strangers.add(new Stranger(port.purpose(), says));
      }
    }
    return strangers;
  }

  /** All that run. */
  public List<ProcessIdentity> running() {
    return folder.state().children().stream()
        .map(RunState.Child::process)
        .filter(ProcessIdentity::isAlive)
        .toList();
  }

  /** Ends all at once and removes the folder; idempotent. */
  public void discard() {
    synchronized (lock) {
      closed = true;
    }
    processes.values().forEach(SupervisedProcess::requestKill);
    boolean gone = ProcessIdentity.end(running(), 0);
    folder.remove();
    releaseGuard();
    requireGone(gone);
  }

  /**
   * From here on, the end of this process in any way ends the cluster.
   *
   * @throws FailedWorkException if this process is ending already; all has been removed then
   */
  public void guardAgainstCrash() {
    guard = Guard.over(folder);
    Thread hook = new Thread(this::discard, "calando-local-exit");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      discard();
      throw new FailedWorkException(
          "this process is ending", folder().toString(), "repeat the command", ending);
    }
    exitHook = hook;
  }

  /**
   * Lets the cluster outlive this process.
   *
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  public void keep() {
    synchronized (lock) {
      requireOpen();
      releaseGuard();
    }
  }

  /** Whether the end of this process ends the cluster. */
  public boolean isGuarded() {
    synchronized (lock) {
      return guard != null;
    }
  }

  private void releaseGuard() {
    synchronized (lock) {
      if (guard != null) {
        guard.release();
        guard = null;
      }
      if (exitHook != null) {
        try {
          Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException exiting) {
          // it is running, or about to
        }
        exitHook = null;
      }
    }
  }

  private void requireGone(boolean gone) {
    if (!gone) {
      throw new FailedWorkException("a process outlived SIGKILL", folder().toString(), "");
    }
  }
}
