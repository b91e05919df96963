package org.calando.core.store;

/** Is called for each write of a session, from any thread. */
public interface WriteListener {
  /**
   * A write was called.
   *
   * @param bytes that it takes in a buffer
   */
  void called(long bytes);

  /**
   * The store has answered all of a request.
   *
   * @param writes that it carried
   * @param nanos since it was to be sent
   */
  void answered(int writes, long nanos);

  /**
   * A write is on the store.
   *
   * @param nanos since its call
   */
  void visible(long nanos);
}
