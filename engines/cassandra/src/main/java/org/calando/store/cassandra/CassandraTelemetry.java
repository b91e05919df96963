package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.session.Canary;
import org.calando.session.CanaryBuilder;
import org.calando.session.Monitor;
import org.calando.session.TableName;
import org.calando.session.TruthSince;
import org.calando.store.cassandra.internal.Connector;

/**
 * What policies are to know of one table, asked of the cluster through a driver's session of its
 * own: how often it is read and written, how late replicas are, which of them live. {@link
 * #observe} is for one thread at a time; the rest is thread safe.
 *
 * <p>The canary writes to a table of Calando's own in the keyspace, and nowhere else.
 */
public final class CassandraTelemetry implements TableTelemetry {
  private final CqlSession driver;
  private final Monitor monitor;
  private final Canary canary;
  private final TableName table;
  private final int replicas;
  private final int writeReplicas;
  private final LagModel model;
  private long truthSeen;
  private long truthTold;

  private CassandraTelemetry(
      CqlSession driver,
      CassandraStoreConfig config,
      Settings settings,
      LagModel model,
      Supplier<ReadChoice> inUse) {
    this.driver = driver;
    this.model = model;
    this.table = new TableName(config.keyspace(), settings.table());
    this.replicas = settings.replicas();
    this.writeReplicas =
        Math.min(replicas, Math.max(1, settings.placement().involved(settings.write())));
    this.monitor = Monitor.builder(driver).watch(table).deadline(settings.deadline()).build();
    monitor.check();
    CanaryBuilder builder =
        Canary.builder(driver, config.keyspace())
            .perSecond(settings.canariesPerSecond())
            .writeLevel(settings.write())
            .readChoice(inUse);
    if (settings.isLocal()) {
      config.localDataCentre().ifPresent(builder::dataCentre);
    }
    this.canary = builder.start();
  }

  /**
   * Connects and begins to observe; blocks until then.
   *
   * @param model predicts the canary's reads
   * @param inUse what reads of the table ask now, and so do the canary's; does not block
   * @throws org.calando.core.BadRequestException if the role may not read the nodes' counts or make
   *     the canary's table, or the server is too old
   * @throws org.calando.core.FailedWorkException if the cluster does not answer
   */
  public static CassandraTelemetry start(
      CassandraStoreConfig config, Settings settings, LagModel model, Supplier<ReadChoice> inUse) {
    CqlSession driver = Connector.connect(config);
    try {
      return new CassandraTelemetry(driver, config, settings, model, inUse);
    } catch (RuntimeException e) {
      Connector.close(driver);
      throw e;
    }
  }

  @Override
  public CompletionStage<Observation> observe(Optional<Observation.Popularity> popularity) {
    return monitor.ask().thenApply(answered -> known(popularity));
  }

  @Override
  public synchronized void decided() {
    truthSeen = truthTold;
  }

  private synchronized Observation known(Optional<Observation.Popularity> popularity) {
    TruthSince truth = canary.truthSince(truthSeen, model);
    truthTold = truth.seen();
    Optional<Observation.Rates> rates = monitor.rates(table);
    Optional<Observation.Lags> lags =
        canary.lags().filter(known -> known.sample().replicas() == replicas);
    int live = Math.min(replicas, canary.liveReplicas());
    return new Observation(
        System.nanoTime(), // after everything it knows
        table.toString(),
        replicas,
        writeReplicas,
        live,
        0,
        rates,
        lags,
        popularity,
        truth.truth(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        canary.isStrained());
  }

  @Override
  public String target() {
    return table.toString();
  }

  @Override
  public Cost cost() {
    org.calando.session.Cost asking = monitor.cost();
    org.calando.session.Cost canaries = canary.cost();
    return new Cost(
        asking.requests() + canaries.requests(), asking.cpuNanos() + canaries.cpuNanos());
  }

  @Override
  public Optional<String> failures() {
    return canary
        .lastFailure()
        .map(last -> "%d canaries were not written: %s".formatted(canary.failedWrites(), last));
  }

  @Override
  public void close() {
    canary.close();
    Connector.close(driver);
  }
}
