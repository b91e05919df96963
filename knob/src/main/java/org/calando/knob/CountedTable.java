package org.calando.knob;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Observation;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ReadRoute;
import org.calando.core.time.Scheduler;

/*
 *   counts of requests, by the servers  --> rates            each time that is asked
 *   roles and lags of replicas          --> lags, live       ten times a second
 *
 * No canary writes here: where there is a master, what replicas lack is told by their offsets, and where each key is on one
 * server, nothing is late.
 */
/**
 * What is known of a table whose servers count requests, and where one of them is the master tell
 * how late the others are. Thread safe.
 */
public final class CountedTable implements TableTelemetry {
  /** From one look at the lags to the next. */
  static final long LOOK_NANOS = 100_000_000L;

  /** Looks that are remembered: ten seconds. */
  private static final int LOOKS = 100;

  private final Settings settings;
  private final int replicas;
  private final ClientRequests requests;
  private final Optional<ReadRoute> route;
  private final Supplier<Set<String>> off;
  private final Scheduler scheduler;
  private volatile boolean closed;

  // Guarded by this.
  private final Deque<double[]> lags = new ArrayDeque<>();
  private final Set<String> servers = new TreeSet<>();
  private long lookedNanos;
  private final Map<String, Rate> rates = new TreeMap<>();
  private Optional<Observation.Rates> last = Optional.empty();
  private long asked;

  private CountedTable(
      Settings settings,
      int replicas,
      ClientRequests requests,
      Optional<ReadRoute> route,
      Supplier<Set<String>> off,
      Scheduler scheduler) {
    this.settings = settings;
    this.replicas = replicas;
    this.requests = requests;
    this.route = route;
    this.off = off;
    this.scheduler = scheduler;
  }

  /**
   * Begins to look.
   *
   * @param requests counts; closed with this
   * @param route where reads go, where there is a master; empty where each key is on one server
   * @param off names of nodes that are off by order: they are asked nothing
   * @param scheduler of looks; stays open. Its clock is that of roles
   */
  public static CountedTable begin(
      Settings settings,
      ClientRequests requests,
      Optional<ReadRoute> route,
      Supplier<Set<String>> off,
      Scheduler scheduler) {
    int replicas = route.isPresent() ? settings.replicas() : 1;
    CountedTable table = new CountedTable(settings, replicas, requests, route, off, scheduler);
    if (route.isPresent()) {
      table.look(scheduler.clock().nanos());
    }
    return table;
  }

  private void look(long planned) {
    if (closed) {
      return;
    }
    long now = scheduler.clock().nanos();
    double[] row = late(roles(), now);
    synchronized (this) {
      lags.addLast(row);
      lookedNanos = now;
      if (lags.size() > LOOKS) {
        lags.removeFirst();
      }
    }
    long next = Math.max(now, planned + LOOK_NANOS);
    scheduler.at(next, () -> look(next));
  }

  private List<NodeView> roles() {
    return route.map(ReadRoute::roles).orElse(List.of());
  }

  /** Of a write: the master has it, and the latest of all replicas get it last. */
  private double[] late(List<NodeView> roles, long now) {
    double[] seconds =
        roles.stream()
            .filter(view -> view.role() != Role.MASTER)
            .map(view -> view.lateNanos(now))
            .mapToDouble(late -> late.isPresent() ? seconds(late) : Double.POSITIVE_INFINITY)
            .sorted()
            .toArray();
    double[] row = new double[replicas];
    Arrays.fill(row, Double.POSITIVE_INFINITY);
    row[0] = 0;
    int known = Math.min(replicas - 1, seconds.length);
    System.arraycopy(seconds, seconds.length - known, row, 1, known);
    return row;
  }

  private static double seconds(OptionalLong nanos) {
    return Math.max(0, nanos.getAsLong() / 1e9);
  }

  /** Names of the nodes that have answered clients since this began. */
  public synchronized Set<String> servers() {
    return Set.copyOf(servers);
  }

  @Override
  public CompletionStage<Observation> observe(Optional<Observation.Popularity> popularity) {
    synchronized (this) {
      asked++;
    }
    return requests.ask().thenApply(counts -> observed(counts.nodes(), popularity));
  }

  private synchronized Observation observed(
      Map<String, Count> now, Optional<Observation.Popularity> popularity) {
    count(now);
    servers.addAll(rates.keySet());
    rates.keySet().removeAll(off.get());
    // A server that has just begun tells nothing yet: what was known of all grows old meanwhile.
    last =
        rates().filter(each -> each.readsPerSecond() + each.writesPerSecond() >= 0).or(() -> last);
    Optional<Observation.Lags> known =
        lags.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Observation.Lags(
                    lookedNanos, PropagationLags.of(replicas, lags.toArray(double[][]::new))));
    return new Observation(
        scheduler.clock().nanos(),
        target(),
        replicas,
        Math.min(replicas, settings.write().replicas(replicas)),
        live(),
        0,
        last,
        known,
        popularity,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** Replicas of each key that follow, with the master. */
  private int live() {
    int away = (int) roles().stream().filter(view -> !follows(view)).count();
    return Math.max(0, replicas - away);
  }

  private static boolean follows(NodeView view) {
    return view.role() == Role.MASTER || (view.role() == Role.REPLICA && view.word().linkUp());
  }

  /**
   * Servers tell each at its own time; one that is silent has what it told last, which grows old.
   */
  private void count(Map<String, Count> now) {
    now.forEach(
        (server, to) -> {
          Rate last = rates.get(server);
          if (to.life() == 0) {
            rates.remove(server); // off by order, or none that answers clients
          } else if (last == null || last.count().life() != to.life()) {
            rates.put(server, new Rate(to, Double.NaN, Double.NaN));
          } else if (to.atNanos() > last.count().atNanos()) {
            rates.put(server, last.then(to));
          }
        });
  }

  /** A server's own clock may be a little ahead. */
  private Optional<Observation.Rates> rates() {
    long now = scheduler.clock().nanos();
    return rates.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Observation.Rates(
                rates.values().stream()
                    .mapToLong(each -> Math.min(now, each.count().atNanos()))
                    .min()
                    .orElse(now),
                rates.values().stream().mapToDouble(Rate::readsPerSecond).sum(),
                rates.values().stream().mapToDouble(Rate::writesPerSecond).sum(),
                Double.NaN));
  }

  /** What a server was asked over its last two counts; not a number before there are two. */
  private record Rate(Count count, double readsPerSecond, double writesPerSecond) {
    Rate then(Count to) {
      double seconds = (to.atNanos() - count.atNanos()) / 1e9;
      return new Rate(
          to,
          Math.max(0, to.reads() - count.reads()) / seconds,
          Math.max(0, to.writes() - count.writes()) / seconds);
    }
  }

  @Override
  public void decided() {}

  @Override
  public String target() {
    return route.map(ReadRoute::table).orElse(settings.table());
  }

  @Override
  public synchronized Cost cost() {
    return new Cost(asked, 0);
  }

  @Override
  public Optional<String> failures() {
    return Optional.empty();
  }

  @Override
  public void close() {
    closed = true;
    requests.close();
  }
}
