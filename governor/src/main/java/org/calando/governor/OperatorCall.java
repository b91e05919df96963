package org.calando.governor;

import java.time.Instant;
import java.util.Optional;
import org.calando.governor.audit.AuditLog;

/**
 * What an operator asks to be changed. Immutable and thread safe.
 *
 * @param caller who asks
 * @param cluster its name
 * @param what is asked
 * @param of the knob, or the promise; empty of a whole cluster
 * @param value of a knob as files write it, or the limit of a promise; empty for that of the file
 * @param until its end; empty for none, or the usual one
 * @param reason why, 1 to 500 characters
 * @param isDryRun whether nothing is changed
 */
public record OperatorCall(
    AuditLog.Caller caller,
    String cluster,
    What what,
    String of,
    Optional<String> value,
    Optional<Instant> until,
    String reason,
    boolean isDryRun) {
  /** What can be asked for. */
  public enum What {
    /** Nothing of the cluster is set any more. */
    PAUSE,
    /** Its knobs are set again. */
    RESUME,
    /** A knob is held at a value. */
    HOLD,
    /** A knob is set as is decided again. */
    RELEASE,
    /** A plan of a knob is taken back. */
    UNDO,
    /** A promise has another limit. */
    PROMISE
  }

  /** The same in words, as {@code hold dial}. */
  public String words() {
    String verb =
        switch (what) {
          case PAUSE -> "pause";
          case RESUME, RELEASE -> "resume";
          case HOLD -> "hold";
          case UNDO -> "undo";
          case PROMISE -> "promise";
        };
    return of.isEmpty() ? verb : verb + " " + of;
  }
}
