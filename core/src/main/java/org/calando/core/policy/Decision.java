package org.calando.core.policy;

/**
 * A decision with all that it was made from, so that it can be journalled and made again. Immutable
 * and thread safe.
 *
 * @param observation what was known
 * @param step what was decided
 * @param stateBefore the policy's state before, as text
 * @param stateAfter the policy's state after, as text
 * @param changed whether a setting differs from what this loop last decided; the first decision of
 *     a loop always changes
 */
public record Decision<S>(
    Observation observation,
    Step<S> step,
    String stateBefore,
    String stateAfter,
    boolean changed) {}
