package org.calando.core.store;

import java.util.Optional;

/**
 * What may offer more than its type says. A capability is an interface; it is asked for here, so
 * that nobody has to know the class that offers it.
 */
public interface Capable {
  /**
   * Finds a capability.
   *
   * @param capability an interface
   * @return what offers it; empty if it is not supported here
   * @throws IllegalArgumentException if it is a class
   */
  default <C> Optional<C> find(Class<C> capability) {
    if (!capability.isInterface()) {
      throw new IllegalArgumentException(capability + " is no capability");
    }
    return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
  }
}
