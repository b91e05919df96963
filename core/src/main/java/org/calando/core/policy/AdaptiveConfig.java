package org.calando.core.policy;

import java.time.Duration;
import java.util.function.Consumer;
import org.calando.core.store.ConsistencyLevel;

/**
 * What a policy that follows an estimate of stale reads is asked to keep to, and how carefully.
 * Immutable and thread safe.
 *
 * @param tolerated share of stale reads that is tolerable, 0 .. 1. At 0 reads are always safe; at 1
 *     nothing is promised
 * @param margin part of {@code tolerated} that is left free, 0 or more and less than 1, for what
 *     the estimate does not know; 1 is tolerated without it
 * @param mixed whether a share of the reads may ask more replicas than the rest, to meet the rate
 *     exactly
 * @param local whether reads use LOCAL levels
 * @param safeReplicas replicas that a safe read asks at least, 1 .. N + 1: those of {@link
 *     SafeLevel}. N - W + 1 of the observation is taken where that is more
 * @param freshFirst whether freshness comes before availability: the fallback, which is read at
 *     while figures are unknown, is then the safe level; else it is capped at a quorum
 * @param maxAgeNanos how old a figure may be to decide on, above 0
 * @param easeDecisions decisions in a row that must allow fewer replicas before fewer are read, 1
 *     or more; 1 eases at once. More replicas are always read at once
 * @param easeNanos how long they must have allowed it, 0 or more
 * @param easeBand part of what is allowed that must be free after easing, 0 or more and less than
 *     1, so that the choice does not swing
 * @param recoveryNanos how long a replica that came back is taken to lack what was written
 *     meanwhile, 0 or more
 * @param minFactor least factor by which canary reads correct the estimate, above 0, at most 1; 1
 *     where it may become stricter only
 * @param maxFactor greatest factor, 1 or more; 1 where canary reads never make it stricter
 * @param forgetNanos how long until a correction without new canary reads has lost all but 1/e,
 *     above 0
 */
public record AdaptiveConfig(
    double tolerated,
    double margin,
    boolean mixed,
    boolean local,
    int safeReplicas,
    boolean freshFirst,
    long maxAgeNanos,
    int easeDecisions,
    long easeNanos,
    double easeBand,
    long recoveryNanos,
    double minFactor,
    double maxFactor,
    long forgetNanos) {
  public AdaptiveConfig {
    require(tolerated >= 0 && tolerated <= 1, "tolerated", tolerated);
    require(margin >= 0 && margin < 1, "margin", margin);
    require(safeReplicas >= 1, "safe replicas", safeReplicas);
    require(maxAgeNanos > 0, "max age", maxAgeNanos);
    require(easeDecisions >= 1, "decisions to ease", easeDecisions);
    require(easeNanos >= 0, "time to ease", easeNanos);
    require(easeBand >= 0 && easeBand < 1, "band to ease", easeBand);
    require(recoveryNanos >= 0, "recovery", recoveryNanos);
    require(minFactor > 0 && minFactor <= 1, "least factor", minFactor);
    require(maxFactor >= 1 && maxFactor < 1e6, "greatest factor", maxFactor);
    require(forgetNanos > 0, "time to forget", forgetNanos);
  }

  /**
   * What is usual: a margin of 10 %, mixed levels, figures up to 10 s old, three decisions and a
   * band of 10 % to ease, a minute to recover, factors of 1/8 to 16, forgotten in ten minutes.
   */
  public static AdaptiveConfig of(double tolerated) {
    return new AdaptiveConfig(
        tolerated,
        0.1,
        true,
        false,
        1,
        false,
        Duration.ofSeconds(10).toNanos(),
        3,
        0,
        0.1,
        Duration.ofMinutes(1).toNanos(),
        1.0 / 8,
        16,
        Duration.ofMinutes(10).toNanos());
  }

  /**
   * As a published controller is described: it takes whole levels, without a margin, and eases at
   * once. Canary reads may make it stricter, never easier.
   */
  public static AdaptiveConfig published(double tolerated) {
    return of(tolerated).withMargin(0).withMixed(false).withEase(1, 0, 0).withFactors(1, 16);
  }

  /** The same with another margin. */
  public AdaptiveConfig withMargin(double newMargin) {
    return with(draft -> draft.margin = newMargin);
  }

  /** The same with mixed levels or without. */
  public AdaptiveConfig withMixed(boolean newMixed) {
    return with(draft -> draft.mixed = newMixed);
  }

  /** The same for a table's levels. */
  public AdaptiveConfig withLevels(boolean newLocal, SafeLevel safe) {
    return with(
        draft -> {
          draft.local = newLocal;
          draft.safeReplicas = safe.replicas();
        });
  }

  /** The same with the safe level as the fallback, or with one that is capped at a quorum. */
  public AdaptiveConfig withFreshFirst(boolean newFreshFirst) {
    return with(draft -> draft.freshFirst = newFreshFirst);
  }

  /** The same with other ages and times: of figures, of recovery, of corrections. */
  public AdaptiveConfig withTimes(long newMaxAge, long newRecovery, long newForget) {
    return with(
        draft -> {
          draft.maxAgeNanos = newMaxAge;
          draft.recoveryNanos = newRecovery;
          draft.forgetNanos = newForget;
        });
  }

  /** The same with another hysteresis. */
  public AdaptiveConfig withEase(int newDecisions, long newNanos, double newBand) {
    return with(
        draft -> {
          draft.easeDecisions = newDecisions;
          draft.easeNanos = newNanos;
          draft.easeBand = newBand;
        });
  }

  /** The same with other bounds of the correction; 1 and 1 for none. */
  public AdaptiveConfig withFactors(double newMin, double newMax) {
    return with(
        draft -> {
          draft.minFactor = newMin;
          draft.maxFactor = newMax;
        });
  }

  private AdaptiveConfig with(Consumer<Draft> change) {
    Draft draft = new Draft();
    change.accept(draft);
    return draft.build();
  }

  /** A copy whose values may change until it is built. */
  private final class Draft {
    double tolerated = AdaptiveConfig.this.tolerated;
    double margin = AdaptiveConfig.this.margin;
    boolean mixed = AdaptiveConfig.this.mixed;
    boolean local = AdaptiveConfig.this.local;
    int safeReplicas = AdaptiveConfig.this.safeReplicas;
    boolean freshFirst = AdaptiveConfig.this.freshFirst;
    long maxAgeNanos = AdaptiveConfig.this.maxAgeNanos;
    int easeDecisions = AdaptiveConfig.this.easeDecisions;
    long easeNanos = AdaptiveConfig.this.easeNanos;
    double easeBand = AdaptiveConfig.this.easeBand;
    long recoveryNanos = AdaptiveConfig.this.recoveryNanos;
    double minFactor = AdaptiveConfig.this.minFactor;
    double maxFactor = AdaptiveConfig.this.maxFactor;
    long forgetNanos = AdaptiveConfig.this.forgetNanos;

    AdaptiveConfig build() {
      return new AdaptiveConfig(
          tolerated,
          margin,
          mixed,
          local,
          safeReplicas,
          freshFirst,
          maxAgeNanos,
          easeDecisions,
          easeNanos,
          easeBand,
          recoveryNanos,
          minFactor,
          maxFactor,
          forgetNanos);
    }
  }

  /**
   * What reads ask while figures are unknown, and where nothing is decided.
   *
   * @param ofReplicas replicas among which a read's level chooses, N
   */
  public ReadChoice fallback(int ofReplicas) {
    return ReadChoice.of(fallback(ofReplicas, safeReplicas));
  }

  /** Of a number of replicas that is safe: that, but a quorum at most unless freshness is first. */
  int fallback(int ofReplicas, int safe) {
    boolean uncapped = freshFirst || tolerated == 0;
    return uncapped ? safe : Math.min(safe, ConsistencyLevel.QUORUM.replicas(ofReplicas));
  }

  /** The estimated rate that a choice may have: what is tolerated less the margin. */
  double allowed() {
    return tolerated >= 1 ? 1 : tolerated * (1 - margin);
  }

  private static void require(boolean holds, String what, Number value) {
    if (!holds) {
      throw new IllegalArgumentException(what + " of " + value);
    }
  }
}
