package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.calando.agent.LeasedNodes;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.PowerManager;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.engine.redis.RedisRoles;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.slowcores.SlowCores;
import org.calando.slowcores.ThreadKind;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.jspecify.annotations.Nullable;

/**
 * Fail-overs of a real master with two replicas on cores of a fake tree, under a load of writes,
 * while a power manager sets their clocks. Used by one thread.
 */
public final class FailoverTrials {
  /** Nodes of the cluster. */
  public static final int NODES = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How a fail-over is brought about. */
  public enum Kind {
    /** The master is killed; Sentinels choose another; the killed one comes back. */
    KILL,
    /**
     * The master is told to hand over, by FAILOVER, and the others to follow the new one. There are
     * no Sentinels.
     */
    HANDOVER
  }

  /**
   * What was seen.
   *
   * @param slowNanos from each change of a node to master until its clock was fast, by the node's
   *     own word, looked at from outside about each millisecond
   * @param managerNanos of the manager's own count, from the change seen to the clock set: median
   *     and greatest
   * @param writes acknowledged by every replica
   * @param lost of those
   * @param fewer writes acknowledged by the master and not by every replica
   * @param lostOfFewer of those
   * @param restored whether all clocks were as before in the end
   * @param troubles what the manager could not do
   */
  public record Result(
      List<Long> slowNanos,
      List<Long> managerNanos,
      int writes,
      int lost,
      int fewer,
      int lostOfFewer,
      boolean restored,
      List<String> troubles) {
    /** Checks nothing. */
    public Result {
      slowNanos = List.copyOf(slowNanos);
      managerNanos = List.copyOf(managerNanos);
      troubles = List.copyOf(troubles);
    }
  }

  private final Path folder;
  private final ClockPolicy policy;
  private final boolean agents;

  /**
   * Trials.
   *
   * @param folder for everything, of this one alone
   * @param policy the manager's
   * @param agents whether clocks are set through two agents, of one node and of the others, each a
   *     process of its own
   */
  public FailoverTrials(Path folder, ClockPolicy policy, boolean agents) {
    this.folder = folder;
    this.policy = policy;
    this.agents = agents;
  }

  /**
   * Carries them out, one after the other.
   *
   * @throws FailedWorkException if a fail-over does not happen within a minute
   */
  public Result run(Kind kind, int count) {
    FakeClocks clocks = new FakeClocks(folder.resolve("cpu"), NODES);
    Map<String, String> before = clocks.restorable();
    List<String> troubles = new ArrayList<>();
    try (SlowCores cores = SlowCores.start(folder.resolve("slow"), clocks.cpufreq());
        LocalRedis cluster = LocalRedis.start(config(kind, cores))) {
      Seen seen = managed(kind, count, clocks, cores, cluster, troubles);
      return new Result(
          seen.slowNanos(),
          seen.managerNanos(),
          seen.writes().acknowledgedByAll(),
          seen.writes().lostOfThose(),
          seen.writes().acknowledgedByFewer(),
          seen.writes().lostOfFewer(),
          clocks.restorable().equals(before),
          troubles);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Seen(List<Long> slowNanos, List<Long> managerNanos, AckedWrites.Outcome writes) {
    Seen {
      slowNanos = List.copyOf(slowNanos);
      managerNanos = List.copyOf(managerNanos);
    }
  }

  private Seen managed(
      Kind kind,
      int count,
      FakeClocks clocks,
      SlowCores cores,
      LocalRedis cluster,
      List<String> troubles)
      throws IOException {
    List<Integer> ports = cluster.nodes().stream().map(LocalRedisNode::port).toList();
    cluster.nodes().forEach(node -> place(cores, node));
    try (AgentProcess single = agent("one", clocks);
        AgentProcess others = agent("others", clocks);
        LeasedNodes leased = lease(single, others, clocks, troubles)) {
      ManagerConfig config =
          ManagerConfig.of(managedNodes(), policy, PStates.xeonSilver4114())
              .withListener(new Troubles(troubles));
      Map<String, RoleObserver> observers = new LinkedHashMap<>();
      try (PowerManager manager =
              PowerManager.start(
                  config,
                  leased.clocks(),
                  leased.threads(),
                  RedisRoles.watch(watched(cluster), System::nanoTime));
          AckedWrites writes = new AckedWrites(ports)) {
        awaitThat("the replicas are slow", () -> slow(clocks) == NODES - 1);
        for (LocalRedisNode node : cluster.nodes()) {
          observers.put(
              node.name(), new RoleObserver(node.name(), node.port(), node.index() - 1, clocks));
        }
        awaitThat("one says to be the master", () -> masters(observers) == 1);
        for (int i = 0; i < count; i++) {
          failOver(kind, cluster, cores, observers);
          awaitThat("the replicas are slow again", () -> slow(clocks) == NODES - 1);
        }
        int master = masterOf(observers);
        AckedWrites.Outcome outcome =
            writes.check(cluster.nodes().get(master - 1).port(), NODES - 1);
        return new Seen(
            observers.values().stream().flatMap(one -> one.slowTimes().stream()).toList(),
            List.of(manager.raiseNanos(50), manager.raiseNanos(100)),
            outcome);
      } finally {
        observers.values().forEach(RoleObserver::close);
      }
    }
  }

  private @Nullable AgentProcess agent(String name, FakeClocks clocks) {
    return agents ? AgentProcess.start(name, folder, clocks, 0) : null;
  }

  private LeasedNodes lease(
      @Nullable AgentProcess one,
      @Nullable AgentProcess others,
      FakeClocks clocks,
      List<String> troubles) {
    String owner = "fail-over trials";
    LeaseFolders folders = new LeaseFolders(folder.resolve("journals"), folder.resolve("owners"));
    if (one != null && others != null) {
      return LeasedNodes.ofAgents(
          "trials",
          owner,
          List.of(one.node("n1", 0), others.node("n2", 1), others.node("n3", 2)),
          Optional.of(false),
          folders);
    }
    return LeasedNodes.here(
        Machine.at(clocks.root()), folders, owner, cpus(), false, troubles::add);
  }

  private LocalRedisConfig config(Kind kind, SlowCores cores) {
    return LocalRedisConfig.builder()
        .nodes(NODES)
        .sentinels(kind == Kind.KILL ? 3 : 0)
        .binary(cores.slowable(Path.of("/usr/bin/redis-server")).toString())
        .build();
  }

  private static RoleMonitorConfig watched(LocalRedis cluster) {
    RoleMonitorConfig watched =
        RoleMonitorConfig.of(cluster.nodes().stream().map(FailoverTrials::address).toList());
    return cluster.sentinels().isEmpty()
        ? watched
        : watched.withSentinels(
            cluster.sentinels().stream().map(FailoverTrials::address).toList(),
            LocalRedisConfig.MASTER_NAME);
  }

  private static RedisNode address(LocalRedisNode node) {
    return new RedisNode(node.name(), node.address(), node.port());
  }

  private static Map<String, CpuSet> cpus() {
    Map<String, CpuSet> cpus = new LinkedHashMap<>();
    managedNodes().forEach(node -> cpus.put(node.name(), node.cpus()));
    return cpus;
  }

  private static List<ManagedNode> managedNodes() {
    return IntStream.range(0, NODES)
        .mapToObj(cpu -> ManagedNode.of("n" + (cpu + 1), CpuSet.of(cpu)))
        .toList();
  }

  private static void place(SlowCores cores, LocalRedisNode node) {
    for (ThreadKind kind : ThreadKind.values()) {
      cores.place(node.pid(), kind, node.index() - 1);
    }
  }

  private static void failOver(
      Kind kind, LocalRedis cluster, SlowCores cores, Map<String, RoleObserver> observers) {
    int old = masterOf(observers);
    if (kind == Kind.KILL) {
      cluster.kill(old);
    } else {
      RedisHandover.to(cluster, old % NODES + 1);
    }
    awaitThat(
        "another says to be the master",
        () -> masters(observers) == 1 && masterOf(observers) != old);
    if (kind == Kind.KILL) {
      cluster.launch(old);
    }
    cluster.awaitAllUp();
    place(cores, cluster.nodes().get(old - 1));
    awaitThat("one alone says to be the master", () -> masters(observers) == 1);
  }

  private static long masters(Map<String, RoleObserver> observers) {
    return observers.values().stream().filter(RoleObserver::isMaster).count();
  }

  private static int masterOf(Map<String, RoleObserver> observers) {
    int index = 0;
    for (RoleObserver observer : observers.values()) {
      index++;
      if (observer.isMaster()) {
        return index;
      }
    }
    return 0;
  }

  private static long slow(FakeClocks clocks) {
    return IntStream.range(0, NODES)
        .filter(cpu -> clocks.kiloHertz(cpu) > 0 && clocks.kiloHertz(cpu) < FakeClocks.FASTEST)
        .count();
  }

  /** Looks every few milliseconds; nobody tells when it holds. */
  private static void awaitThat(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new FailedWorkException(
            "it did not happen within " + PATIENCE.toSeconds() + " s that " + what,
            "fail-over trial",
            "look at the servers' logs");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
