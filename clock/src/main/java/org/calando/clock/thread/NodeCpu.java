package org.calando.clock.thread;

import java.util.OptionalLong;

/**
 * CPU time of nodes' processes, on this machine or others, in nanoseconds; answers at once.
 * Implementations are thread safe.
 */
public interface NodeCpu {
  /**
   * CPU time of a process with all its threads, ended ones included.
   *
   * @param pid the process, on the node's machine
   * @return empty if there is no such process, or it cannot be read
   */
  OptionalLong nanos(String node, long pid);

  /**
   * CPU time of those threads of a process that live.
   *
   * @param pid the process, on the node's machine
   * @param namePrefix what their names begin with
   * @return empty if there is no such process, or the kernel does not count; 0 without such threads
   */
  OptionalLong nanos(String node, long pid, String namePrefix);
}
