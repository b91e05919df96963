package org.calando.sim.control;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.core.observe.SampleWindow;
import org.calando.core.observe.TableRates;
import org.calando.core.observe.TableRates.Count;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;

/**
 * What policies are to know of the table of a simulated cluster, observed as that of a real one is:
 * rates from what each node has coordinated, each over the node's own interval; lags and truth from
 * canaries, which are operations of the cluster and load it; a replica that is silent for 2 s is
 * away. Belongs to the simulation's thread.
 *
 * <p>Asking a node for its counts takes no time and no work; one that is down but still taken for
 * up does not answer.
 */
final class SimTelemetry implements AutoCloseable {
  private final SimCluster cluster;
  private final TableTelemetry.Settings settings;
  private final LagModel model;
  private final Scheduler scheduler;
  private final SimCanary canary;
  private final TableRates rates = new TableRates();
  private final int replicas;
  private final int writeReplicas;
  private long asked;
  private long truthSeen;
  private long truthTold;

  /**
   * Begins to observe.
   *
   * @param scheduler of the cluster's simulation
   * @param seed of the canary's random numbers
   * @param model predicts the canary's reads
   * @param inUse what reads of the table ask now, and so do the canary's
   */
  SimTelemetry(
      SimCluster cluster,
      Scheduler scheduler,
      TableTelemetry.Settings settings,
      long seed,
      LagModel model,
      Supplier<ReadChoice> inUse) {
    this.cluster = cluster;
    this.settings = settings;
    this.model = model;
    this.scheduler = scheduler;
    this.replicas = settings.replicas();
    this.writeReplicas =
        Math.min(replicas, Math.max(1, settings.placement().involved(settings.write())));
    this.canary =
        new SimCanary(
            cluster,
            scheduler,
            settings.isLocal(),
            settings.canariesPerSecond(),
            settings.write(),
            inUse,
            seed);
  }

  /**
   * Asks all nodes and says what is known.
   *
   * @param popularity how requests spread over the table's keys, which the cluster does not tell,
   *     given the rates
   */
  Observation observe(
      Function<Optional<Observation.Rates>, Optional<Observation.Popularity>> popularity) {
    long now = scheduler.clock().nanos();
    SampleWindow.Since truth = canary.canaries().truthSince(truthSeen, model);
    truthTold = truth.seen();
    Optional<Observation.Rates> rates = rates(now);
    int live = Math.min(replicas, canary.liveReplicas());
    int away = Math.min(replicas - live, canary.awayReplicas());
    return new Observation(
        now,
        settings.table(),
        replicas,
        writeReplicas,
        live,
        replicas - live - away,
        rates,
        canary.canaries().lags().filter(known -> known.sample().replicas() == replicas),
        popularity.apply(rates),
        truth.truth(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        canary.canaries().isStrained());
  }

  /**
   * That the last observation was decided on: the canary reads that it told are not told again.
   * Those of one that came too late are.
   */
  void decided() {
    truthSeen = truthTold;
  }

  /** The table's name, as observations have it. */
  String target() {
    return settings.table();
  }

  /** Requests that observing has sent so far: the canary's, and questions to nodes. */
  long requests() {
    return asked + canary.access().requests();
  }

  /** Canaries whose write failed, in words; empty if none did. */
  Optional<String> failures() {
    return canary
        .canaries()
        .lastFailure()
        .map(
            last ->
                "%d canaries were not written: %s"
                    .formatted(canary.canaries().failedWrites(), last));
  }

  /** Stops observing; the canary's operations under way end by themselves. Idempotent. */
  @Override
  public void close() {
    canary.close();
  }

  private Optional<Observation.Rates> rates(long now) {
    Set<Integer> contributors = new HashSet<>();
    for (int node = 0; node < cluster.config().topology().size(); node++) {
      if (cluster.isSeenByClients(node)) {
        contributors.add(node);
        asked += Count.values().length;
        if (cluster.isServing(node)) {
          rates.answered(node, Count.READS, 0, now, counted(node, true));
          rates.answered(node, Count.SCANS, 0, now, 0);
          rates.answered(node, Count.WRITES, 0, now, counted(node, false));
        }
      }
    }
    return rates
        .sum(contributors)
        .map(
            sum ->
                new Observation.Rates(
                    sum.atNanos(), sum.readsPerSecond(), sum.writesPerSecond(), Double.NaN));
  }

  /** What a node has coordinated for all but the canary, scans among the reads. */
  private long counted(int node, boolean reads) {
    long sum = 0;
    for (int requester = 0; requester < cluster.requesters(); requester++) {
      if (requester != canary.access().requester()) {
        sum += cluster.coordinated(requester, node, reads);
      }
    }
    return sum;
  }
}
