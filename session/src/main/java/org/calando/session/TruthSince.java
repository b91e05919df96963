package org.calando.session;

import java.util.Optional;
import org.calando.core.policy.Observation;

/**
 * The canary's reads beside what was predicted for them, since an earlier time. Immutable and
 * thread safe.
 *
 * @param seen how many reads there have been in all, to go on from
 * @param truth those that came since; empty without one
 */
public record TruthSince(long seen, Optional<Observation.Truth> truth) {}
