package org.calando.core.staleness;

/** {@link WarsExponential} among Poisson writes. */
final class WarsExponentialWrites implements StaleDepthEstimate {
  private final WarsExponential wars;
  private final double writesPerTime;
  private final KeyPopularity popularity;

  WarsExponentialWrites(WarsExponential wars, double writesPerTime, KeyPopularity popularity) {
    this.wars = wars;
    this.writesPerTime = writesPerTime;
    this.popularity = popularity;
  }

  @Override
  public int replicas() {
    return wars.replicas();
  }

  @Override
  public double rate(int read) {
    return rateOfVersions(read, 1);
  }

  @Override
  public double rateOfVersions(int read, int versions) {
    if (versions < 1) {
      throw new IllegalArgumentException("versions " + versions);
    }
    double missed = wars.missed(read, versions);
    double decay = wars.decay(read);
    double sum = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double writes = writesPerTime * popularity.writesPerKey(bin);
      double inTime = popularity.reads(bin);
      for (int i = 1; i <= versions; i++) {
        inTime *= writes / (writes + i * decay);
      }
      sum += inTime;
    }
    return missed * sum;
  }
}
