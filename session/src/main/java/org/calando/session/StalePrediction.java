package org.calando.session;

/**
 * Predicts one read: the chance that it returns an older version than one acknowledged a known time
 * before. Called from the driver's threads: thread safe, and quick.
 */
@FunctionalInterface
public interface StalePrediction {
  /**
   * The chance that a read is stale.
   *
   * @param read replicas asked, X, 1 or more
   * @param ageSeconds how long before the read the newest version was acknowledged, 0 or more
   * @return 0 .. 1; not a number while nothing is known, and then the read does not count
   */
  double chance(int read, double ageSeconds);
}
