package org.calando.studyfile;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.calando.core.observe.Promised;

/**
 * What a cluster's clients are promised. Immutable and thread safe.
 *
 * @param limits by what is promised, in its unit; none if nothing is promised
 * @param windowNanos over what the error budget is reckoned, above 0
 */
public record ClusterPromise(Map<Promised, Double> limits, long windowNanos) {
  /** Nothing is promised. */
  public static final ClusterPromise NONE = new ClusterPromise(Map.of(), 1);

  /** Copies the map, in the order of what is promised. */
  public ClusterPromise {
    Map<Promised, Double> sorted = new EnumMap<>(Promised.class);
    sorted.putAll(limits);
    limits = Collections.unmodifiableMap(sorted);
  }
}
