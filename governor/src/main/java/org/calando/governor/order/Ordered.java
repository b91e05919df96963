package org.calando.governor.order;

import java.time.Instant;
import java.util.Optional;

/**
 * What an operator has ordered of a cluster, which is in force until its end or until it is taken
 * back. Immutable and thread safe.
 *
 * @param cluster its name
 * @param kind what is ordered
 * @param of the knob, or the promise; empty of a whole cluster
 * @param value what a knob is held at in the words of journals, or the limit of a promise; empty of
 *     others
 * @param since when it was ordered, in milliseconds since 1970
 * @param until its end, likewise; empty for none
 * @param who ordered it
 * @param reason why
 * @param request the call that did
 */
public record Ordered(
    String cluster,
    Kind kind,
    String of,
    String value,
    long since,
    Optional<Long> until,
    String who,
    String reason,
    String request) {
  /** What can be ordered. */
  public enum Kind {
    /** Nothing of the cluster is set. */
    PAUSE,
    /** A knob is held at a value. */
    HOLD,
    /** A plan of a knob is taken back, and the knob stays as it is then. */
    UNDO,
    /** A promise has another limit. */
    PROMISE;

    /** Whether it is of a knob, of which one thing is ordered at a time. */
    boolean isOfKnob() {
      return this == HOLD || this == UNDO;
    }
  }

  /** When it was ordered. */
  public Instant begun() {
    return Instant.ofEpochMilli(since);
  }

  /** Its end; empty for none. */
  public Optional<Instant> end() {
    return until.map(Instant::ofEpochMilli);
  }

  /** Whether both are of the same, so that the later takes the place of the earlier. */
  boolean isOfTheSame(Ordered other) {
    return cluster.equals(other.cluster)
        && of.equals(other.of)
        && (kind == other.kind || (kind.isOfKnob() && other.kind.isOfKnob()));
  }
}
