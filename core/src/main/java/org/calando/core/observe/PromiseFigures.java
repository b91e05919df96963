package org.calando.core.observe;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.core.store.ConsistencyLevel;

/**
 * Measures what a cluster's clients are promised, by what its nodes report. Implementations are
 * thread safe.
 */
public interface PromiseFigures extends AutoCloseable {
  /** A capability of clusters of which some promises can be measured. */
  interface Source {
    /** Whether a promise can be measured; asks no node. */
    Means means(Promised promise, ClientUse clients);

    /**
     * Connects; blocks until then.
     *
     * @throws org.calando.core.CalandoException if the cluster cannot be asked
     */
    PromiseFigures figures(ClientUse clients);
  }

  /**
   * What measures a promise.
   *
   * @param source its name; empty if nothing does
   * @param remedy what would measure it; empty if something does
   */
  record Means(Optional<String> source, String remedy) {
    /** It is measured. */
    public static Means by(String source) {
      return new Means(Optional.of(source), "");
    }

    /** Nothing measures it. */
    public static Means none(String remedy) {
      return new Means(Optional.empty(), remedy);
    }
  }

  /**
   * Asks every node at once for what was since the last question; does not block.
   *
   * @return when each node has answered or missed its deadline: the figures that are known
   */
  CompletionStage<Map<Promised, PromiseFigure>> ask();

  /**
   * The share of stale reads of the last period had all reads been at one level, the weakest level
   * first; none where that is not known.
   */
  default Map<ConsistencyLevel, PromiseFigure> levels() {
    return Map.of();
  }

  /** Why figures are not known, one sentence each; empty if all are. */
  List<String> problems();

  /** Asks no more. Idempotent. */
  @Override
  void close();
}
