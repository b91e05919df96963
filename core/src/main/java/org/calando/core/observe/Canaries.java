package org.calando.core.observe;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;

/**
 * Canaries of one store, and what they tell: writes that are looked for at each replica until it
 * has them, and reads of which it is known whether they are stale. Who uses it says when to send
 * one, and of which key. Thread safe.
 *
 * @param <N> a node of the store
 */
public final class Canaries<N> {
  final CanaryAccess<N> access;
  final ReplicaHealth health = new ReplicaHealth();
  private final Settings settings;
  private final Supplier<ConsistencyLevel> write;
  private final Supplier<ReadChoice> readChoice;
  private final SampleWindow window;
  private final LagSummary summary;
  private final DoubleSupplier meanAgeSeconds;
  private final WriteFailures failures = new WriteFailures();
  private final Strain strain = new Strain();

  /**
   * How closely to look.
   *
   * @param local whether levels are those of the local data centre
   * @param deadlineSeconds how long a replica is looked at until its lag counts as infinite
   * @param requestTimeoutSeconds after which requests end without an answer
   * @param windowSize samples kept at most, and reads, 1 or more
   * @param windowNanos how old they may be, above 0
   */
  public record Settings(
      boolean local,
      double deadlineSeconds,
      double requestTimeoutSeconds,
      int windowSize,
      long windowNanos) {
    /** 2 s to look, 0.5 s for a request, 256 samples of up to a minute. */
    public static Settings usual(boolean local) {
      return new Settings(local, 2, 0.5, 256, 60_000_000_000L);
    }
  }

  /**
   * Canaries that have not been sent yet.
   *
   * @param write level of the application's writes
   * @param readChoice what the application's reads ask now
   * @param meanAgeSeconds mean age of the reads that tell the truth; empty for the mean of the
   *     finite lags
   */
  public Canaries(
      CanaryAccess<N> access,
      Settings settings,
      Supplier<ConsistencyLevel> write,
      Supplier<ReadChoice> readChoice,
      Optional<DoubleSupplier> meanAgeSeconds) {
    this.access = access;
    this.settings = settings;
    this.write = write;
    this.readChoice = readChoice;
    this.window = new SampleWindow(settings.windowSize(), settings.windowNanos());
    this.summary = new LagSummary(window, access::nowNanos);
    this.meanAgeSeconds = meanAgeSeconds.orElse(summary::meanAgeSeconds);
    access.lateAnswers(node -> health.answeredLate(access.id(node), access.nowNanos()));
  }

  /**
   * Sends one.
   *
   * @param key that no other canary under way uses
   * @param version above those of earlier canaries of the key
   * @param replicas nodes that hold the key, 1 or more
   * @param ended runs once, when nothing of it is under way any more
   */
  public void send(long key, long version, List<N> replicas, Runnable ended) {
    summary.renew();
    new CanaryFlight<>(this, key, version, replicas, ended).begin();
  }

  /** The lags; empty without a sample of late. A lag without end is infinite. */
  public Optional<Observation.Lags> lags() {
    return window.lags(access.nowNanos());
  }

  /**
   * The reads kept, beside what a model predicted for them before; empty without one. They are at
   * the level in use, or of one replica where that cannot miss a write.
   */
  public Optional<Observation.Truth> truth(LagModel model) {
    return window.truth(access.nowNanos(), model);
  }

  /** Those of {@link #truth} that came after the first so many. */
  public SampleWindow.Since truthSince(long seen, LagModel model) {
    return window.truthSince(access.nowNanos(), seen, model);
  }

  /** Whether a node answers. */
  public boolean isLive(N node) {
    // After too much work a silent node may be no more than the last to have done its own.
    return access.mayAnswer(node)
        && (health.isLive(access.id(node)) || strain.wasOn(access.nowNanos()));
  }

  /** Whether there is more work than nodes can do: see {@link Observation#strained}. */
  public boolean isStrained() {
    return strain.isOn(access.nowNanos());
  }

  /** Writes that failed so far, which give no sample. */
  public long failedWrites() {
    return failures.count();
  }

  /** Why the last of the failed writes failed; empty if none did. */
  public Optional<String> lastFailure() {
    return failures.last();
  }

  ConsistencyLevel writeLevel() {
    return write.get();
  }

  ConsistencyLevel readLevel(int read, int replicas) {
    return new ReadLevels(replicas, settings.local()).level(read);
  }

  double deadlineSeconds() {
    return settings.deadlineSeconds();
  }

  double requestTimeoutSeconds() {
    return settings.requestTimeoutSeconds();
  }

  /**
   * What the next read asks.
   *
   * @param replicas it asks
   * @param standsIn for reads of the application, which cannot miss a write
   */
  record Draw(int replicas, boolean standsIn) {}

  /**
   * The replicas that the next read asks: as many as the application's, of which mixed levels draw,
   * unless these cannot miss a write.
   */
  Draw drawReadReplicas(int replicas) {
    ReadChoice choice = readChoice.get();
    ReadLevels levels = new ReadLevels(replicas, settings.local());
    int lacking = replicas - write.get().replicas(replicas);
    int weaker = levels.asked(Math.min(replicas, choice.replicas()));
    int stronger = levels.asked(Math.min(replicas, choice.replicas() + 1));
    boolean above = access.random() < choice.shareAbove();
    if (above && stronger <= lacking) {
      return new Draw(stronger, false);
    }
    return weaker <= lacking ? new Draw(weaker, false) : new Draw(1, true);
  }

  /** An age at which to read, exponential, and within the deadline. */
  double drawAgeSeconds() {
    double age = -StrictMath.log1p(-access.random()) * meanAgeSeconds.getAsDouble();
    return Math.min(age, settings.deadlineSeconds());
  }

  /** Of the numbers of replicas that a level of their own reads, those that may miss a write. */
  int[] readsToWatch(int replicas) {
    ReadLevels levels = new ReadLevels(replicas, settings.local());
    int written = write.get().replicas(replicas);
    return IntStream.rangeClosed(2, replicas - written)
        .filter(read -> levels.asked(read) == read)
        .toArray();
  }

  /** Notes whether a request had an answer in time. */
  void ended(boolean answered) {
    strain.ended(access.nowNanos(), answered);
  }

  void sample(long atNanos, int replicas, double[] row) {
    if (isStrained()) {
      return;
    }
    window.add(atNanos, replicas, row);
  }

  /**
   * Takes a read in, unless nothing is known by which it could have been predicted: no lag yet, or
   * those of another number of replicas, from before the replication changed.
   */
  void truth(long atNanos, boolean stale, int replicas, Draw read, double ageSeconds) {
    if (isStrained()) {
      return;
    }
    summary
        .sample()
        .filter(lags -> lags.replicas() == replicas)
        .ifPresent(lags -> truth(atNanos, stale, lags, read, ageSeconds));
  }

  private void truth(
      long atNanos, boolean stale, PropagationLags lags, Draw read, double ageSeconds) {
    int written = write.get().replicas(lags.replicas());
    if (read.standsIn()) {
      // What a model makes of reads of one replica need not hold for those that it would choose
      // next. What was measured of replicas does: so that is tried, whatever the model.
      double missed = LagModel.MEASURED.missed(lags, written, read.replicas(), ageSeconds);
      window.add(atNanos, stale, model -> missed);
    } else {
      window.add(atNanos, stale, model -> model.missed(lags, written, read.replicas(), ageSeconds));
    }
  }

  /**
   * Notes a write that failed.
   *
   * @param tookSeconds until then: one that was refused at once does not tell of too much work
   */
  void failed(String why, double tookSeconds) {
    if (tookSeconds >= settings.requestTimeoutSeconds()) {
      ended(false);
    }
    failures.add(why);
  }
}
