package org.calando.load.file;

import org.calando.core.store.FileStore;
import org.jspecify.annotations.Nullable;

/**
 * Carries out work on files, which blocks, without holding up who asks for it. Thread safe.
 *
 * @see ThreadedFileSession
 */
public interface FileSession {
  /** Work on files; runs once, on any thread. */
  @FunctionalInterface
  interface Call {
    /**
     * Does it.
     *
     * @return bytes read or written
     * @throws RuntimeException if it fails
     */
    long run(FileStore store);
  }

  /** Is told when work is over; to be quick. */
  @FunctionalInterface
  interface Completion {
    /**
     * The work is over.
     *
     * @param bytes what it returned; 0 if it failed
     * @param failure what it threw, or null
     */
    void done(long bytes, @Nullable RuntimeException failure);
  }

  /** Calls that can be under way at once. */
  int slots();

  /** Begins a call. The completion runs once, on another thread or later, never within this. */
  void call(Call call, Completion completion);
}
