package org.calando.cli.layout;

import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.WarmShare;

/**
 * What {@code layout tokens} is asked for. Immutable.
 *
 * @param nodes N, 1 or more
 * @param share which share of them is warm
 * @param arrangement in which order they stand
 * @param partitioner of the cluster
 * @param replicationFactor 1 to N
 * @param racks 1 to N; node i is in rack i modulo racks
 * @param format of the answer
 */
record TokenRequest(
    int nodes,
    WarmShare share,
    Arrangement arrangement,
    Partitioner partitioner,
    int replicationFactor,
    int racks,
    Format format) {
  /** How the answer is written. */
  enum Format {
    TABLE,
    JSON,
    YAML
  }
}
