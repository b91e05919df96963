package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.observe.Canaries;
import org.calando.core.observe.SampleWindow;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.session.Cost;
import org.calando.session.TruthSince;

/** Sends canaries at their rate and keeps what they tell. Thread safe. */
public final class CanaryRun implements AutoCloseable {
  private final DriverCanaries access;
  private final Canaries<Node> canaries;
  private final CanaryKeys keys;
  private final double perSecond;
  private final boolean ownsTimer;
  private final AtomicLong versions;
  private volatile boolean closed;

  private CanaryRun(
      DriverCanaries access, Canaries<Node> canaries, CanaryKeys keys, CanarySettings settings) {
    this.access = access;
    this.canaries = canaries;
    this.keys = keys;
    this.perSecond = settings.perSecond();
    this.ownsTimer = settings.timer().isEmpty();
    // Also the writes' timestamps: later than those of an earlier canary with the same key.
    this.versions = new AtomicLong(System.currentTimeMillis() * 1000);
  }

  /** Prepares everything and begins; see {@link org.calando.session.CanaryBuilder#start}. */
  public static CanaryRun start(CqlSession session, String keyspace, CanarySettings settings) {
    return begin(session, keyspace, CanaryTable.open(session, keyspace), settings);
  }

  /** Begins with a table that is there; does not block. */
  public static CanaryRun begin(
      CqlSession session, String keyspace, CanaryTable table, CanarySettings settings) {
    double deadlineSeconds = settings.deadline().toNanos() / 1e9;
    int underWay = 4 + (int) Math.ceil(settings.perSecond() * 2 * deadlineSeconds);
    CanaryKeys keys =
        new CanaryKeys(
            session,
            keyspace,
            settings.dataCentre(),
            Math.min(underWay, 256),
            ThreadLocalRandom.current().nextLong());
    keys.check();
    byte[] filler = new byte[settings.valueBytes()];
    ThreadLocalRandom.current().nextBytes(filler);
    boolean local = settings.dataCentre().isPresent();
    DriverCanaries access =
        new DriverCanaries(
            session,
            table,
            settings.timer().orElseGet(() -> TimerScheduler.timer("calando-canary")),
            settings.clock(),
            local,
            settings.requestTimeout(),
            ByteBuffer.wrap(filler).asReadOnlyBuffer(),
            new CostMeter(),
            new CanaryTrouble());
    Canaries<Node> canaries =
        new Canaries<>(
            access,
            new Canaries.Settings(
                local,
                deadlineSeconds,
                settings.requestTimeout().toNanos() / 1e9,
                settings.windowSize(),
                settings.windowAge().toNanos()),
            settings.writeLevel(),
            settings.readChoice(),
            settings.meanAgeSeconds());
    CanaryRun run = new CanaryRun(access, canaries, keys, settings);
    run.next();
    return run;
  }

  // The gaps vary by half, so that a load with a period of its own is met at all of its phases.
  private void next() {
    double gapSeconds = (0.5 + ThreadLocalRandom.current().nextDouble()) / perSecond;
    try {
      var unused =
          access
              .timer()
              .schedule(
                  () -> {
                    if (!closed) {
                      next();
                      access.cost().run(this::send);
                    }
                  },
                  (long) (gapSeconds * 1e9),
                  TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      closed = true;
    }
  }

  private void send() {
    Optional<Long> key = keys.take();
    if (key.isEmpty()) {
      return; // all are still waiting for answers
    }
    List<Node> replicas = List.copyOf(keys.replicas(key.get()));
    if (replicas.isEmpty()) {
      keys.giveBack(key.get());
      return;
    }
    canaries.send(key.get(), versions.incrementAndGet(), replicas, () -> keys.giveBack(key.get()));
  }

  /** See {@link org.calando.session.Canary#lags}. */
  public Optional<Observation.Lags> lags() {
    return canaries.lags();
  }

  /** See {@link org.calando.session.Canary#truth}. */
  public Optional<Observation.Truth> truth(LagModel model) {
    return canaries.truth(model);
  }

  /** See {@link org.calando.session.Canary#truthSince}. */
  public TruthSince truthSince(long seen, LagModel model) {
    SampleWindow.Since since = canaries.truthSince(seen, model);
    return new TruthSince(since.seen(), since.truth());
  }

  /** See {@link org.calando.session.Canary#replicas}. */
  public int replicas() {
    return keys.fewest();
  }

  /** See {@link org.calando.session.Canary#liveReplicas}. */
  public int liveReplicas() {
    return keys.fewest(canaries::isLive);
  }

  /** See {@link org.calando.session.Canary#isStrained}. */
  public boolean isStrained() {
    // What is refused is no sign of too much work.
    return canaries.isStrained() && !access.trouble().isRefused();
  }

  /** See {@link org.calando.session.Canary#failedWrites}. */
  public long failedWrites() {
    return canaries.failedWrites();
  }

  /** See {@link org.calando.session.Canary#lastFailure}. */
  public Optional<String> lastFailure() {
    return canaries.lastFailure();
  }

  /** Why its requests fail now; empty while they succeed. */
  public Optional<String> trouble() {
    return access.trouble().text();
  }

  /** See {@link org.calando.session.Canary#cost}. */
  public Cost cost() {
    return access.cost().cost();
  }

  @Override
  public void close() {
    closed = true;
    if (ownsTimer) {
      access.timer().shutdown();
    }
  }
}
