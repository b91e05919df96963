package org.calando.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.NodeProfile;
import org.calando.kept.LocalEngine;

/**
 * A kind of store: all that studies, their files and commands know of one. Whatever they ask of it
 * is here, a {@link Feature}, or a capability of its {@link Target}; nobody tests for its name.
 *
 * <p>Found by {@link java.util.ServiceLoader}: the service file lies in the engine's own folder.
 * Stateless and thread safe.
 */
public interface Engine {
  /** The place of what has none of its own: behind all others, by id. */
  int LAST = 100;

  /** What {@code store.engine} and the column {@code engine} call it. */
  String id();

  /** Its name in texts. */
  String title();

  /** What the reference page says after its id, such as {@code stores files}; mostly nothing. */
  default String note() {
    return "";
  }

  /** Ids that users may try and that are not available. */
  default List<String> later() {
    return List.of();
  }

  /** Where it stands among the others. */
  default int place() {
    return LAST;
  }

  /** What it supports. */
  Set<Feature> features();

  /** Whether it supports something. */
  default boolean supports(Feature feature) {
    return features().contains(feature);
  }

  /** What files may say of it. */
  EngineSchema schema();

  /**
   * How often nodes report to another server what clients ask of them: whoever looks as often sees
   * nothing new. Zero where the nodes themselves are asked.
   */
  default Duration reportsEach() {
    return Duration.ZERO;
  }

  /** The gears of a cluster as its file tells them, where no section of its own does. */
  default Optional<GearedNodes> gears(StoreSpec store) {
    return Optional.empty();
  }

  /** What a cluster on this machine needs, in words. */
  default String needs() {
    return "";
  }

  /**
   * Starts a cluster on this machine; blocks.
   *
   * @throws org.calando.core.CalandoException if it does not come up; nothing is left then
   * @throws IllegalStateException without {@link Feature#LOCAL}
   */
  default Target start(ClusterRequest request) {
    throw new IllegalStateException("no " + id() + " is started on this machine");
  }

  /**
   * Looks whether it could be started; changes nothing.
   *
   * @throws org.calando.core.CalandoException if not
   */
  default void requireStartable(ClusterRequest request) {}

  /** Clusters on this machine that {@code calando local} starts; empty if it starts none. */
  default Optional<LocalEngine> local() {
    return Optional.empty();
  }

  /**
   * A cluster of the user's own; nothing is connected yet.
   *
   * @param store how to use it, with its inventory
   * @param profile power profile of nodes that name none
   * @param base folder that relative paths are relative to
   * @throws IllegalStateException without {@link Feature#GOVERNED}
   */
  default InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    throw new IllegalStateException("no study is on a user's own " + title());
  }
}
