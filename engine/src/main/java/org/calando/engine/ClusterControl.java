package org.calando.engine;

import org.calando.core.FailedWorkException;

/**
 * A cluster as events change it. Nodes go by their names; used by one thread at a time.
 *
 * <p>Every method fails with a {@link org.calando.core.CalandoException} if it cannot do what it
 * says.
 */
public interface ClusterControl {
  /** Delays links from now on; what is on its way keeps its delay. */
  void delayLinks(LinkDelay delay);

  /** Kills a node; returns when it is gone. */
  void kill(String node);

  /** Asks a node to end; returns when it is gone, which takes seconds. */
  void stop(String node);

  /** Starts a node that is gone; returns at once. */
  void start(String node);

  /**
   * Switches a node off in good order; only simulated ones.
   *
   * @throws FailedWorkException if it is not simulated
   */
  default void switchOff(String node) {
    throw notSimulated(node);
  }

  /**
   * Switches a node on, which then boots; returns at once. Only simulated ones.
   *
   * @throws FailedWorkException if it is not simulated
   */
  default void switchOn(String node) {
    throw notSimulated(node);
  }

  private static FailedWorkException notSimulated(String node) {
    return new FailedWorkException(
        "a node that is not simulated cannot be switched off or on", node, "stop or start it");
  }

  /** Whether a node takes requests. */
  boolean takesRequests(String node);

  /** The process of a node, or the last one if it is gone. */
  long pid(String node);
}
