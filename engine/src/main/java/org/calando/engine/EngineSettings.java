package org.calando.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a file says of one engine only: a record of that engine's, found by its type. Immutable and
 * thread safe.
 */
public interface EngineSettings {
  /** Id of the engine. */
  String engine();

  /** Whether they are those of an engine. */
  default boolean isOf(Engine other) {
    return engine().equals(other.id());
  }

  /** How many nodes the cluster has that they describe; empty if they describe none. */
  default OptionalInt nodes() {
    return OptionalInt.empty();
  }

  /** The layout of the cluster that they describe, if it has one of its own. */
  default Optional<StoreLayout> layout() {
    return Optional.empty();
  }

  /** Whether nodes are masters or replicas throughout, if the engine has any. */
  default boolean hasRoles() {
    return true;
  }

  /** Further users than the store's own, by what their password's file is called. */
  default Map<String, StoreSpec.Credentials> furtherCredentials() {
    return Map.of();
  }

  /** Those of a type among several. */
  static <S> Optional<S> find(List<EngineSettings> settings, Class<S> type) {
    return settings.stream().filter(type::isInstance).map(type::cast).findFirst();
  }
}
