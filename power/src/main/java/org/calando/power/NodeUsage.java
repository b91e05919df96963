package org.calando.power;

/**
 * What a node has used up to a time: its process where that can be seen, else the whole host that
 * it has to itself. All figures but memory are sums since the process or host started; what is not
 * known is {@link #UNKNOWN}, never guessed.
 *
 * @param atNanos when the figures were true, on the clock of the sampling
 * @param incarnation tells one process or boot of the node from the next; sums start again with it
 * @param cpuNanos CPU time, user and system, of all threads
 * @param hostCores cores of the node where the figures are those of a host, 0 for a process
 * @param rssBytes resident memory of the process
 * @param memoryBytes memory in use on the host
 * @param diskReadBytes bytes read from disks
 * @param diskWriteBytes bytes written to disks
 * @param netReceivedBytes bytes received from the network
 * @param netSentBytes bytes sent to the network
 */
public record NodeUsage(
    long atNanos,
    long incarnation,
    long cpuNanos,
    int hostCores,
    long rssBytes,
    long memoryBytes,
    long diskReadBytes,
    long diskWriteBytes,
    long netReceivedBytes,
    long netSentBytes) {
  /** A figure that nobody tells. */
  public static final long UNKNOWN = -1;

  /** A process of which CPU time and memory are known. */
  public static NodeUsage ofProcess(long atNanos, long incarnation, long cpuNanos, long rssBytes) {
    return new NodeUsage(
        atNanos, incarnation, cpuNanos, 0, rssBytes, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  /** The same with bytes read from and written to disks. */
  public NodeUsage withDisk(long readBytes, long writeBytes) {
    return new NodeUsage(
        atNanos,
        incarnation,
        cpuNanos,
        hostCores,
        rssBytes,
        memoryBytes,
        readBytes,
        writeBytes,
        netReceivedBytes,
        netSentBytes);
  }

  /** The same with bytes received from and sent to the network. */
  public NodeUsage withNetwork(long receivedBytes, long sentBytes) {
    return new NodeUsage(
        atNanos,
        incarnation,
        cpuNanos,
        hostCores,
        rssBytes,
        memoryBytes,
        diskReadBytes,
        diskWriteBytes,
        receivedBytes,
        sentBytes);
  }
}
