package org.calando.core.observe;

import java.util.List;
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
   * Draws a node through which the application's reads of a key go.
   *
   * @param replicas the nodes that hold the key
   */
  N drawCoordinator(List<N> replicas);

  /**
   * Whether reads through one node always ask the same replicas, so that a write which one of them
   * found is found by those after it.
   */
  boolean asksTheSame();

  /**
   * Reads a key through a node as its coordinator.
   *
   * @param node of {@link #drawCoordinator}
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

  /** Whether a node is off by order: that it does not answer says nothing of it. */
  default boolean isOff(N node) {
    return false;
  }

  /**
   * Names who is told of a node that answers a {@link #readCopy} after that had ended without: it
   * is slow, and not away. Who cannot know tells nothing.
   */
  default void lateAnswers(Consumer<N> told) {}

  /** What tells a node from others, by equality, for as long as it exists. */
  Object id(N node);

  /** Uniform over 0 (included) to 1 (excluded). */
  double random();
}
