package org.calando.sim.control;

import java.util.Optional;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.ReadLevelKnob;
import org.calando.core.observe.UnseenWrites;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.SimCluster;

/**
 * The table of a simulated cluster as a loop has it: observed, and its reads at a level that is
 * held. Belongs to the simulation's thread.
 */
final class SimReads {
  private static final int SAMPLED_READS = 2048;
  private static final int OBSERVATIONS_VALID = 5;

  private final SimTelemetry telemetry;
  private final PopularitySketch sketch;
  private final LevelPicker picker;
  private final HeldLevel level;
  private final long windowNanos;
  private final UnseenWrites unseen;
  private Optional<Observation.Popularity> popularity = Optional.empty();
  private long rotatedNanos;

  /**
   * Begins to observe.
   *
   * @param model predicts the canary's reads
   * @param fallback what is read at while nothing is decided
   */
  SimReads(
      SimCluster cluster,
      Scheduler scheduler,
      LevelledReads.Settings settings,
      LagModel model,
      ReadChoice fallback) {
    this.picker = LevelPicker.ofOneThread(settings.levels(), settings.safe());
    this.sketch =
        new PopularitySketch(new PopularitySketch.Config(SAMPLED_READS, 1, settings.seed()));
    this.windowNanos = settings.windowNanos();
    this.unseen = new UnseenWrites(3 * windowNanos);
    this.rotatedNanos = scheduler.clock().nanos();
    this.telemetry =
        new SimTelemetry(
            cluster, scheduler, settings.table(), settings.seed(), model, picker::choice);
    this.level =
        new HeldLevel(
            new ReadLevelKnob(telemetry.target(), picker),
            fallback,
            OBSERVATIONS_VALID * settings.periodNanos(),
            false);
  }

  /** What is known of the table. */
  Observation observe(long nowNanos) {
    return telemetry.observe(rates -> popularity(nowNanos, rates));
  }

  /** What was observed last was decided on. */
  void decided() {
    telemetry.decided();
  }

  /** The table's name. */
  String target() {
    return telemetry.target();
  }

  /** Sets the level. */
  HeldLevel level() {
    return level;
  }

  PopularitySketch sketch() {
    return sketch;
  }

  ConsistencyLevel next() {
    return picker.next();
  }

  Optional<String> failures() {
    return telemetry.failures();
  }

  /** Deciding takes no time of the simulation's. */
  LevelledReads.Spent spent() {
    return new LevelledReads.Spent(telemetry.requests(), Double.NaN);
  }

  void close() {
    telemetry.close();
  }

  private Optional<Observation.Popularity> popularity(
      long nowNanos, Optional<Observation.Rates> rates) {
    rates.ifPresent(each -> unseen.count(each, sketch.writes()));
    // Sooner at first: the first window only finds keys that the second can count.
    if (nowNanos - rotatedNanos >= (popularity.isEmpty() ? windowNanos / 2 : windowNanos)) {
      rotatedNanos = nowNanos;
      Optional<KeyPopularity> seen = sketch.rotate();
      double share = unseen.share();
      popularity =
          seen.map(each -> new Observation.Popularity(nowNanos, each, share)).or(() -> popularity);
    }
    return popularity;
  }
}
