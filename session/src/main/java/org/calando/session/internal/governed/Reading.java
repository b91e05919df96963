package org.calando.session.internal.governed;

import org.calando.core.policy.ReadChoice;

/**
 * What a session's reads ask now. Immutable and thread safe.
 *
 * @param policy the state of the session's own policy, as text, if that decided it; else empty
 */
public record Reading(ReadChoice choice, String policy) {}
