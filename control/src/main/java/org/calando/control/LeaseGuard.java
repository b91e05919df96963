package org.calando.control;

import java.nio.file.Path;

/** What restores a lease when its owner is gone. Implementations are thread safe. */
public interface LeaseGuard extends AutoCloseable {
  /** Starts guards. */
  interface Starter {
    /**
     * Watches over the lease of a journal, from now on.
     *
     * @throws org.calando.core.FailedWorkException if it cannot: then the lease is not begun
     */
    LeaseGuard start(Path journal);
  }

  /** The number of its process; -1 while there is none. */
  long pid();

  /** Lets it restore what is left, as at the end of this process, and go. */
  void restore();

  /** Lets it go without restoring anything. */
  @Override
  void close();
}
