package org.calando.core.store;

/** A session in which the deferral of writes can be changed at any time. Thread safe. */
public interface BufferedWrites extends DeferredWrites {
  /** How writes are sent now. */
  WriteBuffering buffering();

  /** Changes how writes are sent; what was collected otherwise is sent at once. */
  void buffering(WriteBuffering buffering);

  /** Bounds the writes at risk from now on; further ones wait. */
  void mostAtRisk(long writes);

  /** Has a listener called for all writes from now on, in place of the one before. */
  void watch(WriteListener listener);

  /** Has no listener called any more. */
  void unwatch();
}
