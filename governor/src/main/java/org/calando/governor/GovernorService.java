package org.calando.governor;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.clock.LeaseFolders;
import org.calando.core.BadRequestException;
import org.calando.core.Closing;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.observe.Promised;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.RealTimeScheduler;
import org.calando.governor.audit.AuditLog;
import org.calando.governor.history.History;
import org.calando.governor.sessions.ClusterSessions;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/**
 * Observes clusters of a user, and controls their knobs where its file says so, until it is closed;
 * then they are as before. A cluster that cannot be reached, or fails, is tried again and keeps
 * none of the others waiting. Thread safe.
 */
public final class GovernorService implements AutoCloseable {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(45);
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final GovernedCluster.Means means;
  private final Instant begun;
  private final HistoryKeeper history;
  private final Object changing = new Object();
  private final Map<String, CompletableFuture<?>> ending = new ConcurrentHashMap<>();
  private final RealTimeScheduler ticks = new RealTimeScheduler("calando-orders");
  private final Operators operators;
  private volatile Map<String, GovernedCluster> clusters = Map.of();

  private GovernorService(GovernedCluster.Means means) {
    this.means = means;
    this.begun = means.clock().instant();
    this.operators =
        new Operators(
            name -> Optional.ofNullable(clusters.get(name)), means.notes(), means.clock());
    this.history =
        new HistoryKeeper(this::states, means.decisions()::history, means.clock(), means.news());
  }

  /**
   * A service that has not begun.
   *
   * @param spec what the file says
   * @param base folder that relative paths of the file are relative to
   * @param folders where it is noted how knobs were
   * @param owner who has them, for others who are refused
   * @throws org.calando.core.CalandoException if what is kept of orders is damaged
   */
  public static GovernorService of(
      ServiceSpec spec,
      Path base,
      LeaseFolders folders,
      String owner,
      DecisionFolders decisions,
      GovernorNews news) {
    InstantSource clock = InstantSource.system();
    List<String> names = spec.clusters().stream().map(ServiceSpec.Cluster::name).toList();
    GovernorNotes notes =
        spec.attended()
            ? GovernorNotes.none(clock)
            : GovernorNotes.open(decisions.governor(), names, clock, news::trouble);
    GovernorService service =
        new GovernorService(
            new GovernedCluster.Means(
                base, folders, owner, decisions, news, spec.attended(), clock, notes));
    Map<String, GovernedCluster> all = new LinkedHashMap<>();
    spec.clusters().forEach(each -> all.put(each.name(), new GovernedCluster(each, service.means)));
    service.clusters = all;
    service.tick();
    return service;
  }

  /** Orders end by themselves; what came of calls and could not be written is tried again. */
  private void tick() {
    means.notes().orders().tick();
    means.notes().audit().ifPresent(AuditLog::settle);
    ticks.at(ticks.clock().nanos() + TICK_NANOS, this::tick);
  }

  /**
   * Begins with all clusters at once, and waits until each is controlled, or has failed once; for
   * those that hang not longer than 45 s, which is more than a claim of another takes to be
   * renewed.
   *
   * @throws BadRequestException if a cluster does not offer a knob, or it has another owner, or
   *     nothing measures a promise; all are as before when this is closed
   */
  public void begin() throws InterruptedException {
    long end = System.nanoTime() + FIRST_NANOS;
    List<GovernedCluster> all = List.copyOf(clusters.values());
    recheck(all);
    all.forEach(GovernedCluster::start);
    history.start();
    for (GovernedCluster cluster : all) {
      Optional<BadRequestException> refused;
      try {
        refused = cluster.first().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        continue; // It is tried again, and reported.
      } catch (ExecutionException e) {
        throw new IllegalStateException("never completed so", e);
      }
      if (refused.isPresent()) {
        throw refused.get();
      }
    }
  }

  /**
   * Refuses a file that cannot take the place of the one in force.
   *
   * @throws BadRequestException if somebody sees to one of them only: what fails would end what ran
   *     on, or run on unseen
   */
  public void requireReloadable(ServiceSpec spec) {
    if (spec.attended() != means.attended()) {
      throw new BadRequestException(
          spec.attended()
              ? "it is now a short form of one cluster, and was a file of clusters"
              : "it is now a file of clusters, and was a short form of one",
          "",
          "end the governor and start it again");
    }
  }

  /**
   * Puts another file in force and does not wait: clusters that are no longer in it end, those that
   * are the same go on, those that are new begin. One that changed begins when what was before of
   * its name has ended: its knobs never have two owners. A knob that is not as before then is
   * reported.
   */
  public void reload(List<ServiceSpec.Cluster> specs) {
    synchronized (changing) {
      change(specs);
    }
  }

  private void change(List<ServiceSpec.Cluster> specs) {
    Map<String, GovernedCluster> before = clusters;
    Map<String, GovernedCluster> next = new LinkedHashMap<>();
    List<GovernedCluster> fresh = new ArrayList<>();
    for (ServiceSpec.Cluster spec : specs) {
      @Nullable GovernedCluster known = before.get(spec.name());
      if (known != null && known.spec().equals(spec)) {
        next.put(spec.name(), known);
      } else {
        GovernedCluster cluster = new GovernedCluster(spec, means);
        next.put(spec.name(), cluster);
        fresh.add(cluster);
      }
    }
    clusters = next;
    recheck(fresh);
    before.values().stream().filter(each -> !next.containsValue(each)).forEach(this::endBeside);
    for (GovernedCluster cluster : fresh) {
      var unused = ended(cluster).whenComplete((ended, failed) -> cluster.start());
    }
  }

  /** Orders were legal by the file of their time. */
  private void recheck(List<GovernedCluster> fresh) {
    if (notes().audit().isPresent()) {
      fresh.forEach(each -> operators.recheck(each, means.news()::trouble));
    }
  }

  /** When all that was before of a cluster's name has ended. */
  private CompletableFuture<?> ended(GovernedCluster cluster) {
    return ending.getOrDefault(cluster.spec().name(), CompletableFuture.completedFuture(null));
  }

  private void endBeside(GovernedCluster cluster) {
    String name = cluster.spec().name();
    cluster.stop();
    CompletableFuture<?> end =
        ended(cluster)
            .handleAsync(
                (before, failed) -> {
                  end(cluster);
                  return name;
                },
                work -> DaemonThread.start("calando-" + name + "-ends", work));
    ending.put(name, end);
    var unused = end.whenComplete((ended, failed) -> ending.remove(name, end));
  }

  private void end(GovernedCluster cluster) {
    try {
      cluster.close();
    } catch (RuntimeException e) {
      means
          .news()
          .accept(
              cluster.spec().name()
                  + ": a knob of the file before is not restored: "
                  + e.getMessage());
      throw e;
    }
  }

  /** How each cluster stands, in the file's order. */
  public List<ClusterState> states() {
    return clusters.values().stream().map(GovernedCluster::state).toList();
  }

  /** What it keeps of itself. */
  public GovernorNotes notes() {
    return means.notes();
  }

  /** Takes what operators ask to be changed. */
  public Operators operators() {
    return operators;
  }

  /**
   * Takes the report of an application's session.
   *
   * @return what it is answered, after a second at most; empty if there is no such cluster, or its
   *     sessions are not governed; fails if there is nobody to answer now
   */
  public CompletionStage<Optional<String>> exchange(String cluster, String report) {
    return sessions(cluster)
        .map(governed -> governed.exchange(report).thenApply(Optional::of))
        .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
  }

  /** The governed sessions of a cluster's applications; empty if none are governed. */
  public Optional<ClusterSessions> sessions(String cluster) {
    return Optional.ofNullable(clusters.get(cluster)).flatMap(GovernedCluster::sessions);
  }

  /** A cluster's past, minute by minute; empty if there is no such cluster. */
  public Optional<History> history(String cluster) {
    return Optional.ofNullable(clusters.get(cluster)).map(each -> history.of(cluster));
  }

  /** What energy of a cluster costs; nothing is known of it where there is no such cluster. */
  public EnergyPricing pricing(String cluster) {
    return Optional.ofNullable(clusters.get(cluster))
        .map(each -> each.spec().power().pricing())
        .orElse(EnergyPricing.NONE);
  }

  /** Whether operators may order another limit of a cluster's promise than the file's. */
  public boolean canChangePromise(String cluster, Promised promise) {
    return Optional.ofNullable(clusters.get(cluster))
        .map(each -> OrderLimits.canChange(each.spec(), promise))
        .orElse(false);
  }

  /** Whether every cluster is still looked after. */
  public boolean isAlive() {
    return clusters.values().stream().allMatch(GovernedCluster::isAlive);
  }

  /**
   * Why it is to end, if somebody sees to it: a knob could not be taken, or a shift has failed;
   * empty while nothing has, and if what fails is tried again.
   */
  public Optional<Throwable> failure() {
    return clusters.values().stream().flatMap(each -> each.failure().stream()).findFirst();
  }

  /** When it began. */
  public Instant begun() {
    return begun;
  }

  /**
   * {@inheritDoc} All clusters end at once, each in its own threads.
   *
   * @throws org.calando.core.CalandoException if a knob is not as before
   */
  @Override
  public void close() {
    synchronized (changing) {
      List<AutoCloseable> parts = new ArrayList<>(clusters.values());
      parts.add(history);
      clusters.values().forEach(GovernedCluster::stop);
      ending.values().forEach(end -> parts.add(() -> join(end)));
      parts.add(ticks);
      parts.add(means.notes());
      Closing.all(parts);
    }
  }

  private static void join(CompletableFuture<?> end) {
    try {
      var unused = end.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failed ? failed : e;
    }
  }
}
