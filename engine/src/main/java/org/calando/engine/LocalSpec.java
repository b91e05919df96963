package org.calando.engine;

import java.util.List;
import java.util.Optional;
import org.calando.core.layout.WarmShare;

/**
 * A cluster that is started on this machine for the study.
 *
 * <p>Immutable and thread safe.
 *
 * @param nodes number of nodes, 1 .. 9
 * @param racks number of racks, 1 .. nodes; node i is in rack i modulo racks
 * @param replicationFactor replicas of a key, 1 .. nodes
 * @param linkDelay delay between nodes
 * @param tokens one entry a node, each one or more tokens separated by commas; empty for evenly
 *     spread, or as the layout has them
 * @param layout which share of the nodes is warm; only without tokens
 * @param heapBytes maximum heap of a node
 * @param auth whether clients must log in
 * @param tls whether clients must use TLS
 * @param settings what only single engines have, see {@link #find}
 */
public record LocalSpec(
    int nodes,
    int racks,
    int replicationFactor,
    LinkDelay linkDelay,
    List<String> tokens,
    Optional<WarmShare> layout,
    long heapBytes,
    boolean auth,
    boolean tls,
    List<EngineSettings> settings) {
  /** Copies the lists. */
  public LocalSpec {
    tokens = List.copyOf(tokens);
    settings = List.copyOf(settings);
  }

  /** The same cluster in a layout, if there is one: its own tokens do not matter then. */
  public LocalSpec with(Optional<WarmShare> newLayout) {
    return newLayout.isEmpty() || newLayout.equals(layout)
        ? this
        : new LocalSpec(
            nodes,
            racks,
            replicationFactor,
            linkDelay,
            List.of(),
            newLayout,
            heapBytes,
            auth,
            tls,
            settings);
  }

  /** The same cluster as one of an engine: without what only others have. */
  LocalSpec of(Engine engine) {
    return new LocalSpec(
        nodes,
        racks,
        replicationFactor,
        linkDelay,
        tokens,
        layout,
        heapBytes,
        auth,
        tls,
        settings.stream().filter(each -> each.isOf(engine)).toList());
  }

  /** What only one engine has, by the type that the engine has for it. */
  public <S> Optional<S> find(Class<S> type) {
    return EngineSettings.find(settings, type);
  }

  /**
   * As {@link #find}.
   *
   * @throws IllegalStateException if the cluster is none of that engine
   */
  public <S> S get(Class<S> type) {
    return find(type).orElseThrow(() -> new IllegalStateException("no " + type.getSimpleName()));
  }

  /** The layout of an engine's own, or that of tokens, if it has any. */
  public Optional<StoreLayout> storeLayout() {
    return settings.stream()
        .flatMap(each -> each.layout().stream())
        .findFirst()
        .or(() -> layout.map(StoreLayout.Tokens::new));
  }
}
