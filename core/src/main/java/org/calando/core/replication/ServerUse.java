package org.calando.core.replication;

/*
 * Carrying out a command is counted by the server; receiving it, parsing it and answering are not.
 * The main thread's CPU time is split so:
 *
 *   execution   as the server counted it, for writes and for reads
 *   the rest    by the number of commands. A replica's writes come many in a buffer and are not
 *               answered, so a write there costs less of the rest than a read does: where a replica
 *               serves reads too, writes seem dearer than they are, and reads cheaper
 *
 * Execution is counted in wall time; where it comes to more than all CPU time (the thread was held
 * up in the midst of commands) it is cut down to that.
 */
/**
 * What a server did in a window of time. Immutable and thread safe.
 *
 * @param seconds length of the window, above 0
 * @param writesPerSecond 0 or more
 * @param readsPerSecond 0 or more
 * @param bytesPerSecond of the replication stream, 0 or more; NaN if its offset was not known or
 *     went back
 * @param busyShare CPU time of the main thread over the window; NaN if it is not known
 * @param writeNanos CPU time of the main thread for a write; NaN if unknown or without writes
 * @param writeExecutionNanos the part of it that carries the write out
 * @param readNanos likewise for a read
 * @param readExecutionNanos the part of it that looks the value up
 * @param ioNanosPerCommand CPU time of threads that receive and answer, for a command; 0 without
 *     any, NaN if unknown
 */
public record ServerUse(
    double seconds,
    double writesPerSecond,
    double readsPerSecond,
    double bytesPerSecond,
    double busyShare,
    double writeNanos,
    double writeExecutionNanos,
    double readNanos,
    double readExecutionNanos,
    double ioNanosPerCommand) {

  /**
   * The use between two moments.
   *
   * @throws IllegalArgumentException if the later one does not {@link ServerCounts#follows}
   */
  public static ServerUse between(ServerCounts before, ServerCounts after) {
    if (!after.follows(before)) {
      throw new IllegalArgumentException(after + " after " + before);
    }
    double nanos = after.atNanos() - before.atNanos();
    double writes = after.writes() - before.writes();
    double reads = after.reads() - before.reads();
    boolean known = before.mainCpuNanos() >= 0;
    double cpu = known ? after.mainCpuNanos() - before.mainCpuNanos() : Double.NaN;
    double execution =
        (after.writeNanos() - before.writeNanos()) + (after.readNanos() - before.readNanos());
    double cut = execution > cpu ? cpu / execution : 1;
    double rest = (cpu - cut * execution) / (writes + reads);
    double writeExecution = cut * (after.writeNanos() - before.writeNanos()) / writes;
    double readExecution = cut * (after.readNanos() - before.readNanos()) / reads;
    boolean offsets = before.offsetBytes() >= 0 && after.offsetBytes() >= before.offsetBytes();
    return new ServerUse(
        nanos / 1e9,
        writes / (nanos / 1e9),
        reads / (nanos / 1e9),
        offsets ? (after.offsetBytes() - before.offsetBytes()) / (nanos / 1e9) : Double.NaN,
        cpu / nanos,
        rest + writeExecution,
        writeExecution,
        rest + readExecution,
        readExecution,
        before.ioCpuNanos() >= 0
            ? perCommand((double) after.ioCpuNanos() - before.ioCpuNanos(), writes + reads)
            : Double.NaN);
  }

  private static double perCommand(double nanos, double commands) {
    return nanos == 0 ? 0 : nanos / commands;
  }

  /** Bytes of the replication stream a write, of a server that wrote or applied it; NaN if none. */
  public double bytesPerWrite() {
    return bytesPerSecond / writesPerSecond;
  }
}
