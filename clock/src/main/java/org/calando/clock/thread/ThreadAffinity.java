package org.calando.clock.thread;

import java.io.IOException;
import org.calando.core.CpuSet;

/** Says where threads may run. Implementations are thread safe. */
public interface ThreadAffinity {
  /**
   * Lets a thread run on these processors only, from its next turn on.
   *
   * @throws IOException if it has ended, is another user's, or may run on none of them
   */
  void set(int tid, CpuSet cpus) throws IOException;

  /** What it needs and lacks, in words; empty if it can be used. */
  String lack();

  /** By the kernel's call, or by {@code taskset} where native code cannot be loaded. */
  static ThreadAffinity ofThisMachine() {
    return new LazyAffinity();
  }
}
