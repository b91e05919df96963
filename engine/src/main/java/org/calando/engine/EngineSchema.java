package org.calando.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.schema.Key;
import org.calando.schema.Values;

/**
 * What files may say of an engine: keys of its own, what they mean, and checks. What other engines'
 * keys are is no matter of it: {@link StoreSchema} refuses them. Stateless and thread safe.
 *
 * <p>The keys of {@link StoreSchema} and {@link LocalSchema} stand beside those of engines and are
 * made of them: a schema uses them in its methods only, not in its own keys.
 */
public interface EngineSchema {
  /** Mappings that engines have keys of their own in. */
  enum Section {
    /** {@code store}. */
    STORE,
    /** {@code store.local}; a key without a default, or every study would show it. */
    LOCAL,
    /** An inventory. */
    INVENTORY
  }

  /**
   * Keys that stand together.
   *
   * @param place among those of others in the reference page, and in the text whose fingerprint
   *     tells whether a study can be resumed: it stays as it is
   * @param keys in their order
   */
  record Keys(int place, List<Key<?>> keys) {
    /** Keys behind all others. */
    public static Keys last(Key<?>... keys) {
      return at(Engine.LAST, keys);
    }

    /** Keys at a place. */
    public static Keys at(int place, Key<?>... keys) {
      return new Keys(place, List.of(keys));
    }
  }

  /** Its own keys. */
  default List<Keys> keys(Section section) {
    return List.of();
  }

  /** The port of nodes whose inventory has none; empty if such nodes have no use. */
  default OptionalInt port() {
    return OptionalInt.empty();
  }

  /** What its own keys say of a local cluster; it has none other than by these. */
  default Optional<EngineSettings> local(Values local) {
    return Optional.empty();
  }

  /** What its own keys say of the user's cluster. */
  default Optional<EngineSettings> inventory(Values inventory) {
    return Optional.empty();
  }

  /** What its own keys say of the store. */
  default Optional<EngineSettings> store(Values store) {
    return Optional.empty();
  }

  /** Whether a store of this engine goes by a key of another engine, for whose it stands. */
  default boolean takes(Values store, Key<?> other) {
    return false;
  }

  /** Reports what is wrong with its own keys in {@code store.local}, whatever the engine is. */
  default void checkLocal(Values local) {}

  /** Reports what is wrong with an inventory, whatever the engine is. */
  default void checkInventory(Values inventory) {}

  /** Reports what is wrong with a store of this engine. */
  default void checkStore(Values store) {}

  /**
   * The key of the governor's file that names servers of the user's own whose clocks are governed,
   * a master and its replicas; it has no default and need not be given.
   */
  default Optional<Key<StoreSpec>> servers() {
    return Optional.empty();
  }

  /** What to write of a local cluster in place of {@code store.rf}. */
  default String localCopies() {
    return "write it as store.local.rf";
  }

  /** On how many nodes a key is. */
  default Replicas replicas(Values store) {
    return Replicas.of(1);
  }

  /**
   * Reports a layout at a path of a study that the store cannot have.
   *
   * @param layout one of a kind that the engine supports
   */
  default void checkLayout(Values study, String path, StoreSpec store, StoreLayout layout) {}
}
