package org.calando.core.policy.buffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;

/**
 * A client with a buffer before a store of a few channels, in simulated time: writes come at random
 * at a rate that steps, a request of n writes takes a fixed time and one for each write, both with
 * noise, and waits while all channels are busy; stalls come on top. The policy decides four times a
 * second, of what a real client's sensor saw.
 */
final class BufferedClient {
  private static final int BYTES = 1024;

  /** A rate of writes for a time. */
  record Phase(double perSecond, double seconds) {}

  /** What the store or the machine adds to a request, in nanoseconds. */
  @FunctionalInterface
  interface Stall {
    double nanos(SplittableRandom random, long sentNanos);
  }

  /** What requests take. */
  record Store(int channels, double fixedNanos, double eachNanos, Stall stall) {
    Store(int channels, double fixedNanos, double eachNanos) {
      this(channels, fixedNanos, eachNanos, (random, at) -> 0);
    }
  }

  /** What came of it. */
  record Outcome(List<Double> p99NanosOfPhases, long mostAtRisk, double writesEach) {}

  private record Request(long endNanos, long sentNanos, List<Long> calls) {}

  private final BufferPolicy policy;
  private final Store store;
  private final SplittableRandom random;
  private final List<Long> buffer = new ArrayList<>();
  private final PriorityQueue<Request> flying =
      new PriorityQueue<>((a, b) -> Long.compare(a.endNanos(), b.endNanos()));
  private final long[] freeAt;
  private final RecentWrites recent = new RecentWrites(BufferRange.SLICES, 0);
  private BufferState state;
  private BufferSetting setting = BufferSetting.STRONG;
  private long now;
  private long nextDecision;
  private long inFlight;
  private long atRiskPeak;
  private long sent;
  private long sendings;
  private final List<String> said = new ArrayList<>();
  private final List<Double> phaseFreshness = new ArrayList<>();

  BufferedClient(BufferPolicy policy, Store store, long seed) {
    this.policy = policy;
    this.store = store;
    this.random = new SplittableRandom(seed);
    this.freeAt = new long[store.channels()];
    this.state = policy.initial();
  }

  /** What the policy said beside its reasons for settings. */
  List<String> said() {
    return said;
  }

  /** What is in force. */
  BufferSetting setting() {
    return setting;
  }

  Outcome run(List<Phase> phases) {
    List<Double> results = new ArrayList<>();
    for (Phase phase : phases) {
      phaseFreshness.clear();
      long end = now + (long) (phase.seconds() * 1e9);
      long next = arrival(phase);
      while (next < end) {
        advance(next);
        call();
        next = arrival(phase);
      }
      advance(end);
      results.add(percentile(phaseFreshness));
    }
    return new Outcome(results, atRiskPeak, (double) sent / Math.max(1, sendings));
  }

  private long arrival(Phase phase) {
    return phase.perSecond() == 0
        ? Long.MAX_VALUE
        : now + Math.max(1, (long) (-Math.log(1 - random.nextDouble()) * 1e9 / phase.perSecond()));
  }

  private void call() {
    recent.called(BYTES);
    buffer.add(now);
    if (setting.isStrong() || (long) buffer.size() * BYTES >= setting.bytes()) {
      send();
    } else {
      risk();
    }
  }

  private void risk() {
    long atRisk = buffer.size() + (setting.isStrong() ? 0 : inFlight);
    atRiskPeak = Math.max(atRiskPeak, atRisk);
  }

  private void send() {
    if (buffer.isEmpty()) {
      return;
    }
    int channel = 0;
    for (int i = 1; i < freeAt.length; i++) {
      channel = freeAt[i] < freeAt[channel] ? i : channel;
    }
    double noise = 0.7 + 0.6 * random.nextDouble();
    double hiccup = random.nextInt(500) == 0 ? 4 : 1;
    double takes = (store.fixedNanos() * hiccup + store.eachNanos() * buffer.size()) * noise;
    takes += store.stall().nanos(random, now);
    freeAt[channel] = Math.max(now, freeAt[channel]) + (long) takes;
    flying.add(new Request(freeAt[channel], now, List.copyOf(buffer)));
    inFlight += buffer.size();
    sent += buffer.size();
    sendings++;
    risk();
    buffer.clear();
  }

  private void advance(long until) {
    while (true) {
      long old =
          buffer.isEmpty() || setting.delayNanos() == BufferSetting.NO_DELAY
              ? Long.MAX_VALUE
              : buffer.get(0) + setting.delayNanos();
      long ends = flying.isEmpty() ? Long.MAX_VALUE : flying.peek().endNanos();
      long next = Math.min(Math.min(old, ends), nextDecision);
      if (next > until) {
        now = until;
        return;
      }
      now = Math.max(now, next);
      if (next == ends) {
        ended(flying.remove());
      } else if (next == old) {
        send();
      } else {
        decide();
      }
    }
  }

  private void ended(Request request) {
    inFlight -= request.calls().size();
    int writes = request.calls().size();
    recent.answered(writes, now - request.sentNanos());
    for (long call : request.calls()) {
      recent.visible(now - call);
      phaseFreshness.add((double) now - call);
    }
  }

  private void decide() {
    nextDecision += BufferRange.PERIOD_NANOS;
    Step<BufferState> step =
        policy.decide(state, recent.observe(now, "test", buffer.size() + inFlight));
    state = BufferState.parse(step.state().text());
    said.addAll(step.reasons().subList(1, step.reasons().size()));
    for (Setting<?> one : step.settings()) {
      setting = (BufferSetting) one.value();
    }
    if (setting.isStrong()) {
      send();
    }
  }

  private static double percentile(List<Double> values) {
    if (values.isEmpty()) {
      return 0;
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * 0.99))];
  }
}
