package org.calando.knob;

import org.calando.core.energy.NodeProfile;
import org.calando.engine.StoreSpec;

/**
 * A configuration that is compared, and what its study says beside it. Immutable and thread safe.
 *
 * @param point what it is set to
 * @param store the store that is studied
 * @param profile power profile of its nodes
 * @param clocks how policies manage the clocks of its processors
 * @param periodNanos from one decision to the next, of policies without times of their own
 * @param speed local seconds that pass in a second of the load
 * @param noticeNanos so long what is decided on nodes is to be announced, as others decide by it
 */
public record Configuration(
    Point point,
    StoreSpec store,
    NodeProfile profile,
    ManagedClocks clocks,
    long periodNanos,
    double speed,
    long noticeNanos) {}
