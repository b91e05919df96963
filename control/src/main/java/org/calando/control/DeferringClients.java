package org.calando.control;

import org.calando.core.policy.buffer.BufferSetting;

/**
 * Clients of a cluster whose deferral of writes is set for all of them alike, whatever session they
 * have: those of a simulated one. A capability.
 */
public interface DeferringClients {
  /**
   * Has them defer their writes alike from now on.
   *
   * @param shared whether all operations under way fill one buffer
   * @param writeBytes of a write, 1 or more: buffers hold whole writes
   */
  void fix(BufferSetting setting, boolean shared, long writeBytes);

  /**
   * Has their writes be strong, and set by a policy from now on.
   *
   * @param writeBytes of a write, 1 or more: buffers hold whole writes
   * @param mostAtRisk writes that may be at risk at once; those that come then wait
   */
  HeldBuffer.Client deferring(long writeBytes, long mostAtRisk);
}
