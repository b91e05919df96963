package org.calando.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.process.Leftovers;
import org.calando.local.process.Ports;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.ProcessIdentity;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;

/**
 * A cluster of real servers on the loopback interface, a process each. Servers go by their names;
 * nodes are {@code n1} to {@code nN} and go by their numbers too. Thread safe; {@link #close} may
 * be called while another method waits, which then fails.
 *
 * <p>A temporary cluster dies with this process, however this process ends, and leaves nothing
 * behind. So does one with a state folder until {@link #keep} is called; from then on it runs on,
 * and the engine's {@code attach} finds it again.
 *
 * @param <C> the engine's configuration
 */
public abstract class LocalCluster<C extends LocalConfig> implements AutoCloseable {
  private final C config;
  private final Engine engine;
  private final ProcessGroup processes;

  /**
   * What clusters of an engine have in common.
   *
   * @param name in messages, folders and files
   * @param stopGrace how long a server may take to end by SIGTERM before SIGKILL
   * @param log the name of the servers' logs
   */
  public record Engine(String name, Duration stopGrace, String log) {}

  /** What a server is started with. */
  @FunctionalInterface
  protected interface Preparation {
    /** Writes the server's files and returns its command line. */
    List<String> command() throws IOException;
  }

  /** A cluster in its folder, of which no process need run. */
  protected LocalCluster(C config, Engine engine, RunFolder folder) {
    this.config = config;
    this.engine = engine;
    this.processes = new ProcessGroup(folder);
  }

  /**
   * Makes the folder and starts all servers in it. They die with this process, also with a state
   * folder, until {@link #keep}.
   *
   * @param state the configuration and what was chosen, for the state file
   * @param cluster makes the cluster of the folder
   * @throws FailedWorkException if a server does not come up: everything has been removed again
   *     then
   */
  protected static <L extends LocalCluster<?>> L start(
      LocalConfig config, Engine engine, ObjectNode state, Function<RunFolder, L> cluster) {
    RunFolder folder = RunFolder.of(config.stateFolder(), engine.name(), state);
    L started;
    try {
      started = cluster.apply(folder);
    } catch (RuntimeException | Error e) {
      folder.remove();
      throw e;
    }
    started.processes().guardAgainstCrash();
    try {
      started.startServers();
    } catch (RuntimeException | Error e) {
      started.shutdown();
      throw e;
    }
    return started;
  }

  /**
   * Starts a cluster that stays until it is stopped. If this process ends before it is fit to be
   * left, so does the cluster.
   *
   * @param start starts it, with a state folder
   * @param fit makes it fit to be left
   * @throws org.calando.core.CalandoException if that fails; nothing is left then
   */
  public static <L extends LocalCluster<?>> L leave(Supplier<L> start, Consumer<L> fit) {
    Leftovers.sweep();
    L cluster = start.get();
    try {
      fit.accept(cluster);
      cluster.keep();
    } catch (RuntimeException | Error e) {
      cluster.shutdown();
      throw e;
    }
    return cluster;
  }

  /**
   * Finds a cluster that was started with a state folder.
   *
   * @param cluster makes the cluster of the folder
   * @throws BadRequestException if the folder holds none
   */
  protected static <L extends LocalCluster<?>> L attach(
      Path stateFolder, Engine engine, Function<RunFolder, L> cluster) {
    try {
      return cluster.apply(RunFolder.open(stateFolder));
    } catch (IOException e) {
      throw RunFolder.missing(stateFolder, engine.name());
    }
  }

  /**
   * Lets a cluster with a state folder outlive this process; to be called when it is fit to be
   * left. Idempotent.
   *
   * @throws IllegalStateException if it is a temporary one
   * @throws FailedWorkException if it has been closed, for example because this process is to end
   */
  public void keep() {
    if (config.stateFolder().isEmpty()) {
      throw new IllegalStateException("a temporary cluster cannot be kept");
    }
    processes.keep();
  }

  /** What the cluster looks like. */
  public final C config() {
    return config;
  }

  /** The run or state folder. */
  public final Path folder() {
    return processes.folder();
  }

  /** Adds a listener that is told, from a thread of the JDK, of each process that ends unasked. */
  public void onUnexpectedExit(Consumer<ProcessGroup.Exit> listener) {
    processes.onUnexpectedExit(listener);
  }

  /** Whether the process of a server runs. */
  public final boolean isRunning(String server) {
    return processes.isRunning(known(server));
  }

  /** Whether the process of node i (1 to N) runs. */
  public final boolean isRunning(int node) {
    return isRunning(name(node));
  }

  /** Whether a server runs and serves. */
  public abstract boolean isUp(String server);

  /** Whether node i (1 to N) runs and serves. */
  public final boolean isUp(int node) {
    return isUp(name(node));
  }

  /**
   * Starts a stopped or killed server, with what it stored, and returns at once; {@link #isUp}
   * tells when it serves.
   *
   * @throws BadRequestException if it is running
   */
  public final void launch(String server) {
    processes.requireStopped(known(server));
    startServer(server);
  }

  /** Starts those of some servers that do not run, as {@link #launch(String)} does; their names. */
  public final List<String> launchMissing(List<String> servers) {
    List<String> missing = servers.stream().filter(server -> !isRunning(server)).toList();
    missing.forEach(this::launch);
    return missing;
  }

  /** Starts node i (1 to N) as {@link #launch(String)} does. */
  public final void launch(int node) {
    launch(name(node));
  }

  /** Stops a server by SIGTERM, after a grace by SIGKILL, and returns when it is gone. */
  public final void stop(String server) {
    processes.end(known(server), engine.stopGrace());
  }

  /** Stops node i (1 to N) as {@link #stop(String)} does. */
  public final void stop(int node) {
    stop(name(node));
  }

  /** Kills a server by SIGKILL and returns when it is gone. */
  public final void kill(String server) {
    processes.end(known(server), Duration.ZERO);
  }

  /** Kills node i (1 to N) by SIGKILL and returns when it is gone. */
  public final void kill(int node) {
    kill(name(node));
  }

  /** Ends a cluster at once and removes its folder, unless it is kept: that runs on. Idempotent. */
  @Override
  public final void close() {
    if (config.stateFolder().isEmpty() || processes.isGuarded()) {
      shutdown();
    }
  }

  /** Ends every process of the cluster and removes its folder, also of one that was kept. */
  public void shutdown() {
    processes.discard();
  }

  /** The names of all servers. */
  public abstract List<String> servers();

  /** Starts all for the first time and waits until they serve. */
  protected abstract void startServers();

  /** Starts a server that does not run; returns at once. */
  protected abstract void startServer(String server);

  /** The names of the nodes, n1 first. */
  public final List<String> nodeNames() {
    return IntStream.rangeClosed(1, config.nodes()).mapToObj(node -> "n" + node).toList();
  }

  /** The processes. */
  protected final ProcessGroup processes() {
    return processes;
  }

  /** The id of the process of a server last started, or 0. */
  public final long pid(String server) {
    return process(known(server)).pid();
  }

  /** The process of a server last started, or 0. */
  protected final ProcessIdentity process(String server) {
    return processes.recorded(server).orElse(new ProcessIdentity(0, 0));
  }

  /**
   * Starts a process in a folder of its own name; returns at once.
   *
   * @param tethered whether it can be tied to this process by a pipe, if the cluster is temporary
   * @throws FailedWorkException if its files cannot be written, or it cannot be started
   */
  protected final SupervisedProcess launch(
      String name, String server, boolean tethered, Preparation preparation) {
    Path own = folder().resolve(server);
    return processes.launch(
        () -> {
          try {
            List<String> command = preparation.command();
            return new SupervisedProcess.Spec(
                name, command, own, own.resolve(engine.log()), tethered && isTethered());
          } catch (IOException e) {
            throw new FailedWorkException(
                "the files of " + server + " cannot be written: " + e,
                own.toString(),
                "free space there",
                e);
          }
        });
  }

  /**
   * Processes that serve in place of servers of the cluster, and were not started by it.
   *
   * @param port where a server of a name listens
   */
  protected final List<ProcessGroup.Stranger> strangers(ToIntFunction<String> port) {
    return processes.strangers(
        servers().stream()
            .map(
                server ->
                    new Ports.Endpoint(ServersConfig.ADDRESS, port.applyAsInt(server), server))
            .toList());
  }

  /** Whether servers die with this process by a pipe. */
  protected final boolean isTethered() {
    return config.stateFolder().isEmpty();
  }

  /**
   * Waits until servers are up.
   *
   * @throws FailedWorkException if one of them ends, or they are not up in time
   */
  protected final void await(List<String> servers, BooleanSupplier up) {
    processes.await(servers, up, config.startTimeout(), engine.log());
  }

  /**
   * The name of node i.
   *
   * @throws BadRequestException if it is not 1 to N
   */
  protected final String name(int node) {
    if (node < 1 || node > config.nodes()) {
      throw new BadRequestException(
          "there is no node " + node, "", "give a number from 1 to " + config.nodes());
    }
    return "n" + node;
  }

  /** The number of a node: what is behind the first letter of its name. */
  protected static int number(String node) {
    return Integer.parseInt(node.substring(1));
  }

  /**
   * A name that is a server's.
   *
   * @throws BadRequestException if it is none
   */
  protected final String known(String server) {
    if (!servers().contains(server)) {
      throw new BadRequestException(
          "there is no server " + server, "", "name one of " + String.join(", ", servers()));
    }
    return server;
  }
}
