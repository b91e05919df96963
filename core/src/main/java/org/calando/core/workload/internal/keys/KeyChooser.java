package org.calando.core.workload.internal.keys;

/** Chooses the key of a request. Not thread safe; allocates nothing. */
@FunctionalInterface
public interface KeyChooser {
  /** The next key, one that is loaded or whose insert is acknowledged. */
  long next(RandomStream random);
}
