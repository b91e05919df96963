package org.calando.report.column;

/**
 * What a load on files moved in the measured window. Immutable and thread safe.
 *
 * @param readBytes that clients read, or a grep searched
 * @param writtenBytes that clients wrote, each once however many replicas it has
 */
public record FileFigures(long readBytes, long writtenBytes) {
  private static final double MEGA = 1e6;

  /** Of both together, in units of 10^6 bytes. */
  public double megabytes() {
    return (readBytes + writtenBytes) / MEGA;
  }
}
