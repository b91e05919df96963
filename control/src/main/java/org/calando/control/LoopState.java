package org.calando.control;

import org.calando.core.policy.ReadChoice;

/**
 * How a {@link HeldLevel} stands. Immutable and thread safe.
 *
 * @param choice what it holds reads to; in a dry run what it would
 * @param decided whether a decision is in force; else it is the fallback
 * @param reason why, in words
 * @param decisions decisions so far
 * @param missed observations so far that failed, came late or could not be decided on
 */
public record LoopState(
    ReadChoice choice, boolean decided, String reason, long decisions, long missed) {}
