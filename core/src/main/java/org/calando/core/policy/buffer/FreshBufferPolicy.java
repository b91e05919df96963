package org.calando.core.policy.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferObservation.Requests;
import org.calando.core.policy.buffer.BufferObservation.Tail;
import org.calando.core.policy.buffer.BufferObservation.Writes;

/*
 * A write is visible to others after its time in the buffer, at most the delay D, and the time of the request that carries
 * it. A request of n writes was observed to take T (99th percentile). One of m writes takes at most T * max(1, m / n): it
 * has a fixed part that does not grow. At L writes a second (the rate of now, with room for a surge) a delay of D fills m =
 * L * D. So the largest delay that keeps the promised F, less head-room, is that of
 *
 *     D + T * max(1, L * D / n) = F'
 *
 * which is F' - T where that fills no more than n, else the larger of n / L and F' / (1 + T * L / n). As larger buffers are
 * tried their requests are observed, T / n falls, and D grows to where it belongs in a few decisions. A stop needs nothing:
 * the timer of the oldest write is the session's.
 *
 * When far more come than was foreseen the buffer is full before it is old, and must not be so small then that the store has
 * more requests than it can serve: they would wait for each other, be slower, and so make the next buffers smaller still. It
 * holds at least L * D writes, and n, and so many that their request takes half of F' by T / n, or F' - D by the bytes a second
 * that are believed of large requests. Small ones tell nothing of those: most of T is fixed.
 *
 * Where D is below what a timer keeps, that least delay is set, and the buffer is bounded by its size in the same way, with all
 * that the delay leaves. Writes are strong there only if fewer than two would share a request: clients that wait for each write,
 * and call no more than single requests let them, would never be let off otherwise, and a busy store would be given all writes
 * one by one.
 *
 * T is of two seconds, and so of few requests. What minutes tell of the 99th percentile is Q, at most: with 95 % confidence,
 * see SeenTail. No write is older than D when its request is due, so if D + Q is no more than the promise, at most one write
 * in a hundred is late. Head-room is therefore the larger of the fixed share and Q - T. Until Q is known the least delay is
 * set. Where Q is more than was promised at least, also with 95 % confidence, no delay keeps the promise: writes are strong,
 * and it is said once. It may be kept again when Q at most, and the least delay, are within it.
 *
 * Where writes turn out less fresh than promised, F' is corrected downwards, and let go up again slowly. What is not known,
 * or known no more, makes writes strong. Where T is longer than F' and half of all requests take long they wait for each other:
 * more of them, strong writes even, would make that worse, so a quarter of the promised time is spent on making them fewer. A
 * delay of so much takes a write at most as long again as its request does in the middle. A rate at which that was seen, or
 * half of it, is not given to the store one by one.
 */
/**
 * The largest delay and buffer that keep a promised freshness and a bound on writes at risk, at the
 * observed rate. Immutable and thread safe.
 */
public final class FreshBufferPolicy implements BufferPolicy {
  private static final double CUT = 0.7;
  private static final double REGAIN = 1.15;
  private static final double LEAST_CORRECTION = 0.2;

  /** Share of the promise below which freshness is good enough to try more. */
  private static final double GOOD = 0.85;

  /** Share of the promise less head-room that is spent where requests wait for each other. */
  private static final double TRIAL = 0.25;

  /** Writes that have to share a request for deferring to be of use. */
  private static final double WORTH = 2;

  /** Share of the goal that the request of a full buffer may take, as those seen took. */
  private static final double FULL = 0.5;

  private final FreshPromise promise;
  private final FreshLimits limits;

  /** A policy that keeps a promise. */
  public FreshBufferPolicy(FreshPromise promise, FreshLimits limits) {
    this.promise = promise;
    this.limits = limits;
  }

  @Override
  public String name() {
    return promise.text();
  }

  @Override
  public Step<BufferState> decide(BufferState last, BufferObservation observation) {
    BufferState state = judged(corrected(last, observation), observation);
    Choice choice = choose(state, observation);
    BufferSetting setting = choice.setting();
    List<String> reasons = new ArrayList<>();
    reasons.add(name() + ": " + setting.text() + ": " + choice.reason());
    if (state.isBeyond() != last.isBeyond()) {
      reasons.add(state.isBeyond() ? beyond(state.beyondNanos()) : name() + " may be kept again");
    }
    return new Step<>(
        state.decided(setting),
        List.of(new Setting<>(KnobId.WRITE_BUFFER, observation.target(), setting)),
        reasons);
  }

  @Override
  public Optional<String> notToBeHad(BufferState state) {
    return state.isBeyond() ? Optional.of(beyond(state.beyondNanos())) : Optional.empty();
  }

  private String beyond(double nanos) {
    return "%s is not to be had here: more than one request in 100 takes %s (95 %% confidence)"
        .formatted(name(), BufferWords.time(nanos));
  }

  private record Choice(BufferSetting setting, String reason) {}

  private static Choice strong(String reason) {
    return new Choice(BufferSetting.STRONG, reason);
  }

  /** What is promised, and what was kept, say how much of the time may be used. */
  private BufferState corrected(BufferState state, BufferObservation observation) {
    Optional<Double> fresh =
        observation
            .freshness()
            .filter(known -> isOfLate(known.atNanos(), observation))
            .map(BufferObservation.Freshness::p99Nanos);
    if (fresh.isEmpty() || observation.atNanos() < state.heldNanos()) {
      return state;
    }
    double correction = state.correction();
    if (fresh.get() > (double) promise.freshNanos()) {
      correction = Math.max(LEAST_CORRECTION, correction * CUT);
    } else if (fresh.get() <= GOOD * promise.freshNanos()) {
      correction = Math.min(1, correction * REGAIN);
    }
    return correction == state.correction()
        ? state
        : state.corrected(
            correction, observation.atNanos() + limits.holdNanos() + promise.freshNanos());
  }

  /** What is seen of the tail says whether the promise is to be had at all. */
  private BufferState judged(BufferState state, BufferObservation observation) {
    Optional<Tail> tail = tail(observation);
    double beyond = state.beyondNanos();
    // Where nothing was written what was seen last holds: nothing speaks against it.
    if (tail.isPresent()
        && tail.get().atMostNanos() + limits.leastDelayNanos() <= promise.freshNanos()) {
      beyond = 0;
    } else if (tail.isPresent() && tail.get().atLeastNanos() > promise.freshNanos()) {
      beyond = tail.get().atLeastNanos();
    }
    boolean crowded =
        requests(observation).filter(each -> isCrowded(each, goal(state, each, tail))).isPresent();
    double rate = observation.writes().map(Writes::perSecond).orElse(0.0);
    return state.judged(
        beyond,
        crowded && rate > 0 ? Math.min(rate, state.crowdedPerSecond()) : state.crowdedPerSecond());
  }

  private Optional<Tail> tail(BufferObservation observation) {
    return observation.tail().filter(one -> isOfLate(one.atNanos(), observation));
  }

  private Optional<Requests> requests(BufferObservation observation) {
    return observation.requests().filter(one -> isOfLate(one.atNanos(), observation));
  }

  /** The promised time less head-room, without what a request takes. */
  private double goal(BufferState state, Requests requests, Optional<Tail> tail) {
    double more = tail.map(Tail::atMostNanos).orElse(0.0) - requests.p99Nanos();
    return Math.min(usual() * state.correction(), promise.freshNanos() - Math.max(0, more));
  }

  private double usual() {
    return promise.freshNanos() * (1 - limits.headRoom());
  }

  /** Most requests take long, not one now and then: they wait for each other. */
  private boolean isCrowded(Requests requests, double goal) {
    return requests.p99Nanos() >= goal && requests.medianNanos() >= TRIAL * usual();
  }

  private Choice choose(BufferState state, BufferObservation observation) {
    if (mostWrites() < 2) {
      return strong("one write at risk at most leaves nothing to defer");
    }
    Optional<Writes> known =
        observation.writes().filter(writes -> isOfLate(writes.atNanos(), observation));
    if (known.isEmpty() || !isSound(known.get())) {
      return strong("the rate of writes is not known");
    }
    Writes writes = known.get();
    Optional<Requests> requests = requests(observation);
    if (requests.isEmpty()) {
      return state.delayNanos() == 0
          ? strong("what a request takes is not known yet")
          : new Choice(
              new BufferSetting(state.bytes(), state.delayNanos()), "nothing was sent of late");
    }
    return choose(state, observation, writes, requests.get());
  }

  private Choice choose(
      BufferState state, BufferObservation observation, Writes writes, Requests requests) {
    Optional<Tail> tail = tail(observation);
    double goal = goal(state, requests, tail);
    double each = Math.max(1, requests.writesEach());
    double takes = Math.max(1, requests.p99Nanos());
    String facts =
        "%s, a request of %.0f takes %s"
            .formatted(
                BufferWords.rate(writes.perSecond()),
                requests.writesEach(),
                BufferWords.time(takes));
    if (isCrowded(requests, goal)) {
      return tooSlow(writes, each, facts);
    }
    if (tail.isEmpty()) {
      return few(writes, usual(), each, takes, facts + ", how long at most is not known yet");
    }
    if (state.isBeyond()) {
      String words = facts + ", too long too often";
      return writes.perSecond() * limits.surge() >= state.crowdedPerSecond()
          ? few(writes, usual(), each, takes, words)
          : strong(words);
    }
    facts += ", at most " + BufferWords.time(tail.get().atMostNanos());
    double rate = writes.perSecond() * limits.surge() / 1e9;
    double delay = goal - takes;
    if (rate * delay > each) {
      delay = Math.max(each / rate, goal / (1 + takes * rate / each));
    }
    if (delay < limits.leastDelayNanos()) {
      String left = ", which leaves " + BufferWords.time(Math.max(0, delay));
      return few(writes, goal, each, takes, facts + left);
    }
    double half = each * FULL * goal / takes;
    double count = Math.max(Math.max(each, half), rate * delay);
    return deferred(delay, Math.max(count, believed(writes, goal - delay)), writes, facts);
  }

  /** Writes that a large request is believed to carry in a time. */
  private double believed(Writes writes, double nanos) {
    return Math.max(0, nanos) * limits.bytesPerSecond() / 1e9 / writes.bytes();
  }

  /** What the timer is too coarse for, the size of the buffer keeps. */
  private Choice few(Writes writes, double goal, double each, double takes, String facts) {
    double delay = limits.leastDelayNanos();
    double left = Math.max(0, goal - delay);
    double count = Math.max(each, each * left / takes);
    double come = writes.perSecond() * limits.surge() / 1e9 * delay;
    return Math.max(Math.floor(count), come) < WORTH
        ? strong(facts)
        : deferred(delay, Math.max(count, believed(writes, left)), writes, facts);
  }

  /** Requests alone take longer than is left of the promise: they wait for each other. */
  private Choice tooSlow(Writes writes, double each, String facts) {
    double delay = TRIAL * usual();
    double come = writes.perSecond() * limits.surge() / 1e9 * delay;
    double count = Math.max(each, Math.max(come, believed(writes, usual() - delay)));
    String reason = facts + ", more than the promise leaves";
    return delay < limits.leastDelayNanos()
        ? strong(reason)
        : deferred(delay, Math.max(WORTH, count), writes, reason);
  }

  private Choice deferred(double delay, double count, Writes writes, String facts) {
    double most = Math.min(count, (double) mostWrites());
    long bytes = (long) Math.ceil(Math.min(most * writes.bytes(), (double) limits.mostBytes()));
    return new Choice(new BufferSetting(Math.max(1, bytes), Math.round(delay)), facts);
  }

  /** That one buffer may hold: while it fills, another is on its way. */
  private long mostWrites() {
    return promise.mostAtRisk() == FreshPromise.ANY ? FreshPromise.ANY : promise.mostAtRisk() / 2;
  }

  private boolean isOfLate(long atNanos, BufferObservation observation) {
    long age = observation.atNanos() - atNanos;
    return age >= 0 && age <= limits.maxAgeNanos() + promise.freshNanos();
  }

  private static boolean isSound(Writes writes) {
    return writes.perSecond() >= 0
        && Double.isFinite(writes.perSecond())
        && writes.bytes() > 0
        && Double.isFinite(writes.bytes());
  }
}
