package org.calando.core.store;

/**
 * A session that may acknowledge writes before the store has them. Such a write is at risk until it
 * is on the server: it is lost if this process is killed. Thread safe.
 */
public interface DeferredWrites {
  /** Writes that are acknowledged and not on the server, exactly, at this moment. */
  long atRisk();

  /** Begins a window: figures are of what happens from now on. */
  void beginWindow();

  /** What happened since the window's begin; to be asked once, at its end. */
  DeferralFigures figures();

  /**
   * The same, with the share of writes that were as fresh as promised; a session that cannot tell
   * leaves that open.
   *
   * @param promisedNanos within which a write is to be on the server, above 0
   */
  default DeferralFigures figures(long promisedNanos) {
    return figures();
  }
}
