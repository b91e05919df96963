package org.calando.session.internal.governed;

/**
 * What a session counted of a table since it began. Immutable and thread safe.
 *
 * @param reads whose level was chosen
 * @param keylessReads of them those whose key was not seen
 * @param keyedWrites whose key was seen
 * @param writes whose size is known
 * @param writtenBytes theirs
 */
public record TableUse(
    long reads, long keylessReads, long keyedWrites, long writes, long writtenBytes) {
  /** Nothing. */
  public static final TableUse NONE = new TableUse(0, 0, 0, 0, 0);

  /** What was counted since; nothing if counts are smaller, as those of another session. */
  public TableUse since(TableUse before) {
    TableUse more =
        new TableUse(
            reads - before.reads,
            keylessReads - before.keylessReads,
            keyedWrites - before.keyedWrites,
            writes - before.writes,
            writtenBytes - before.writtenBytes);
    boolean isSound =
        more.reads >= 0
            && more.keylessReads >= 0
            && more.keyedWrites >= 0
            && more.writes >= 0
            && more.writtenBytes >= 0;
    return isSound ? more : NONE;
  }
}
