package org.calando.core.policy;

import org.calando.core.energy.EnergyPricing;

/**
 * What a table's operations cost a second: instances, storage, network and energy. Immutable and
 * thread safe. All prices are in one currency, that of the energy; docs/papers/bismar.md says what
 * was reconstructed.
 *
 * <p>The unit of work is a read or write by one replica. A read of X replicas is as much work as
 * its measured cost says, else X; a write is N.
 *
 * @param instancePerHour a node's lease for an hour, 0 or more
 * @param workPerSecond units of work that a leased node does in a second, above 0
 * @param storagePerGbMonth a gigabyte (10^9 bytes) stored for a month (30 days), 0 or more
 * @param storedGb gigabytes stored, all replicas together, 0 or more
 * @param storagePerMillion a million requests to storage, one for each unit of work, 0 or more
 * @param networkPerGb a gigabyte sent between nodes, 0 or more
 * @param recordBytes size of a record where it was not observed, 0 or more
 * @param joulesPerWork joules for a unit of work, 0 or more
 * @param energy price of joules; without one {@code joulesPerWork} must be 0
 */
public record BismarPrices(
    double instancePerHour,
    double workPerSecond,
    double storagePerGbMonth,
    double storedGb,
    double storagePerMillion,
    double networkPerGb,
    double recordBytes,
    double joulesPerWork,
    EnergyPricing energy) {
  /** Nothing but work counts: a unit of it costs one. */
  public static final BismarPrices WORK =
      new BismarPrices(3600, 1, 0, 0, 0, 0, 0, 0, EnergyPricing.NONE);

  /** Bytes by which a replica answers that is asked for a digest only. */
  private static final double DIGEST_BYTES = 16;

  private static final double MONTH_SECONDS = 30 * 86_400;
  private static final double GB = 1e9;

  public BismarPrices {
    require("price of an instance", instancePerHour);
    require("price of storage", storagePerGbMonth);
    require("gigabytes stored", storedGb);
    require("price of storage requests", storagePerMillion);
    require("price of network", networkPerGb);
    require("bytes of a record", recordBytes);
    require("joules", joulesPerWork);
    if (!(workPerSecond > 0) || Double.isInfinite(workPerSecond)) {
      throw new IllegalArgumentException("work of " + workPerSecond + " a second");
    }
    if (joulesPerWork > 0 && Double.isNaN(energy.pricePerKwh())) {
      throw new IllegalArgumentException("joules without a price");
    }
  }

  /**
   * What a second costs when all reads ask some replicas.
   *
   * @param read replicas asked, 1 .. N
   * @param relative what such a read costs over one of a single replica, above 0
   * @param readsPerSecond reads of the table
   * @param writesPerSecond writes of the table
   * @param replicas replicas of a key, N
   * @param observedBytes size of a record; NaN if unknown
   * @return money a second, 0 or more
   */
  public double perSecond(
      int read,
      double relative,
      double readsPerSecond,
      double writesPerSecond,
      int replicas,
      double observedBytes) {
    double bytes = observedBytes >= 0 ? observedBytes : recordBytes;
    double work = readsPerSecond * relative + writesPerSecond * replicas;
    double requests = readsPerSecond * read + writesPerSecond * replicas;
    // One replica answers with the record and the others with digests; writes go to every replica.
    double sent =
        readsPerSecond * (bytes + (read - 1) * DIGEST_BYTES) + writesPerSecond * replicas * bytes;
    double joules = work * joulesPerWork;
    return instancePerHour / 3600 * work / workPerSecond
        + storagePerGbMonth * storedGb / MONTH_SECONDS
        + storagePerMillion * requests / 1e6
        + networkPerGb * sent / GB
        + (joules == 0 ? 0 : energy.cost(joules));
  }

  private static void require(String what, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(what + " of " + value);
    }
  }
}
