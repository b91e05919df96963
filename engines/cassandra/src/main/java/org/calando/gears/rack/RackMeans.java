package org.calando.gears.rack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.calando.control.Patience;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.KeyspaceReplicas;
import org.calando.core.time.DaemonThread;
import org.calando.gears.rack.RackState.Shift;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.gear.RackServers;

/**
 * What shifts of racks work with. Immutable; thread safe as its parts are.
 *
 * @param servers the nodes
 * @param board their switches
 * @param path of the file that says which racks are off
 * @param keeps copies that stay on
 * @param patience how long parts may take
 * @param named options of the commands that name this cluster, such as {@code --local cassandra}
 * @param changed runs after plans that may have given nodes other processes
 * @param offSeconds from the order to power off of a node
 */
public record RackMeans(
    RackServers servers,
    SwitchBoard board,
    Path path,
    KeptCopies keeps,
    Patience patience,
    String named,
    Runnable changed,
    double offSeconds) {
  private static final int MOST_ASKED = 32;

  /** What has nodes answer. */
  static final String ANSWER =
      "start it; or correct its jmx in the inventory, or the login (jmx-user) of the study on it";

  /** Has the path be the same however it was written. */
  public RackMeans {
    path = real(path);
  }

  private static Path real(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    Path folder = whole.getParent();
    try {
      return folder == null ? whole : folder.toRealPath().resolve(folder.relativize(whole));
    } catch (IOException e) {
      // There is no such folder yet.
      return whole;
    }
  }

  /** Which cluster it is, in words that are the same whichever of its nodes answer. */
  public String target() {
    Path folder = path.getParent();
    return servers.target() + "-" + Integer.toHexString(String.valueOf(folder).hashCode());
  }

  /** A line for people. */
  void tell(String line) {
    board.news().accept(line);
  }

  RackState state() {
    return RackState.FILE.read(path);
  }

  void write(RackState state) {
    RackState.FILE.write(state, path);
  }

  /** A gear command about this cluster, as an operator types it. */
  public String command(String name) {
    return "./calando gear " + name + (named.isEmpty() ? "" : " " + named);
  }

  /** Names of the nodes that are on while some racks are off, those that joined since too. */
  List<String> on(RackState state, SortedSet<String> off) {
    Set<String> away = Set.copyOf(state.nodesOf(off));
    return servers.names().stream().filter(name -> !away.contains(name)).toList();
  }

  /** For how long racks are off by now, in seconds; see {@link RackState#offSeconds}. */
  OptionalLong offSeconds(RackState state) {
    List<NodeSight> staying = sights(on(state, state.mayBeOff(true)));
    return state.offSeconds(System.currentTimeMillis(), staying);
  }

  /** What all nodes report that answer; they are asked beside each other, as some may hang. */
  List<NodeSight> sights(Collection<String> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    ExecutorService asks = DaemonThread.pool("calando-look", Math.min(MOST_ASKED, names.size()));
    List<NodeSight> sights = new ArrayList<>();
    try {
      List<Future<Optional<NodeSight>>> answers = new ArrayList<>();
      names.forEach(name -> answers.add(asks.submit(() -> servers.sight(name))));
      for (Future<Optional<NodeSight>> answer : answers) {
        answer.get().ifPresent(sights::add);
      }
    } catch (InterruptedException e) {
      // As if the others had not answered: whoever waits next ends.
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CalandoException known
          ? known
          : new IllegalStateException("a look", e.getCause());
    } finally {
      asks.shutdownNow();
    }
    return sights;
  }

  /** Names of the nodes that come on; those that are not listed any more are to have left. */
  List<String> coming(RackState state, Shift shift) {
    return listed(state.nodesOf(shift.coming())).stream()
        .filter(name -> !shift.without().contains(name))
        .toList();
  }

  /** Those of some nodes that are listed: no other can be asked. */
  List<String> listed(List<String> names) {
    return names.stream().filter(servers.names()::contains).toList();
  }

  /** Replicas of the keyspaces that clients rely on, as the first of some nodes tells. */
  List<KeyspaceReplicas> relied(List<NodeSight> sights) {
    Map<String, String> names = new TreeMap<>();
    // Those that do not answer are not among them.
    state().nodes().forEach(each -> names.put(each.hostId(), each.node().name()));
    sights.forEach(sight -> names.put(sight.hostId(), sight.node().name()));
    return servers.replicas(sights.get(0).node().name(), names).relied();
  }

  /**
   * What nodes report.
   *
   * @throws FailedWorkException if one does not answer
   */
  List<NodeSight> all(Collection<String> names) {
    List<NodeSight> sights = sights(names);
    Set<String> silent = new LinkedHashSet<>(names);
    sights.forEach(sight -> silent.remove(sight.node().name()));
    for (String name : silent) {
      throw new FailedWorkException(silence(name), "node " + name, ANSWER);
    }
    return sights;
  }

  /** That a node does not answer, and why, as far as it is known. */
  String silence(String node) {
    return "does not answer over JMX" + servers.silence(node);
  }
}
