package org.calando.clock;

/**
 * What became of setting a policy's clock. Immutable and thread safe.
 *
 * @param policy its name
 * @param wantedKHz what was to be set, in kHz
 * @param readKHz what is in force, in kHz; 0 if that cannot be read
 * @param result how it ended
 * @param detail why, where it is not what was wanted; else empty
 */
public record PolicyOutcome(
    String policy, long wantedKHz, long readKHz, Result result, String detail) {
  /** How setting a clock ended. */
  public enum Result {
    /** It reads back as wanted. */
    SET,
    /** It was so already, and nothing was written. */
    UNCHANGED,
    /** It was taken and reads back otherwise: by the hardware, or by somebody else. */
    CHANGED,
    /** The kernel refused it. */
    REFUSED,
    /** The policy is not there any more. */
    GONE
  }

  /** Whether the clock is what was wanted. */
  public boolean ok() {
    return result == Result.SET || result == Result.UNCHANGED;
  }
}
