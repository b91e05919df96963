package org.calando.gears;

/**
 * How fast blocks are brought home. Immutable and thread safe.
 *
 * @param bytesPerSecond of all transfers together; 0 for as fast as they go
 * @param perNode transfers that a node takes part in at a time, as source or as target
 */
public record CatchUpPace(long bytesPerSecond, int perNode) {
  /** As fast as it goes: somebody waits for it. */
  public static final CatchUpPace FOREGROUND = new CatchUpPace(0, 4);

  private static final long BACKGROUND_BYTES = 20_000_000;

  /** One transfer a node and 20 MB/s in all, so that others hardly notice. */
  public static final CatchUpPace BACKGROUND = new CatchUpPace(BACKGROUND_BYTES, 1);

  public CatchUpPace {
    if (bytesPerSecond < 0 || perNode < 1) {
      throw new IllegalArgumentException(bytesPerSecond + " B/s, " + perNode + " a node");
    }
  }
}
