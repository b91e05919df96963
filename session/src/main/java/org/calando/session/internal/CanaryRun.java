package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.session.Cost;
import org.calando.session.TruthSince;

/** Sends canaries at their rate and keeps what they tell. Thread safe. */
public final class CanaryRun implements AutoCloseable {
  private final CanaryContext context;
  private final CanaryKeys keys;
  private final double perSecond;
  private final boolean ownsTimer;
  private final AtomicLong versions;
  private final LagSummary summary;
  private volatile boolean closed;

  private CanaryRun(
      CanaryContext context, CanaryKeys keys, CanarySettings settings, LagSummary summary) {
    this.context = context;
    this.keys = keys;
    this.perSecond = settings.perSecond();
    this.ownsTimer = settings.timer().isEmpty();
    this.summary = summary;
    // Also the writes' timestamps: later than those of an earlier canary with the same key.
    this.versions = new AtomicLong(System.currentTimeMillis() * 1000);
  }

  /** Prepares everything and begins; see {@link org.calando.session.CanaryBuilder#start}. */
  public static CanaryRun start(CqlSession session, String keyspace, CanarySettings settings) {
    CanaryTable table = CanaryTable.open(session, keyspace);
    int underWay =
        4 + (int) Math.ceil(settings.perSecond() * 2 * settings.deadline().toNanos() / 1e9);
    CanaryKeys keys =
        new CanaryKeys(
            session,
            keyspace,
            settings.dataCentre(),
            Math.min(underWay, 256),
            ThreadLocalRandom.current().nextLong());
    keys.check();
    SampleWindow window = new SampleWindow(settings.windowSize(), settings.windowAge().toNanos());
    LagSummary summary = new LagSummary(window, settings.clock());
    byte[] filler = new byte[settings.valueBytes()];
    ThreadLocalRandom.current().nextBytes(filler);
    CanaryContext context =
        new CanaryContext(
            session,
            table,
            settings.timer().orElseGet(CanaryRun::ownTimer),
            settings.clock(),
            settings.dataCentre().isPresent(),
            settings.writeLevel(),
            settings.readChoice(),
            summary::sample,
            settings.meanAgeSeconds().orElse(summary::meanAgeSeconds),
            settings.deadline().toNanos() / 1e9,
            settings.requestTimeout(),
            ByteBuffer.wrap(filler).asReadOnlyBuffer(),
            window,
            new ReplicaHealth(),
            new CostMeter(),
            new WriteFailures());
    CanaryRun run = new CanaryRun(context, keys, settings, summary);
    run.next();
    return run;
  }

  private static ScheduledExecutorService ownTimer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "calando-canary");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  // The gaps vary by half, so that a load with a period of its own is met at all of its phases.
  private void next() {
    double gapSeconds = (0.5 + ThreadLocalRandom.current().nextDouble()) / perSecond;
    try {
      var unused =
          context
              .timer()
              .schedule(
                  () -> {
                    if (!closed) {
                      next();
                      context.cost().run(this::send);
                    }
                  },
                  (long) (gapSeconds * 1e9),
                  TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      closed = true;
    }
  }

  private void send() {
    summary.renew();
    Optional<Long> key = keys.take();
    if (key.isEmpty()) {
      return; // all are still waiting for answers
    }
    List<Node> replicas = List.copyOf(keys.replicas(key.get()));
    if (replicas.isEmpty()) {
      keys.giveBack(key.get());
      return;
    }
    new CanaryFlight(
            context,
            key.get(),
            versions.incrementAndGet(),
            replicas,
            () -> keys.giveBack(key.get()))
        .begin();
  }

  /** See {@link org.calando.session.Canary#lags}. */
  public Optional<Observation.Lags> lags() {
    return context.window().lags(context.now());
  }

  /** See {@link org.calando.session.Canary#truth}. */
  public Optional<Observation.Truth> truth(LagModel model) {
    return context.window().truth(context.now(), model);
  }

  /** See {@link org.calando.session.Canary#truthSince}. */
  public TruthSince truthSince(long seen, LagModel model) {
    return context.window().truthSince(context.now(), seen, model);
  }

  /** See {@link org.calando.session.Canary#replicas}. */
  public int replicas() {
    return keys.all().stream().mapToInt(key -> keys.replicas(key).size()).min().orElse(0);
  }

  /** See {@link org.calando.session.Canary#liveReplicas}. */
  public int liveReplicas() {
    return keys.all().stream()
        .mapToInt(key -> (int) keys.replicas(key).stream().filter(context.health()::isLive).count())
        .min()
        .orElse(0);
  }

  /** See {@link org.calando.session.Canary#failedWrites}. */
  public long failedWrites() {
    return context.failures().count();
  }

  /** See {@link org.calando.session.Canary#lastFailure}. */
  public Optional<String> lastFailure() {
    return context.failures().last();
  }

  /** See {@link org.calando.session.Canary#cost}. */
  public Cost cost() {
    return context.cost().cost();
  }

  @Override
  public void close() {
    closed = true;
    if (ownsTimer) {
      context.timer().shutdown();
    }
  }
}
