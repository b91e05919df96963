package org.calando.governor.sessions;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;

/**
 * How long the reads of governed sessions take, as their applications see it: better than what
 * nodes know of it. Immutable and thread safe.
 */
public final class SessionPromises implements PromiseFigures.Source {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final String SOURCE = "times of governed sessions' reads in the last minute";

  private final Function<Duration, Optional<Duration>> readP99;

  /**
   * A source.
   *
   * @param readP99 the 99th percentile of a window; empty where no session reported a read
   */
  public SessionPromises(Function<Duration, Optional<Duration>> readP99) {
    this.readP99 = readP99;
  }

  /** Of a cluster, if sessions are governed there. */
  public static List<PromiseFigures.Source> of(Optional<ClusterSessions> sessions) {
    return sessions
        .map(its -> List.<PromiseFigures.Source>of(new SessionPromises(its::readP99)))
        .orElse(List.of());
  }

  @Override
  public PromiseFigures.Means means(Promised promise, ClientUse clients) {
    return promise == Promised.READ_P99
        ? PromiseFigures.Means.by(SOURCE)
        : PromiseFigures.Means.none("");
  }

  @Override
  public PromiseFigures figures(ClientUse clients) {
    return new Figures();
  }

  private final class Figures implements PromiseFigures {
    @Override
    public CompletionStage<Map<Promised, PromiseFigure>> ask() {
      return CompletableFuture.completedStage(
          readP99
              .apply(WINDOW)
              .map(time -> time.toNanos() / 1e9)
              .map(
                  seconds ->
                      Map.of(
                          Promised.READ_P99,
                          new PromiseFigure(
                              seconds, seconds, Double.NaN, PromiseFigure.Kind.MEASURED, SOURCE)))
              .orElse(Map.of()));
    }

    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
