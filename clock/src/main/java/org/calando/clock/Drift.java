package org.calando.clock;

import java.util.Optional;

/**
 * Something on lease that was found otherwise than its owner had set it last, or that can be set
 * now and could not before. Immutable and thread safe.
 *
 * @param what a policy's name, or a thread and its process
 * @param from how its owner had set it, as far as that differs
 * @param to how it was found
 * @param then what came of it, in words
 * @param outcome of setting a clock again; empty for threads
 */
public record Drift(
    String what, String from, String to, String then, Optional<PolicyOutcome> outcome) {
  /** For people: what, from, to, and what came of it. */
  public String words() {
    return from.equals(to)
        ? what + ": " + then
        : what + " was changed from " + from + " to " + to + ", not by its owner: " + then;
  }
}
