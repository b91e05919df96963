package org.calando.clock;

/** What restores a lease when its owner is gone. Implementations are thread safe. */
interface LeaseGuard extends AutoCloseable {
  /** The number of its process; -1 while there is none. */
  long pid();

  /** Lets it go without restoring anything. */
  @Override
  void close();
}
