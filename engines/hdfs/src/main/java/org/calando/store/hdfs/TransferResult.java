package org.calando.store.hdfs;

/**
 * What came of a transfer. Immutable.
 *
 * @param outcome what
 * @param reason why not, in the words of whom it failed at; empty if it is done
 */
public record TransferResult(Outcome outcome, String reason) {
  /** Kinds of results. */
  public enum Outcome {
    /** The target has a copy whose checksums were compared, and has told the NameNode. */
    DONE,
    /** The target had one already: nothing was copied, and the hint was not given. */
    EXISTS,
    /** The target or the proxy moves as many blocks as it may: ask again later. */
    BUSY,
    /** No free space at the target. */
    FULL,
    /** Neither answered in time; the copy may still be made. */
    TIMEOUT,
    /** Anything else: a node that is down, a block that the proxy does not have. */
    FAILED
  }
}
