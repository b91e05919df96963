package org.calando.studyfile;

import org.calando.engine.StoreSpec;
import org.calando.knob.Point;

/**
 * A cluster that {@code calando govern} governs by its knobs. Immutable and thread safe.
 *
 * @param name what messages call it
 * @param store how it is reached, by its inventory
 * @param control what each knob is set to, or what decides on it
 * @param periodNanos from one decision to the next
 */
public record ClusterGovernSpec(String name, StoreSpec store, Point control, long periodNanos) {}
