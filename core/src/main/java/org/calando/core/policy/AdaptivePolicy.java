package org.calando.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/*
 * A decision, in order:
 *
 *  1. Canary reads correct the estimate (Correction), and shadow reads (ShadowCorrection).
 *  2. A store that is strained: one replica, for a while (Probe).
 *  3. A figure that is missing, too old or senseless: the fallback. So is the first choice.
 *  4. A replica that is away is infinitely late: it will come back without what was written
 *     meanwhile, and one does not know when. Reads of X replicas are taken to ask it as often as
 *     the others, from when it goes until some time after its return, when hints have arrived, or
 *     until a sample of reads shows how few of them miss a write. So the promise still holds at the moment in which it answers again. Meanwhile no more replicas
 *     are asked than live, for such reads would only fail; unless no stale read is tolerated:
 *     then failing is what was promised. A replica that is off by order is none of that.
 *  5. The cheapest choice that keeps to what is allowed.
 *  6. Stronger at once; weaker only after some decisions have all allowed it, and then as weak as
 *     the strongest of them asked for, with a band that stays free.
 */
/**
 * A policy that follows an estimate of stale reads, and takes the safe level where it knows too
 * little. Immutable and thread safe.
 */
public abstract sealed class AdaptivePolicy implements Policy<AdaptiveState>
    permits HarmonyPolicy, HarmonyExactPolicy, PbsPolicy, BismarPolicy, RationingPolicy {
  private static final String FALLBACK = ": the fallback, ";

  private final AdaptiveConfig config;
  private final String label;
  private final boolean needsPopularity;
  private final Function<Observation, StaleEstimate> model;
  private final LagModel ofOneRead;

  /**
   * A policy.
   *
   * @param label what reasons call its estimate
   * @param needsPopularity whether the estimate needs to know how requests spread over the keys
   * @param model estimates from an observation with all that is needed
   * @param ofOneRead what it says of one read
   */
  AdaptivePolicy(
      AdaptiveConfig config,
      String label,
      boolean needsPopularity,
      Function<Observation, StaleEstimate> model,
      LagModel ofOneRead) {
    this.config = config;
    this.label = label;
    this.needsPopularity = needsPopularity;
    this.model = model;
    this.ofOneRead = ofOneRead;
  }

  /** What the model says of one read: what {@link Truth#predicted} is to be counted with. */
  @Override
  public final LagModel ofOneRead() {
    return ofOneRead;
  }

  @Override
  public final ReadChoice fallback(SafeLevel safe, int replicas) {
    return config.fallback(replicas);
  }

  /** What it keeps to. */
  public final AdaptiveConfig config() {
    return config;
  }

  /**
   * What the model says of an observation, before canary reads correct it.
   *
   * @return empty if a figure that it needs is missing, too old or senseless
   */
  public final Optional<StaleEstimate> estimate(Observation o) {
    if (Figures.obstacle(o, config, needsPopularity).isPresent()) {
      return Optional.empty();
    }
    StaleEstimate estimate = model.apply(o);
    return Figures.obstacle(estimate, o).isPresent() ? Optional.empty() : Optional.of(estimate);
  }

  /**
   * Whether a decision is the fallback because a figure is missing, too old or senseless.
   *
   * @param state after the decision
   * @param o what it was made from
   */
  public final boolean isFallback(AdaptiveState state, Observation o) {
    return needsFigures()
        && !state.probe().isOn()
        && estimate(LateReplicas.countedApart(o, state.lateReplicas())).isEmpty();
  }

  /**
   * Since the last replica that was away is back, in nanoseconds; 0 while one is away, and below 0
   * if none counts as late, or reads are safe in any case.
   *
   * @param state after the last decision
   */
  public final long sinceReturnNanos(AdaptiveState state) {
    return state.lateReplicas() == 0 || !needsFigures()
        ? -1
        : config.recoveryNanos() - state.lateNanos();
  }

  /** Whether it decides by figures at all. */
  boolean needsFigures() {
    return config.tolerated() > 0;
  }

  /**
   * The state, as text, of a loop that begins where reads ask so many replicas already.
   *
   * @param known the state of whoever decided that; what is no state counts as none
   */
  public final String begunAt(ReadChoice choice, String known) {
    try {
      return AdaptiveState.read(known).choosing(choice).write();
    } catch (IllegalArgumentException e) {
      return AdaptiveState.INITIAL.choosing(choice).write();
    }
  }

  @Override
  public final AdaptiveState initial() {
    return AdaptiveState.INITIAL;
  }

  @Override
  public Step<AdaptiveState> decide(AdaptiveState state, Observation o) {
    AdaptiveState informed = informed(state.advancedTo(o, config), o);
    if (config.tolerated() == 0) {
      return safe(informed, o, "no stale read is tolerated");
    }
    Optional<String> obstacle = Figures.obstacle(o, config, needsPopularity);
    // At the weakest level by what figures said, and not by a probe that is over.
    boolean weakest = state.isWeakest() && !state.probe().isOn();
    AdaptiveState now =
        config.freshFirst()
            ? informed
            : informed.with(informed.probe().with(o.strained(), obstacle.isEmpty(), weakest));
    if (now.probe().isOn()) {
      return weakest(now, o);
    }
    if (obstacle.isPresent()) {
      return fallback(now, o, obstacle.get());
    }
    StaleEstimate estimate = model.apply(LateReplicas.countedApart(o, now.lateReplicas()));
    Optional<String> unusable = Figures.obstacle(estimate, o);
    if (unusable.isPresent()) {
      return fallback(now, o, unusable.get());
    }
    StaleEstimate asSeen = now.lateReplicas() == 0 ? estimate : model.apply(o);
    return follow(now, o, ReadSteps.of(config, o, estimate, asSeen, now));
  }

  /** One replica, whatever the figures say: those of a store that is strained say nothing. */
  private Step<AdaptiveState> weakest(AdaptiveState now, Observation o) {
    ReadChoice choice = ReadChoice.of(1);
    return step(
        now.choosing(choice),
        o,
        choice,
        List.of(
            "%s: %s: %s, for %s at most"
                .formatted(
                    label,
                    o.strained()
                        ? "most canaries have no answer, and more work would keep it so"
                        : "canaries have answers again, and figures are not known yet",
                    Words.choice(choice),
                    Words.seconds(now.probe().leftNanos()))));
  }

  /**
   * With canary reads taken in, whatever else is known: each is told once only. Not while a replica
   * is away: reads that ask it are not answered, so those that are say too little is stale.
   */
  private AdaptiveState informed(AdaptiveState now, Observation o) {
    if (now.lateReplicas() > 0) {
      return now;
    }
    return now.with(
        Figures.truth(o, config)
            .map(truth -> now.correction().with(truth, config))
            .orElse(now.correction()),
        Figures.shadow(o, config)
            .map(shadow -> now.shadow().with(shadow, config))
            .orElse(now.shadow()));
  }

  /**
   * What the estimate says of reads of one replica, and of each further number, before shadow reads
   * correct it: what {@link Observation.Shadow#predicted} is to be counted with.
   *
   * @param state after the last decision
   * @return rates by replicas, from one on; none if a figure is missing, too old or senseless
   */
  public final double[] predicted(AdaptiveState state, Observation o) {
    return estimate(o)
        .map(
            estimate ->
                IntStream.rangeClosed(1, o.replicas())
                    .mapToDouble(read -> state.correction().corrected(estimate.rate(read)))
                    .toArray())
        .orElse(new double[0]);
  }

  @Override
  public final String write(AdaptiveState state) {
    return state.write();
  }

  @Override
  public final AdaptiveState read(String text) {
    return AdaptiveState.read(text);
  }

  /**
   * The best choice, had it just been asked for.
   *
   * @param allowed rate of stale reads that it may have, 0 .. 1
   */
  ReadChoice choose(ReadSteps steps, Observation o, double allowed) {
    return steps.cheapest(allowed, config.mixed());
  }

  /** What the choice was made from, for reasons. */
  String grounds(ReadSteps steps, Observation o) {
    StringJoiner rates = new StringJoiner(", ");
    for (int step = 0; step < steps.count(); step++) {
      int replicas = steps.replicas(step);
      rates.add(
          Words.percent(steps.rate(step))
              + (step == 0 ? " stale at " + Words.replicas(replicas) : " at " + replicas));
    }
    return rates + "; tolerated " + Words.percent(config.tolerated());
  }

  /** The safe level, and why. */
  final Step<AdaptiveState> safe(AdaptiveState now, Observation o, String why) {
    ReadChoice choice = ReadChoice.of(ReadSteps.safeReplicas(config, o));
    return step(
        now.choosing(choice),
        o,
        choice,
        List.of("%s: %s: the safe %s".formatted(label, why, Words.choice(choice))));
  }

  /** Whether a step is the fallback of an adaptive policy, for want of figures. */
  public static boolean isFallback(Step<?> step) {
    return step.reasons().get(0).contains(FALLBACK);
  }

  /** The fallback, and why. */
  private Step<AdaptiveState> fallback(AdaptiveState now, Observation o, String why) {
    ReadChoice choice = ReadChoice.of(ReadSteps.fallbackReplicas(config, o));
    return step(
        now.choosing(choice),
        o,
        choice,
        List.of(label + ": " + why + FALLBACK + Words.choice(choice)));
  }

  /** Sets a choice, whatever it is. */
  static Step<AdaptiveState> step(
      AdaptiveState state, Observation o, ReadChoice choice, List<String> reasons) {
    return new Step<>(
        state, List.of(new Setting<>(KnobId.READ_LEVEL, o.target(), choice)), reasons);
  }

  private Step<AdaptiveState> follow(AdaptiveState now, Observation o, ReadSteps steps) {
    ReadChoice current = steps.current(now);
    ReadChoice needed = choose(steps, o, config.allowed());
    ReadChoice eased =
        steps.stronger(needed, choose(steps, o, config.allowed() * (1 - config.easeBand())));
    AdaptiveState next;
    String held = "";
    if (steps.mean(needed) > steps.mean(current)) {
      next = now.choosing(needed);
    } else if (steps.mean(eased) < steps.mean(current)) {
      next = ease(now, steps, current, eased);
      held =
          next.calmDecisions() == 0
              ? ""
              : "; held until fewer were enough for %d decisions and %s"
                  .formatted(config.easeDecisions(), Words.seconds(config.easeNanos()));
    } else {
      next = now.choosing(current);
    }
    ReadChoice choice = new ReadChoice(next.replicas(), next.shareAbove());
    List<String> reasons = new ArrayList<>();
    reasons.add("%s: %s: %s%s".formatted(label, grounds(steps, o), Words.choice(choice), held));
    circumstances(now, o).ifPresent(reasons::add);
    return step(next, o, choice, reasons);
  }

  private AdaptiveState ease(
      AdaptiveState now, ReadSteps steps, ReadChoice current, ReadChoice eased) {
    ReadChoice asked =
        now.calmReplicas() == 0
            ? eased
            : steps.stronger(eased, new ReadChoice(now.calmReplicas(), now.calmShareAbove()));
    if (steps.mean(asked) >= steps.mean(current)) {
      return now.choosing(current);
    }
    AdaptiveState calm = now.calm(current, asked);
    boolean longEnough =
        calm.calmDecisions() >= config.easeDecisions() && calm.calmNanos() >= config.easeNanos();
    return longEnough ? now.choosing(asked) : calm;
  }

  private static String lacking(Observation o) {
    return o.missed()
        .filter(missed -> o.awayReplicas() == 0 && missed.reads() > 0)
        .map(
            missed ->
                "; %d of %d sampled reads of one replica miss what was written"
                    .formatted(missed.missed(), missed.reads()))
        .orElse("");
  }

  private static Optional<String> circumstances(AdaptiveState now, Observation o) {
    StringJoiner text = new StringJoiner("; ");
    Correction correction = now.correction();
    if (Math.abs(correction.factor() - 1) > 0.005 || correction.excess() > 0) {
      text.add(
          "corrected by canary reads: times %s%s"
              .formatted(
                  Words.number(correction.factor()),
                  correction.excess() > 0 ? " plus " + Words.percent(correction.excess()) : ""));
    }
    ShadowCorrection shadow = now.shadow();
    if (Math.abs(shadow.factor() - 1) > 0.005 || shadow.excess() > 0) {
      text.add(
          "corrected by shadow reads: times %s%s"
              .formatted(
                  Words.number(shadow.factor()),
                  shadow.excess() > 0 ? " plus " + Words.percent(shadow.excess()) : ""));
    }
    o.popularity()
        .filter(popularity -> popularity.unseenWrites() >= 0.01)
        .ifPresent(
            popularity ->
                text.add(
                    "%s of the writes are of keys that were not seen, taken to be the hottest"
                        .formatted(Words.percent(popularity.unseenWrites()))));
    if (now.lateReplicas() > 0) {
      text.add(
          "%s of %d away or back lately, counted as late%s"
              .formatted(Words.replicas(now.lateReplicas()), o.replicas(), lacking(o)));
    }
    return text.length() == 0 ? Optional.empty() : Optional.of(text.toString());
  }
}
