package org.calando.core.observe;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Session;

/**
 * How canaries reach a store. Requests go to the canary's own table and end, with an answer or
 * without, after a time at most. Thread safe, if canaries are sent or answered by several threads.
 *
 * @param <N> a node of the store
 */
public interface CanaryAccess<N> {
  /** The time of a monotonic clock, in nanoseconds. */
  long nowNanos();

  /**
   * Does something later; never, if the canary was closed meanwhile.
   *
   * @param delayNanos 0 or more
   */
  void later(long delayNanos, Runnable work);

  /**
   * Writes a key.
   *
   * @param version the higher of two versions stays
   * @param acknowledged told once: nothing, or why the write failed
   */
  void write(
      long key, long version, ConsistencyLevel level, Consumer<Optional<String>> acknowledged);

  /**
   * Reads a key as the application does.
   *
   * @param found told once: the version, {@link Session#NO_VERSION} if there is no record; empty
   *     without an answer
   */
  void read(long key, ConsistencyLevel level, Consumer<OptionalLong> found);

  /**
   * Reads a key through a node as its coordinator, where the application's reads go through such
   * nodes.
   *
   * @param node one of the key's replicas
   * @param found as of {@link #read(long, ConsistencyLevel, Consumer)}
   */
  void readThrough(N node, long key, ConsistencyLevel level, Consumer<OptionalLong> found);

  /**
   * Reads the copy of a key that one replica has.
   *
   * @param found as of {@link #read(long, ConsistencyLevel, Consumer)}
   */
  void readCopy(N node, long key, Consumer<OptionalLong> found);

  /** Whether it is worth to ask a node at all. */
  boolean mayAnswer(N node);

  /** What tells a node from others, by equality, for as long as it exists. */
  Object id(N node);

  /** Uniform over 0 (included) to 1 (excluded). */
  double random();
}
