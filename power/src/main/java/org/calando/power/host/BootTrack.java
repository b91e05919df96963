package org.calando.power.host;

/**
 * Tells one start of a machine from the next by the time of its boot, which moves by seconds when
 * the clock is set, and by CPU time that falls. Not thread safe.
 */
final class BootTrack {
  private static final double SAME_BOOT_SECONDS = 30;
  // Sums of doubles read core by core may differ in the last digits.
  private static final long SLACK_NANOS = 1_000_000_000L;

  private double bootSeconds = Double.NaN;
  private long cpuNanos;
  private long incarnation;

  /**
   * The incarnation that a reading belongs to.
   *
   * @param readBootSeconds seconds since 1970, NaN if unknown
   * @param readCpuNanos CPU time since the boot
   */
  long incarnation(double readBootSeconds, long readCpuNanos) {
    boolean otherBoot = Math.abs(readBootSeconds - bootSeconds) > SAME_BOOT_SECONDS;
    if (otherBoot || readCpuNanos < cpuNanos - SLACK_NANOS) {
      incarnation++;
      bootSeconds = readBootSeconds;
    } else if (Double.isNaN(bootSeconds)) {
      bootSeconds = readBootSeconds;
    }
    cpuNanos = readCpuNanos;
    return incarnation;
  }
}
