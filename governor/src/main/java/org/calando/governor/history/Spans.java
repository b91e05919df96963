package org.calando.governor.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.report.Statistics.Estimate;

/*
 *   sample a ------------------ sample b        what a says holds until b, for two steps at most; the rest is unknown
 *
 * Energy is what the meters' sums have grown by. Where they went back, as after a restart, the step is unknown: it is not
 * the power at an instant times the step, which nobody measured. So it is where a node was without joules in it, as the sum
 * of the others is not the cluster's, and where the sums stayed, as no cluster draws nothing for a minute.
 * Requests are known of steps in which time was accounted.
 */
/** What samples say of a span of time: energy, savings, and how long promises were kept. */
final class Spans {
  private static final Duration LONGEST = History.STEP.multipliedBy(2);

  private Spans() {}

  /**
   * A span of time. Immutable.
   *
   * @param from its begin
   * @param seconds its length
   * @param watts mean power of samples in which it is known, with their extent
   * @param joules of the known time
   * @param joulesSeconds the known time of joules
   * @param requests of the accounted time; empty if there was none
   * @param savedLow joules saved, at least, of the known time
   * @param savedHigh at most
   * @param savedSeconds the known time of savings
   * @param kept seconds of each promise: kept, broken
   */
  record Span(
      Instant from,
      double seconds,
      Estimate watts,
      double joules,
      double joulesSeconds,
      OptionalLong requests,
      double savedLow,
      double savedHigh,
      double savedSeconds,
      Map<String, double[]> kept) {
    /** Whether nothing is known of it. */
    boolean isUnknown() {
      return !watts.present()
          && joulesSeconds == 0
          && savedSeconds == 0
          && requests.isEmpty()
          && kept.values().stream().allMatch(sums -> sums[0] + sums[1] == 0);
    }

    /** Mean power without what knobs save; absent where one of both is not known. */
    OptionalDouble withoutWatts() {
      return savedSeconds > 0 && watts.present()
          ? OptionalDouble.of(watts.mean() + (savedLow + savedHigh) / 2 / savedSeconds)
          : OptionalDouble.empty();
    }
  }

  /**
   * Spans that follow each other.
   *
   * @param samples the oldest first
   * @param edges begins of spans, and the end of the last
   */
  static List<Span> of(List<Sample> samples, List<Instant> edges) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i + 1 < edges.size(); i++) {
      spans.add(span(samples, edges.get(i), edges.get(i + 1)));
    }
    return spans;
  }

  private static Span span(List<Sample> samples, Instant from, Instant to) {
    Sum sum = new Sum();
    for (int i = 0; i < samples.size(); i++) {
      Sample each = samples.get(i);
      if (!each.at().isBefore(from) && each.at().isBefore(to)) {
        Optional<Sample> next =
            i + 1 < samples.size() ? Optional.of(samples.get(i + 1)) : Optional.empty();
        sum.add(each, next);
      }
    }
    return sum.span(from, Duration.between(from, to).toMillis() / 1e3);
  }

  /** What was added up. */
  private static final class Sum {
    private final List<Double> watts = new ArrayList<>();
    private final Map<String, double[]> kept = new LinkedHashMap<>();
    private double joules;
    private double joulesSeconds;
    private OptionalLong requests = OptionalLong.empty();
    private double savedLow;
    private double savedHigh;
    private double savedSeconds;

    void add(Sample each, Optional<Sample> next) {
      each.watts().ifPresent(watts::add);
      Duration step =
          next.map(after -> Duration.between(each.at(), after.at()))
              .filter(length -> length.compareTo(LONGEST) <= 0)
              .orElse(Duration.ZERO);
      double seconds = step.toMillis() / 1e3;
      next.ifPresent(after -> grown(each, after, seconds));
      if (each.savingLow().isPresent() && each.savingHigh().isPresent()) {
        savedLow += seconds * each.savingLow().getAsDouble();
        savedHigh += seconds * each.savingHigh().getAsDouble();
        savedSeconds += seconds;
      }
      each.kept()
          .forEach(
              (promise, known) -> {
                double[] sums = kept.computeIfAbsent(promise, name -> new double[2]);
                known.ifPresent(one -> sums[one ? 0 : 1] += seconds);
              });
    }

    private void grown(Sample each, Sample next, double seconds) {
      long before = each.requests().orElse(0);
      long after = next.requests().orElse(0);
      if (seconds > 0 && next.accountedSeconds() > each.accountedSeconds() && after >= before) {
        requests = OptionalLong.of(requests.orElse(0) + after - before);
      }
      boolean whole = Double.compare(next.unknownSeconds(), each.unknownSeconds()) == 0;
      if (seconds > 0 && whole && each.joules().isPresent() && next.joules().isPresent()) {
        double more = next.joules().getAsDouble() - each.joules().getAsDouble();
        if (more > 0) {
          joules += more;
          joulesSeconds += seconds;
        }
      }
    }

    Span span(Instant from, double seconds) {
      double mean = watts.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
      double least = watts.stream().mapToDouble(each -> each).min().orElse(Double.NaN);
      double most = watts.stream().mapToDouble(each -> each).max().orElse(Double.NaN);
      // Samples of one series are no repeats: there is no interval of their mean.
      Estimate power = new Estimate(Math.min(1, watts.size()), mean, Double.NaN, least, most);
      return new Span(
          from,
          seconds,
          power,
          joules,
          joulesSeconds,
          requests,
          savedLow,
          savedHigh,
          savedSeconds,
          kept);
    }
  }
}
