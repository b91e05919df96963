package org.calando.session.internal.shared;

/**
 * What an instance asks of the group's table. Each request is answered in the end, if only by a
 * failure.
 */
public enum GroupRequest {
  /** Reads the lease and what is published: {@link Leadership#saw}. */
  READ,
  /** Asks for the lease: {@link Leadership#took}. */
  TAKE,
  /** Renews the lease: {@link Leadership#renewed}. */
  RENEW,
  /** Publishes what was measured: {@link Leadership#published}. */
  PUBLISH,
  /** Tells that the instance is there: {@link Leadership#registered}. */
  REGISTER,
  /** Counts the instances: {@link Leadership#counted}. */
  COUNT,
  /** Gives up the lease, if it has it, and takes its leave: {@link Leadership#left}. */
  LEAVE
}
