package org.calando.governor;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.core.time.DaemonThread;
import org.calando.governor.history.History;
import org.calando.governor.history.Sample;
import org.calando.governor.promise.PromiseState;

/** Notes how each cluster stands, once a minute, on a thread of its own. Thread safe. */
final class HistoryKeeper implements AutoCloseable {
  private final Supplier<List<ClusterState>> states;
  private final Function<String, Path> folders;
  private final InstantSource clock;
  private final GovernorNews news;
  private final Map<String, History> kept = new ConcurrentHashMap<>();
  private String told = "";
  private final ScheduledExecutorService thread = DaemonThread.scheduler("calando-history");

  /**
   * Keeps nothing yet.
   *
   * @param folders where a cluster's samples are kept, by its name
   */
  HistoryKeeper(
      Supplier<List<ClusterState>> states,
      Function<String, Path> folders,
      InstantSource clock,
      GovernorNews news) {
    this.news = news;
    this.states = states;
    this.folders = folders;
    this.clock = clock;
  }

  /** Begins. */
  void start() {
    long step = History.STEP.toSeconds();
    var unused = thread.scheduleAtFixedRate(this::takeOrMiss, step, step, TimeUnit.SECONDS);
  }

  /** What is known of a cluster's past. */
  History of(String cluster) {
    return kept.computeIfAbsent(cluster, name -> new History(folders.apply(name), clock.instant()));
  }

  /** A task that throws would not be carried out again: its minute is missing. */
  private void takeOrMiss() {
    try {
      take();
    } catch (RuntimeException e) {
      news.trouble("time lines miss a minute: " + e);
    }
  }

  void take() {
    Instant now = clock.instant();
    states.get().forEach(state -> of(state.name()).add(sample(state, now)));
    String problem =
        kept.values().stream().flatMap(each -> each.problem().stream()).findFirst().orElse("");
    if (!problem.isEmpty() && !problem.equals(told)) {
      news.trouble(problem);
    }
    told = problem;
  }

  private static Sample sample(ClusterState state, Instant now) {
    ClusterFigures figures = state.figures();
    Map<String, Optional<Boolean>> promises = new LinkedHashMap<>();
    for (PromiseState each :
        state.promises().map(ClusterState.Promises::states).orElse(List.of())) {
      promises.put(each.promise().word(), each.kept());
    }
    return new Sample(
        now,
        figures.watts(),
        figures.nodes().stream()
            .flatMap(node -> node.joules().stream().boxed())
            .reduce(Double::sum)
            .map(OptionalDouble::of)
            .orElse(OptionalDouble.empty()),
        figures.nodes().stream().mapToDouble(ClusterFigures.Node::unknownSeconds).sum(),
        figures.accounted() > 0 ? OptionalLong.of(figures.requests()) : OptionalLong.empty(),
        figures.accounted(),
        figures.saving().map(Saving::lowWatts).orElse(OptionalDouble.empty()),
        figures.saving().map(Saving::highWatts).orElse(OptionalDouble.empty()),
        promises);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
