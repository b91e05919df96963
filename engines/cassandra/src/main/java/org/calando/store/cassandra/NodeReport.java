package org.calando.store.cassandra;

import java.util.Optional;

/**
 * What a node answered when it was asked by itself. Immutable and thread safe.
 *
 * @param endpoint where it was asked
 * @param problem why it did not answer, or an empty string
 * @param facts what it answered; empty if it did not
 */
public record NodeReport(Endpoint endpoint, String problem, Optional<Facts> facts) {

  /**
   * What a node says of itself.
   *
   * @param dataCentre its data centre
   * @param rack its rack
   * @param version Cassandra's release
   * @param clockOffsetNanos its clock less this machine's: positive if it is ahead
   * @param clockErrorNanos the offset is right within this: half the shortest round trip, and the
   *     millisecond that the node rounds to
   * @param roundTripNanos the shortest round trip of a request
   */
  public record Facts(
      String dataCentre,
      String rack,
      String version,
      long clockOffsetNanos,
      long clockErrorNanos,
      long roundTripNanos) {}
}
