package org.calando.governor;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.clock.LeaseFolders;
import org.calando.studyfile.ServiceSpec;

/**
 * Observes clusters of a user, and controls their knobs where its file says so, until it is closed;
 * then they are as before. A cluster that cannot be reached, or fails, is tried again and keeps
 * none of the others waiting. Thread safe.
 */
public final class GovernorService implements AutoCloseable {
  private final GovernedCluster.Means means;
  private final Instant begun;
  private final Object changing = new Object();
  private volatile Map<String, GovernedCluster> clusters = Map.of();

  private GovernorService(GovernedCluster.Means means) {
    this.means = means;
    this.begun = means.clock().instant();
  }

  /**
   * Begins.
   *
   * @param specs the clusters, of different names
   * @param base folder that relative paths of the file are relative to
   * @param folders where it is noted how knobs were
   * @param owner who has them, for others who are refused
   * @param decisions the folder of a cluster's decisions, by its name
   * @param news takes lines for people, from any thread
   * @throws org.calando.core.BadRequestException if a cluster does not offer a knob, or it has
   *     another owner; all are as before then
   */
  public static GovernorService start(
      List<ServiceSpec.Cluster> specs,
      Path base,
      LeaseFolders folders,
      String owner,
      Function<String, Path> decisions,
      Consumer<String> news)
      throws InterruptedException {
    GovernorService service =
        new GovernorService(
            new GovernedCluster.Means(
                base, folders, owner, decisions, news, InstantSource.system()));
    service.begin(specs);
    return service;
  }

  private void begin(List<ServiceSpec.Cluster> specs) throws InterruptedException {
    Map<String, GovernedCluster> all = new LinkedHashMap<>();
    boolean begun = false;
    try {
      for (ServiceSpec.Cluster spec : specs) {
        GovernedCluster cluster = new GovernedCluster(spec, means);
        all.put(spec.name(), cluster);
        cluster.begin();
      }
      begun = true;
    } finally {
      if (!begun) {
        close(List.copyOf(all.values()), GovernedCluster::abandon);
      }
    }
    all.values().forEach(GovernedCluster::start);
    clusters = all;
  }

  /**
   * Puts another file in force: clusters that are no longer in it end, those that are the same go
   * on, those that changed end and begin anew.
   *
   * @throws org.calando.core.FailedWorkException if a knob of a cluster that ended is not as before
   */
  public void reload(List<ServiceSpec.Cluster> specs) {
    synchronized (changing) {
      change(specs);
    }
  }

  private void change(List<ServiceSpec.Cluster> specs) {
    Map<String, GovernedCluster> next = new LinkedHashMap<>();
    List<GovernedCluster> fresh = new ArrayList<>();
    for (ServiceSpec.Cluster spec : specs) {
      GovernedCluster before = clusters.get(spec.name());
      boolean same = before != null && before.spec().equals(spec);
      GovernedCluster cluster = same ? before : new GovernedCluster(spec, means);
      next.put(spec.name(), cluster);
      if (!same) {
        fresh.add(cluster);
      }
    }
    List<GovernedCluster> gone =
        clusters.values().stream().filter(each -> !next.containsValue(each)).toList();
    clusters = next;
    try {
      close(gone);
    } finally {
      fresh.forEach(GovernedCluster::start);
    }
  }

  /** How each cluster stands, in the file's order. */
  public List<ClusterState> states() {
    return clusters.values().stream().map(GovernedCluster::state).toList();
  }

  /** The last decisions on a cluster that changed something; empty if there is no such cluster. */
  public Optional<List<Decided>> decisions(String cluster) {
    return Optional.ofNullable(clusters.get(cluster)).map(GovernedCluster::decisions);
  }

  /** Whether every cluster is still looked after. */
  public boolean isAlive() {
    return clusters.values().stream().allMatch(GovernedCluster::isAlive);
  }

  /** When it began. */
  public Instant begun() {
    return begun;
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.calando.core.CalandoException if a knob is not as before
   */
  @Override
  public void close() {
    synchronized (changing) {
      close(List.copyOf(clusters.values()));
    }
  }

  /** Ends all at once, each in its own thread; the first failure is thrown when all have ended. */
  private static void close(List<GovernedCluster> ending) {
    ending.forEach(GovernedCluster::stop);
    close(ending, GovernedCluster::close);
  }

  private static void close(List<GovernedCluster> ending, Consumer<GovernedCluster> how) {
    RuntimeException failed = null;
    for (GovernedCluster cluster : ending) {
      try {
        how.accept(cluster);
      } catch (RuntimeException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
