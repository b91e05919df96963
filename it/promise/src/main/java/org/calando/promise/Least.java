package org.calando.promise;

/** The least replicas in the mean with which a promise can be kept by mixing levels. */
final class Least {
  private Least() {}

  /**
   * Between what static readers beside saw.
   *
   * @param promised share of stale reads
   * @param one share of stale reads of one replica
   * @param quorum the same of a quorum
   * @param factor replicas in all, none of which is stale together
   * @return NaN where a static reader saw nothing
   */
  static double replicas(double promised, double one, double quorum, int factor) {
    int majority = factor / 2 + 1;
    if (one <= promised) {
      return 1;
    }
    if (quorum <= promised) {
      return 1 + (majority - 1) * (one - promised) / (one - quorum);
    }
    return majority + (factor - majority) * (quorum - promised) / quorum;
  }
}
