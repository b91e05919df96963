package org.calando.core.policy.joint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;

/*
 * As LagStaleness has it: of a write whose k replicas have it l_1 .. l_k after its acknowledgement, a
 * read of X random ones meets the j-th as its first with probability C(k-j, X-1) / C(k, X), and is
 * stale with 1 - exp(-w l_j), where the key is written at the rate w.
 *
 * In another gear: W of the k replicas that are on acknowledge and have no lag; the others are as
 * late as the latest of those that are on now. A replica that returns is as late as these, once it
 * has what it missed. Where fewer than W are on no write is acknowledged, so no such gear is allowed.
 *
 * At another load or clock lags are longer by a factor, which is the same as more writes a second:
 * exp(-w (f l)) = exp(-(f w) l). So lags are looked at once for each gear, and are condensed: of
 * each rank the means of sixteen equal parts of the sorted sample.
 *
 * Where there is a master, it has every write first, and a read of a replica asks any of the others.
 *
 * Of a gear and a rate of writes, how likely a replica of each rank is to be late does not depend on
 * how many replicas are asked. It is what takes the time, and is asked for again and again: settings
 * that do not make lags longer have the same rate. So it is kept.
 */
/**
 * The share of stale reads by gear, replicas asked and a factor of lags, from lags that were
 * measured in the present one. Of one decision, and not thread safe.
 */
final class StaleForecast {
  private static final int PARTS = 16;
  private static final int BINS = 48;
  private static final int HOTTEST = 64;

  private final double[][][] lags; // by gear, rank, part
  private final Map<Late, double[][]> lates = new HashMap<>();
  private final JointCluster cluster;
  private final KeyPopularity[] popularities;
  private final double latestSeconds;

  /** For which it is kept how likely replicas are to be late. */
  private record Late(int gear, int popularity, double writesPerSecond) {}

  /**
   * Of a table that is observed in a gear.
   *
   * @param o with lags and popularity
   * @param serving the gear in which lags were measured
   */
  StaleForecast(JointCluster cluster, Observation o, int serving) {
    this.cluster = cluster;
    PropagationLags sample = o.lags().orElseThrow().sample();
    this.lags = new double[cluster.highest()][][];
    for (int gear = 1; gear <= cluster.highest(); gear++) {
      lags[gear - 1] = inGear(sample, cluster.copies(serving), gear);
    }
    int last = sample.replicas();
    this.latestSeconds =
        cluster.writeReplicas() >= last
            ? 0
            : IntStream.range(0, sample.samples())
                .mapToDouble(i -> sample.lagSeconds(i, last))
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    Observation.Popularity seen = o.popularity().orElseThrow();
    KeyPopularity byKey = seen.byKey().inBins(BINS);
    this.popularities =
        seen.unseenWrites() == 0
            ? new KeyPopularity[] {byKey}
            : new KeyPopularity[] {
              byKey.withUnseen(seen.unseenWrites(), 1),
              byKey.withUnseen(seen.unseenWrites(), HOTTEST)
            };
  }

  private double[][] inGear(PropagationLags sample, int on, int gear) {
    int copies = cluster.copies(gear);
    int acknowledge = Math.min(cluster.writeReplicas(), copies);
    double[][] ranks = new double[copies][];
    for (int rank = 1; rank <= copies; rank++) {
      if (rank <= acknowledge) {
        ranks[rank - 1] = new double[] {0};
      } else {
        int measured = copies <= on ? on - copies + rank : Math.min(on, rank);
        // What is late here acknowledges there: nothing is known of it, so it is never there.
        boolean known = measured > Math.min(cluster.writeReplicas(), on) || copies <= on;
        double[] column = new double[sample.samples()];
        Arrays.setAll(
            column, i -> known ? sample.lagSeconds(i, measured) : Double.POSITIVE_INFINITY);
        ranks[rank - 1] = condensed(column);
      }
    }
    return ranks;
  }

  private static double[] condensed(double[] column) {
    Arrays.sort(column);
    int parts = Math.min(PARTS, column.length);
    double[] means = new double[parts];
    for (int part = 0; part < parts; part++) {
      int from = part * column.length / parts;
      int to = (part + 1) * column.length / parts;
      means[part] = Arrays.stream(column, from, to).average().orElseThrow();
    }
    return means;
  }

  /** How late the latest replica was at most, of all that was measured. */
  double latestSeconds() {
    return latestSeconds;
  }

  /**
   * The share of stale reads.
   *
   * @param read replicas asked, X; more than are on ask all that are
   * @param writesPerSecond writes of the table, times the factor by which lags are longer
   * @return 0 .. 1; 0 where X + W exceeds the replicas that are on
   */
  double rate(int gear, int read, double writesPerSecond) {
    if (read >= cluster.strong(gear)) {
      return 0;
    }
    double worst = 0;
    for (int i = 0; i < popularities.length; i++) {
      worst = Math.max(worst, rate(new Late(gear, i, writesPerSecond), read));
    }
    return worst;
  }

  private double rate(Late key, int read) {
    double[][] late = lates.computeIfAbsent(key, each -> new double[lags[gear(each)].length][]);
    KeyPopularity popularity = popularities[key.popularity()];
    int copies = late.length;
    int ranks = copies - read + 1;
    for (int rank = 0; rank < ranks; rank++) {
      late[rank] = late[rank] == null ? late(key, rank) : late[rank];
    }
    double sum = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double ofBin = 0;
      for (int rank = 1; rank <= ranks; rank++) {
        ofBin += chance(copies, rank, read) * late[rank - 1][bin];
      }
      sum += popularity.reads(bin) * ofBin;
    }
    return Math.min(1, sum);
  }

  private static int gear(Late key) {
    return key.gear() - 1;
  }

  /** Of a rank, by bin. */
  private double[] late(Late key, int rank) {
    double[] seconds = lags[gear(key)][rank];
    KeyPopularity popularity = popularities[key.popularity()];
    double[] late = new double[popularity.bins()];
    Arrays.setAll(late, bin -> late(seconds, key.writesPerSecond() * popularity.writesPerKey(bin)));
    return late;
  }

  private static double late(double[] seconds, double writes) {
    double sum = 0;
    for (double each : seconds) {
      sum += each == 0 || writes == 0 ? 0 : -StrictMath.expm1(-writes * each);
    }
    return sum / seconds.length;
  }

  /** That a read meets the replica of a rank as its first. */
  private double chance(int copies, int rank, int read) {
    if (cluster.placing() == Placing.MASTER) {
      return rank == 1 ? 0 : 1.0 / (copies - 1);
    }
    return firstIs(copies, rank, read);
  }

  /** C(k-j, X-1) / C(k, X). */
  private static double firstIs(int copies, int rank, int read) {
    double chance = (double) read / copies;
    for (int before = 0; before < rank - 1; before++) {
      chance *= (double) (copies - read - before) / (copies - 1 - before);
    }
    return chance;
  }
}
