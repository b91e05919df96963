package org.calando.governor.promise;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;

/**
 * Asks for the figures of a cluster's promises once a period; sets nothing. Its methods are for one
 * thread.
 */
public final class PromiseWatch implements AutoCloseable {
  private final List<PromiseFigures> sources;
  private final PromiseAccount account;
  private final long periodNanos;
  private long dueNanos;
  private volatile boolean asking;

  private PromiseWatch(List<PromiseFigures> sources, PromiseAccount account, long periodNanos) {
    this.sources = sources;
    this.account = account;
    this.periodNanos = periodNanos;
    this.dueNanos = System.nanoTime();
  }

  /**
   * Begins; blocks until the cluster has been reached.
   *
   * @param account takes what is known of each period
   * @throws org.calando.core.CalandoException if the cluster cannot be reached
   */
  public static PromiseWatch start(
      PromiseSources sources, PromiseAccount account, long periodNanos) {
    sources.require();
    account.measuredBy(sources.names());
    return new PromiseWatch(sources.open(), account, periodNanos);
  }

  /** Asks, if that is due. */
  public void tick(long nowNanos) {
    if (nowNanos - dueNanos < 0 || asking) {
      return;
    }
    dueNanos = nowNanos + periodNanos;
    asking = true;
    List<CompletableFuture<Map<Promised, PromiseFigure>>> asked =
        sources.stream().map(PromiseWatch::ask).toList();
    var unused =
        CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
            .whenComplete(
                (all, failed) -> {
                  account.period(
                      first(asked.stream().map(CompletableFuture::join).toList()),
                      levels(),
                      System.nanoTime());
                  asking = false;
                });
  }

  private static CompletableFuture<Map<Promised, PromiseFigure>> ask(PromiseFigures source) {
    return source.ask().toCompletableFuture().exceptionally(failed -> Map.of());
  }

  /** Of each promise the figure of the first source that has one. */
  private static Map<Promised, PromiseFigure> first(List<Map<Promised, PromiseFigure>> answers) {
    Map<Promised, PromiseFigure> first = new EnumMap<>(Promised.class);
    answers.forEach(answer -> answer.forEach(first::putIfAbsent));
    return first;
  }

  private Map<ConsistencyLevel, PromiseFigure> levels() {
    return sources.stream()
        .map(PromiseFigures::levels)
        .filter(each -> !each.isEmpty())
        .findFirst()
        .orElse(Map.of());
  }

  /** Why figures are not known, one sentence each. */
  public List<String> problems() {
    return sources.stream().flatMap(source -> source.problems().stream()).distinct().toList();
  }

  @Override
  public void close() {
    sources.forEach(PromiseFigures::close);
  }
}
